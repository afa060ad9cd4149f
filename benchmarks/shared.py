"""Data that does not come with the repository: where it is, and which programs want it.

Tables, texts and networks are looked for in `../shared/data` beside the checkout, or in the folder
that the environment variable BAYESIC_DATA names:

    tabular/    gzipped CSV files with the class in the last column, and schema.json, which gives
                the kind of each column
    text/       texts with their labels, as gzipped CSV or Parquet files
    network/    bif/ networks, uai/ the cases of the UAI 2014 competition
"""

import os
import sys
from pathlib import Path

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = Path(os.environ.get("BAYESIC_DATA", BESIDE))
TABLES, TEXTS, NETWORKS = DATA / "tabular", DATA / "text", DATA / "network"

NOTHING_WITHOUT = {"accuracy": TABLES, "semi_supervised": TEXTS, "text_accuracy": TEXTS}
LESS_WITHOUT = {
    **dict.fromkeys(["dependence", "gaussian", "twins"], TABLES),
    **dict.fromkeys(["network_engine", "studio"], NETWORKS),
    "texts": TEXTS,
}


def check(name: str) -> None:
    """Say what is missing for a program, and end where nothing could be measured."""
    folder = {**NOTHING_WITHOUT, **LESS_WITHOUT}.get(name)
    if folder is None or folder.exists():
        return
    missing = f"There is no {folder} (see benchmarks/shared.py, or set BAYESIC_DATA)"
    if name in NOTHING_WITHOUT:
        sys.exit(f"{missing}: nothing can be measured.")
    print(f"{missing}: a part is not measured.", file=sys.stderr)

"""Make the picture of the README again: the evidence of its row, beside the studio.

    python docs/images/make_readme.py            # into this folder
    python docs/images/make_readme.py FOLDER

The row and the model are those of README.md, whose first example is run. The studio is the picture
that is there already: studio-asia.png, and studio-asia-zh.png for the Chinese README.
"""

import doctest
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Literal

from matplotlib.figure import Figure
from PIL import Image

import bayesic as by
from bayesic import plots

FOLDER = Path(__file__).parent
README = FOLDER.parents[1] / "README.md"
STUDIO = {"readme": "studio-asia.png", "readme-zh": "studio-asia-zh.png"}
WHITE, GREY = (255, 255, 255), (209, 217, 224)
HEIGHT, GAP = 480, 24


def evidence_of_the_row(language: Literal["en", "zh"]) -> Figure:
    """The explanation that the README prints, drawn."""
    page = README.read_text(encoding="utf-8")
    (block, *_) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(block):
        if "explain(" not in example.source:
            exec(example.source, names)  # the page of this repository, which the tests run as well
    why = names["model"].explain(names["new"])  # type: ignore[attr-defined]
    with by.language(language):
        return plots.evidence(why, size=(6.0, 4.2))


def beside(figure: Figure, studio: Path) -> Image.Image:
    """Figure and screenshot next to each other, of one height, on white."""
    pixels = BytesIO()
    figure.savefig(pixels, dpi=100)
    left = Image.open(pixels).convert("RGB")
    right = Image.open(studio).convert("RGB")
    right = right.resize(
        (round(right.width * HEIGHT / right.height), HEIGHT), Image.Resampling.LANCZOS
    )
    whole = Image.new("RGB", (left.width + GAP + right.width + 2, HEIGHT + 2), WHITE)
    whole.paste(left, (0, (HEIGHT - left.height) // 2))
    whole.paste(GREY, (left.width + GAP, 0, whole.width, whole.height))  # a frame of one pixel
    whole.paste(right, (left.width + GAP + 1, 1))
    return whole


def main() -> None:
    """Write both pictures with 256 colours, which makes small files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, studio in STUDIO.items():
        language = "zh" if name.endswith("zh") else "en"
        picture = beside(evidence_of_the_row(language), FOLDER / studio)
        few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(folder / f"{name}.png", optimize=True)
        print(folder / f"{name}.png")


if __name__ == "__main__":
    main()

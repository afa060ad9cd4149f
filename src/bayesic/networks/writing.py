"""A network to a file: the format by the extension, the file whole or not at all."""

import gzip
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesic.files.whole_files import PathLike, whole_file
from bayesic.networks._files.bif import bif_text
from bayesic.networks._files.hugin import net_text
from bayesic.networks._files.json_format import json_text
from bayesic.networks._files.uai import uai_text
from bayesic.networks._files.xmlbif import xmlbif_text
from bayesic.networks.factors import Factors

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

WRITERS: dict[str, Callable[[Any], str]] = {
    ".bif": bif_text,
    ".xml": xmlbif_text,
    ".xmlbif": xmlbif_text,
    ".bifxml": xmlbif_text,
    ".uai": uai_text,
    ".net": net_text,
    ".json": json_text,
}


def write_network(model: "BeliefNetwork | Factors", path: PathLike) -> None:
    """Write a network to a file; the extension names the format; .gz compresses the file.

    .bif, .xml (also .xmlbif, .bifxml), .net and .uai hold names as texts, .uai none at all; .json
    keeps all. Numbers come back bit for bit from each.

    >>> from tempfile import TemporaryDirectory
    >>> from bayesic.networks.reading import read_network
    >>> from bayesic.networks.network import BeliefNetwork
    >>> rain = BeliefNetwork(tables={"Rain": {"yes": 0.1, "no": 0.9}})
    >>> with TemporaryDirectory() as folder:
    ...     rain.write(f"{folder}/rain.bif.gz")
    ...     read_network(f"{folder}/rain.bif.gz") == rain
    True
    """
    name = Path(path).name.lower()
    packed = name.endswith(".gz")
    ending = Path(name.removesuffix(".gz")).suffix
    if ending not in WRITERS:
        raise ValueError(
            f"A network is written to a file that ends with {', '.join(WRITERS)} (or these and "
            f".gz), got {path}."
        )
    _check_fits(model, ending)
    # JSON escapes what UTF-8 cannot hold, lone surrogates; other formats have none
    content = WRITERS[ending](model).encode("utf-8", "backslashreplace")
    with whole_file(path, "A network") as file:
        file.write(gzip.compress(content, mtime=0) if packed else content)


def _check_fits(model: "BeliefNetwork | Factors", ending: str) -> None:
    """Refuse what a format cannot hold."""
    if isinstance(model, Factors):
        if ending != ".uai":
            raise ValueError(f"Factors without names fit into .uai files only, got {ending}.")
        return
    if ending == ".json":
        return
    if model.variables_without_table:
        raise ValueError(
            f"A {ending} file needs all tables; {model.variables_without_table[0]} has none. "
            "Write .json instead."
        )
    if ending == ".uai":
        return
    for variable in model.variables:
        states = list(map(str, model.states(variable)))
        if len(set(states)) < len(states):
            raise ValueError(
                f"A {ending} file holds states as texts, and two states of {variable} have the "
                "same text. Write .json instead."
            )
        for text in (variable, *states):
            if not _is_writable(text):
                raise ValueError(
                    f"A {ending} file cannot hold the name {text!r}: it is empty, has control "
                    "characters, or space at its ends. Write .json instead."
                )


def _is_writable(text: str) -> bool:
    if not text or text != text.strip():
        return False
    return not any(
        unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff"
        for character in text
    )

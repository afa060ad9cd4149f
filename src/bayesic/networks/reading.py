"""`read_network`: any file of a network, by what is in it."""

import gzip
import os
import re
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bayesic.networks._files.bif import parse_bif
from bayesic.networks._files.file_content import RefusedNetworkError
from bayesic.networks._files.hugin import parse_net
from bayesic.networks._files.json_format import network_from_json
from bayesic.networks._files.uai import parse_evidence, parse_uai
from bayesic.networks._files.xmlbif import parse_xmlbif
from bayesic.networks.factor_model import FactorModel
from bayesic.networks.network import BeliefNetwork

if TYPE_CHECKING:
    from bayesic.files.whole_files import PathLike

LARGEST_FILE = 2**27  # bytes, unpacked: the largest of the public networks has 6 MB
GZIP = b"\x1f\x8b"

# comments of BIF and NET, and the first word behind them
FIRST_WORD = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|%[^\n]*)*+([\w<{]\w*)?", re.DOTALL)
BIF_WORDS = ("network", "variable", "probability")
NET_WORDS = ("net", "class", "node", "discrete", "potential", "continuous", "decision", "utility")


def read_network(path: "PathLike", normalise: bool = False) -> BeliefNetwork | FactorModel:
    """The network in a file: BIF, XMLBIF, UAI, Hugin NET, or our own JSON.

    The format is detected from the content, whatever the extension; gzip files are decompressed. A
    UAI file of type MARKOV holds factors instead of a network: it gives a FactorModel. Files may
    contain anything: sizes are checked before memory is allocated, and a faulty file is refused
    with the line and the reason.

    normalise : divide each row of the tables by its sum, instead of refusing what does not sum to 1

    >>> import bayesic as by
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     by.datasets.asia().write(f"{folder}/asia.bif")
    ...     net = by.read_network(f"{folder}/asia.bif")
    >>> net.parents("either"), net.table("asia").values.tolist()
    (('lung', 'tub'), [0.01, 0.99])
    """
    content = _content(path)
    try:
        return _network(content, normalise)
    except RefusedNetworkError as refusal:
        raise _refused(path, refusal) from None


def read_evidence(path: "PathLike") -> dict[str, str]:
    """What a UAI evidence file (.evid) observes: name of the variable -> its state.

    The names are those of `read_network` for UAI files: x0, x1, ... and 0, 1, ...
    """
    content = _content(path)
    try:
        return parse_evidence(_text(content))
    except RefusedNetworkError as refusal:
        raise _refused(path, refusal) from None


def _refused(path: "PathLike", refusal: RefusedNetworkError) -> ValueError:
    line = "" if refusal.line is None else f", line {refusal.line}"
    return ValueError(f"{path}{line}: {refusal}.")


def _content(path: "PathLike") -> bytes:
    """The bytes of a file, unpacked."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"A network is read from a file, whose path is a text, got {path!r}.")
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"There is no file {path}. Check the path.")
    with file.open("rb") as stream:
        packed = stream.read(len(GZIP)) == GZIP
        stream.seek(0)
        try:
            content = (gzip.GzipFile(fileobj=stream) if packed else stream).read(LARGEST_FILE + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path} must be a gzip file, but is broken: {error}.") from error
    if len(content) > LARGEST_FILE:
        raise ValueError(
            f"{path} is too large: a network file has at most {LARGEST_FILE:,} bytes, unpacked. "
            "Split the network into smaller ones, or make it in Python, with "
            "BeliefNetwork(edges, tables)."
        )
    return content


def _network(content: bytes, normalise: bool) -> BeliefNetwork | FactorModel:
    make = partial(BeliefNetwork, normalise=normalise)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or _is_utf_16(content):
        return parse_xmlbif(content).made_by(make)  # XML tells its encoding itself
    text = _text(content)
    match = FIRST_WORD.match(text)
    word = match[1] if match and match[1] else ""
    if word.startswith("{"):
        return network_from_json(text, make)
    if word in BIF_WORDS:
        return parse_bif(text).made_by(make)
    if word in NET_WORDS:
        return parse_net(text).made_by(make)
    if word in ("BAYES", "MARKOV"):
        model = parse_uai(text)
        return FactorModel(*model) if isinstance(model, tuple) else model.made_by(make)
    raise RefusedNetworkError(
        "it is no file of a network: BIF begins with 'network', XMLBIF with '<', NET with 'net', "
        "UAI with 'BAYES' or 'MARKOV', JSON with '{'"
    )


def _is_utf_16(content: bytes) -> bool:
    return content.startswith((b"\xff\xfe<", b"\xfe\xff\x00<"))


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RefusedNetworkError("it is not UTF-8 text; save it as UTF-8", line) from None

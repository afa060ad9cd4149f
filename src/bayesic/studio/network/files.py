"""Networks out of bytes, and into bytes: every format that the library reads and writes."""

from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from starlette.responses import Response

from bayesic.networks.factor_model import FactorModel
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from bayesic.networks.writing import WRITERS
from bayesic.serve.request_bodies import MODEL
from bayesic.serve.server import ServerRequest
from bayesic.studio.network._card_positions import opened
from bayesic.studio.workspace import Studio

BAYES = ".bayes"  # of models: counts, and not only tables
FORMATS = (*(ending.removeprefix(".") for ending in WRITERS), "bayes")


class OtherModelError(ValueError):
    """The file holds a model, but no network: it is for the models desk."""

    def __init__(self, file: str, model: object) -> None:
        super().__init__(
            f"{file} holds a {type(model).__name__}, and this desk is for networks. The models "
            "desk takes it in."
        )
        self.model = model


def name_of(file: str) -> str:
    """The name of a document, from that of its file.

    >>> name_of("networks/asia.bif.gz"), name_of("C:\\\\clinic.net")
    ('asia', 'clinic')
    """
    plain = file.replace("\\", "/").rpartition("/")[2].removesuffix(".gz")
    return Path(plain).stem


def network_of(data: bytes, file: str) -> BeliefNetwork:
    """The network that the bytes of a file hold."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "network"
        path.write_bytes(data)
        try:
            return read_document(path, file)
        except OtherModelError:
            raise
        except (ValueError, TypeError, OSError) as error:
            raise ValueError(str(error).replace(str(path), file)) from None


def read_document(path: Path, file: str) -> BeliefNetwork:
    """The network of a file."""
    if file.lower().endswith(BAYES):
        import bayesic as by

        network = by.load(path)
    else:
        network = _read_network(path)
    if isinstance(network, FactorModel):
        raise ValueError(
            f"{file} holds factors (UAI of type MARKOV), which have no edges to draw. bayesic "
            "network query answers questions about it."
        )
    if not isinstance(network, BeliefNetwork):
        raise OtherModelError(file, network)
    return opened(network)


def _read_network(path: Path) -> BeliefNetwork | FactorModel:
    """The network of a file, bit for bit; rows that do not sum to 1 are divided by their sums."""
    try:
        return read_network(path)
    except ValueError:
        return read_network(path, normalise=True)


def bytes_of(network: BeliefNetwork, form: str) -> bytes:
    """A network as the bytes of a file of this format.

    >>> from bayesic.datasets import asia
    >>> network_of(bytes_of(asia(), "bif"), "asia.bif") == asia()
    True
    """
    if form not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {form!r:.60}.")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"network.{form}"
        if form == "bayes":
            network.save(path)
        else:
            network.write(path)
        return path.read_bytes()


async def downloaded(studio: Studio, request: ServerRequest) -> object:
    """A network as a file, in any of the formats."""
    document = studio.document(request)
    version = document.version(request.number("version", document.head))
    form = request.http.query_params.get("format", "bif")
    data = await request.server.work(bytes_of, version.network, form)
    name = quote(f"{document.name}.{form}", safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(data, headers=headers, media_type=MODEL)

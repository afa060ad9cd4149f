"""A studio on a free port of this machine."""

from contextlib import contextmanager

from bayesic.studio.launch import LIMITS
from bayesic.studio.routes import studio_routes
from bayesic.studio.workspace import Studio
from helpers.http_server import Answer, ask, serving

OCTETS = "application/octet-stream"


@contextmanager
def studying(path, studio=None, **how):
    """The address of a studio that runs in a thread."""
    studio = studio or Studio()
    routes = studio_routes(studio)
    try:
        with serving(
            path, how.pop("limits", LIMITS), more_routes=routes, ending=studio.end, **how
        ) as address:
            yield address
    finally:
        studio.close()


class Desk:
    """Asks a studio about one document, as a tab of the page does."""

    def __init__(self, address, name="asia", tab="tab"):
        self.address, self.name, self.tab = address, name, tab

    def get(self, path, of="/studio/documents/{}/"):
        return self._answer("GET", of.format(self.name) + path)

    def post(self, path, body=None, of="/studio/documents/{}/", **headers):
        return self._answer("POST", of.format(self.name) + path, body or {}, **headers)

    def show(self, query=""):
        return self._answer("GET", f"/studio/documents/{self.name}{query}")

    def ask(self, **body):
        return self.post("ask", body)

    def edit(self, base, kind, **event):
        return self.post("edit", {"base": base, "event": {"kind": kind, **event}})

    def _answer(self, method, path, body=None, **headers):
        found = ask(self.address, method, path, body, x_studio_tab=self.tab, **headers)
        assert found.status == 200, (found.status, found.bytes)
        return found.json


def open_example(address, name="asia", tab="tab"):
    """A desk with an example open."""
    found = ask(address, "POST", "/studio/documents", {"example": name}).json
    return Desk(address, found["name"], tab)


def upload(address, data, name, where="documents"):
    """Send the bytes of a file; the answer."""
    found: Answer = ask(address, "POST", f"/studio/{where}?name={name}", data, content_type=OCTETS)
    assert found.status == 200, (found.status, found.bytes)
    return found.json

"""A server while it runs: what is there when it starts is not searched for garbage."""

import gc

import bayesic as by
from bayesic.serve import running
from bayesic.serve.request_limits import RequestLimits


def is_searched(thing):
    """Whether Python looks at this when it looks for garbage."""
    return any(each is thing for each in gc.get_objects())


def test_what_is_there_when_a_server_starts_is_set_aside_until_it_ends(tmp_path, monkeypatch):
    with by.open_store(tmp_path / "mail.store") as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", ["free money", "lunch"], ["spam", "ham"])
    found = {}

    class Noting(running.ListeningServer):
        def run(self, sockets):
            model, request = self.config.app.server.store.state("spam").model, [found]
            for name, thing in (("model", model), ("modules", vars(by)), ("request", request)):
                found[name] = is_searched(thing)

    monkeypatch.setattr(running, "ListeningServer", Noting)
    assert is_searched(vars(by))
    running.serve(tmp_path / "mail.store", "127.0.0.1", 0, RequestLimits())
    assert found == {"model": False, "modules": False, "request": True}
    assert is_searched(vars(by))

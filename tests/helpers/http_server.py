"""A real server on a free port of this machine, and a client that hides nothing."""

import json
import threading
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import quote, urlsplit

import bayesic as by
from bayesic.serve._metrics import Metrics
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.running import ListeningServer, config_of, hosts_answered
from bayesic.serve.running import listening as listening_on
from bayesic.serve.server import Server


@contextmanager
def serving(
    path, limits=None, tokens=(), host="127.0.0.1", names=(), more_routes=(), ending=None, **how
):
    """The address of a server that runs in a thread."""
    limits, metrics = limits or RequestLimits(), Metrics()
    if not how.get("read_only"):
        how = {"on_commit": metrics.committed, "most_waiting": limits.waiting, **how}
    store = by.open_store(path, **how)
    server = Server(store, limits, metrics, tokens, hosts_answered(host, names), more_routes)
    listening, addresses = threading.Event(), []

    def started(address):
        addresses.append(address)
        listening.set()

    running = ListeningServer(config_of(server), started, ending or (lambda: None))
    thread = threading.Thread(target=running.run, args=[[listening_on(host, 0)]])
    thread.start()
    try:
        assert listening.wait(30)
        yield addresses[0]
    finally:
        running.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


def teach_models(store):
    """A model of each shape of rows: a table, texts, arrays, a network, and one without any."""
    days = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}, {"sky": "sun", "wind": 2.0}]
    store.create("plans", by.NaiveBayes(columns={"wind": "gaussian"}))
    store.learn("plans", days, ["stay", "go", "go"])
    store.create("短信", by.TextClassifier())
    store.learn("短信", ["free money", "lunch"], ["spam", "ham"])
    store.create("numbers", by.GaussianNB(), classes=[0, 1])
    store.learn("numbers", [[1.0, 2.0], [3.0, 4.0]], [0, 1])
    store.create("day", by.BeliefNetwork([("storm", "fire")]), smoothing=1)
    store.learn("day", [{"storm": True, "fire": "no"}, {"storm": False, "fire": "yes"}])
    store.create("empty", by.JointBayes())


class Answer:
    """Status, headers and body of an answer."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.bytes = response.read()

    @property
    def json(self):
        return json.loads(self.bytes)


def ask(address, method, path, body=None, **headers):
    """The answer to one request; a body that is no bytes is sent as JSON."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None and not isinstance(body, bytes):
        body, sent = json.dumps(body).encode(), {"content-type": "application/json", **sent}
    try:
        connection.request(method, quote(path, safe="/?=&"), body, sent)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def wait_until(is_true, seconds=20.0):
    """Wait for something that other threads do."""
    until = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.01)

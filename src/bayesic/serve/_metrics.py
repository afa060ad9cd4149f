"""Counters and histograms, as the text that Prometheus reads."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence

from bayesic.store.store import Store

SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
CALLS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
Labels = tuple[tuple[str, str], ...]

HELP = {
    "bayesic_requests_total": "Requests that were answered.",
    "bayesic_events_total": "Events that were written by requests.",
    "bayesic_commit_seconds": "Time of each commit.",
    "bayesic_group_size": "Calls in each commit.",
    "bayesic_predict_seconds": "Time of each answer of a model.",
}


class Histogram:
    """How many values were at most each bound, and their sum."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * len(bounds)
        self.number, self.total = 0, 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.number, self.total = self.number + 1, self.total + value
        for index, bound in enumerate(self.bounds):
            if value <= bound:
                self.counts[index] += 1

    def lines(self, name: str) -> Iterator[str]:
        """The lines of Prometheus."""
        for bound, count in zip(self.bounds, self.counts, strict=True):
            yield f'{name}_bucket{{le="{bound:g}"}} {count}'
        yield f'{name}_bucket{{le="+Inf"}} {self.number}'
        yield f"{name}_sum {self.total!r}"
        yield f"{name}_count {self.number}"


class Metrics:
    """All that is counted of a server. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[str, Counter[Labels]] = {
            "bayesic_requests_total": Counter(),
            "bayesic_events_total": Counter(),
        }
        self._histograms = {
            "bayesic_commit_seconds": Histogram(SECONDS),
            "bayesic_group_size": Histogram(CALLS),
            "bayesic_predict_seconds": Histogram(SECONDS),
        }

    def count(self, name: str, number: int = 1, **labels: str) -> None:
        """Add to a counter."""
        with self._lock:
            self._counters[name][tuple(labels.items())] += number

    def observe(self, name: str, value: float) -> None:
        """Count a value in a histogram."""
        with self._lock:
            self._histograms[name].observe(value)

    def committed(self, n_calls: int, seconds: float) -> None:
        """The store calls this after each commit."""
        self.observe("bayesic_commit_seconds", seconds)
        self.observe("bayesic_group_size", n_calls)

    def text(self, store: Store) -> str:
        """The page that Prometheus reads."""
        with self._lock:
            lines = [line for name in self._counters for line in self._of_counter(name)]
            for name, histogram in self._histograms.items():
                lines += [*_head(name, "histogram"), *histogram.lines(name)]
        lines += [*_gauge("bayesic_queue", "Calls that wait for the disk.", store.n_waiting)]
        lines += _head("bayesic_model_seq", "gauge", "Number of the last event of each model.")
        for name, seq in seqs(store).items():
            lines.append(f"bayesic_model_seq{_labels((('model', name),))} {seq}")
        return "\n".join(lines) + "\n"

    def _of_counter(self, name: str) -> Iterator[str]:
        yield from _head(name, "counter")
        for labels, number in self._counters[name].items():
            yield f"{name}{_labels(labels)} {number}"


def seqs(store: Store) -> dict[str, int]:
    """The number of the last event of each model that is whole."""
    found = {}
    for name in store.models():
        try:
            found[name] = store.state(name).seq
        except Exception:  # it is damaged, or was deleted in this moment
            continue
    return found


def _head(name: str, kind: str, help: str | None = None) -> list[str]:
    return [f"# HELP {name} {help or HELP[name]}", f"# TYPE {name} {kind}"]


def _gauge(name: str, help: str, value: float) -> list[str]:
    return [*_head(name, "gauge", help), f"{name} {value}"]


def _labels(labels: Labels) -> str:
    r"""Labels as Prometheus writes them.

    >>> _labels((("model", 'the "best"'),))
    '{model="the \\"best\\""}'
    """
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")

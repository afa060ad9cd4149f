"""A server in a process of its own, and clients in another one that keep it busy."""

import json
import subprocess
import sys
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

CLIENTS, HELLO = "benchmarks.serve._http_load", "benchmarks.serve._hello_server"


def memory_of(pid: int) -> int:
    """The bytes that a process has in memory; 0 where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return 1024 * int(lines["VmRSS"].split()[0])


@dataclass(frozen=True)
class Answered:
    """What clients have seen: answers in a second, and how long all but a hundredth took."""

    rate: float
    p99: float


class Clients:
    """Connections that ask again as soon as they are answered, in a process of their own."""

    def __init__(self, address: str, path: str, bodies: Path, connections: int, seconds: float):
        command = [sys.executable, "-m", CLIENTS, address, path, str(bodies)]
        command += ["--connections", str(connections), "--seconds", str(seconds)]
        self._seconds = seconds
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def answered(self) -> Answered:
        """Wait until they have ended."""
        told, _ = self._process.communicate()
        found = json.loads(told)
        if set(found["statuses"]) != {"200"}:
            raise RuntimeError(f"Not all was answered with 200: {found['statuses']}")
        times = found["times"]
        return Answered(len(times) / self._seconds, quantiles(times, n=100)[98])


class Serving:
    """A server while it runs: `bayesic serve`, or another command that prints its address last."""

    def __init__(self, store: Path, command: list[str] | None = None) -> None:
        serve = ["-m", "bayesic", "serve", str(store), "--port", "0", "--quiet"]
        self.process = subprocess.Popen(
            [sys.executable, *(command or serve)], stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Serving":
        self.address = self.process.stdout.readline().split()[-1]
        return self

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        self.process.communicate()

    def ask(self, path: str, body: Any) -> int:
        """The status of one answer."""
        parts = urlsplit(self.address)
        connection = HTTPConnection(parts.hostname, parts.port)
        headers = {"Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body).encode(), headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def clients(self, path: str, bodies: Path, connections: int, seconds: float) -> Clients:
        """Clients that begin to ask now."""
        return Clients(self.address, path, bodies, connections, seconds)

"""A client that keeps connections busy: each asks again as soon as it is answered.

    python -m benchmarks.serve._http_load ADDRESS PATH BODIES --connections 64 --seconds 5

BODIES is a file with one JSON body on each line; they are sent in turn. Prints JSON: how many were
answered within the seconds, by status, and the seconds that each answer took.

It runs in a process of its own, so that it takes no time from the server that is measured; and it
knows no more of HTTP than it must, so that the server has nearly all of the second processor.
"""

import argparse
import json
import selectors
import socket
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

END_OF_HEAD = b"\r\n\r\n"
LENGTH = b"content-length: "


def request_of(host: str, path: str, body: bytes) -> bytes:
    """A whole request; without a body, GET."""
    if not body:
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def length_of(answer: bytes) -> int | None:
    """How many bytes an answer has in all; None while its head has not come.

    >>> length_of(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")
    40
    """
    end = answer.find(END_OF_HEAD)
    if end < 0:
        return None
    start = answer.index(LENGTH) + len(LENGTH)
    return end + len(END_OF_HEAD) + int(answer[start : answer.index(b"\r\n", start)])


class Connection:
    """One client: what it has received so far, and when it asked."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received, self.length, self.asked = b"", None, 0.0

    def ask(self, request: bytes) -> None:
        """Send a request: it is short, so the system takes it at once."""
        self.received, self.length, self.asked = b"", None, time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> bool:
        """Take what has come; whether the answer is whole."""
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError("the server has closed a connection")
        self.received += part
        if self.length is None:
            self.length = length_of(self.received)
        return self.length is not None and len(self.received) >= self.length


def asked_for(address: str, path: str, bodies: list[bytes], connections: int, seconds: float):
    """The status and the time of each answer that came within so many seconds."""
    parts = urlsplit(address)
    requests = cycle([request_of(parts.netloc, path, body) for body in bodies])
    statuses, times = Counter(), []
    clients = [Connection((parts.hostname, parts.port)) for _ in range(connections)]
    with selectors.DefaultSelector() as waiting:
        for client in clients:
            waiting.register(client.socket, selectors.EVENT_READ, client)
        until = time.perf_counter() + seconds
        for client in clients:
            client.ask(next(requests))
        while (now := time.perf_counter()) < until:
            for key, _ in waiting.select(until - now):
                client = key.data
                if client.receive():
                    times.append(time.perf_counter() - client.asked)
                    statuses[int(client.received[9:12])] += 1
                    client.ask(next(requests))
    for client in clients:
        client.socket.close()
    return statuses, times


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address")
    parser.add_argument("path")
    parser.add_argument("bodies", type=Path)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0)
    asked = parser.parse_args()
    lines = asked.bodies.read_bytes().splitlines() or [b""]
    statuses, times = asked_for(asked.address, asked.path, lines, asked.connections, asked.seconds)
    print(json.dumps({"statuses": statuses, "times": times}))

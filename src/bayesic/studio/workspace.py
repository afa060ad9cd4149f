"""What all requests of the studio share: what is open, and the worker processes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import anyio

from bayesic.serve.server import ServerRequest
from bayesic.studio._worker_processes import CancelledError, WorkerProcesses
from bayesic.studio.network._case_rows import Cases
from bayesic.studio.network._question_cost import QuestionCost
from bayesic.studio.network.documents import Document, Documents, Version
from bayesic.studio.table._open_tables import OpenTables

QUICK = 0.4  # seconds: questions that take longer are for a worker
TAB = "x-studio-tab"  # the header by which a page names itself


class EntryTicket(NamedTuple):
    """Lets in the browser that the command opens. Other programs can see the address it gets."""

    ticket: str  # opens once
    page: str  # where the page begins, with the token


class Subject(NamedTuple):
    """The subject of a question to a worker, where it is not a version of a network."""

    key: Any  # nothing else has it
    network: Any


@dataclass(eq=False)
class Studio:
    """The open documents, and the workers."""

    documents: Documents = field(default_factory=Documents)
    workers: WorkerProcesses = field(default_factory=WorkerProcesses)
    cases: dict[str, Cases] = field(default_factory=dict)
    tables: OpenTables = field(default_factory=OpenTables)
    entry: EntryTicket | None = None
    _folder: TemporaryDirectory = field(default_factory=TemporaryDirectory)  # of the cases
    _numbers: count = field(default_factory=count)  # of these files
    editing: anyio.Lock = field(default_factory=anyio.Lock)  # one edit after the other

    def new_path(self, ending: str) -> Path:
        """Where a file of cases can be kept, as long as the studio is open."""
        return Path(self._folder.name) / f"{next(self._numbers)}{ending}"

    def keeps(self, path: Path) -> bool:
        """Whether a file is one of these, and not one of the user's."""
        return path.parent == Path(self._folder.name)

    def document(self, request: ServerRequest) -> Document:
        """The document that a request is about."""
        return self.documents[request.name]

    def version(self, request: ServerRequest, number: object = None) -> Version:
        """The version that a request is about; the head if it names none."""
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise ValueError(f"version must be a whole number, got {number!r:.60}.")
        return self.document(request).version(number)

    async def quick(
        self,
        request: ServerRequest,
        version: Version,
        function: Callable[..., object],
        *given: object,
    ) -> Any:
        """What a function returns of the network, at once or, if it takes long, from a worker."""
        if (await self.cost(request, version)).seconds <= QUICK:
            return await request.server.work(function, version.network, *given)
        return await self.long(request, version, function, *given)

    async def long(
        self,
        request: ServerRequest,
        version: Version | Subject,
        function: Callable[..., object],
        *given: object,
    ) -> Any:
        """What a function returns of the network, from a worker.

        A newer question of the same kind and tab ends it, and so does a page that goes away.
        """
        slot = request.http.headers.get(TAB, ""), function.__name__
        found: list[Any] = []

        async def answered() -> None:
            try:
                network = version.network
                found.append(
                    await self.workers.answer(slot, version.key, network, function, *given)
                )
            except CancelledError:
                found.append({"cancelled": True})
            except Exception as error:
                found.append(error)
            waiting.cancel_scope.cancel()

        async with anyio.create_task_group() as waiting:
            waiting.start_soon(answered)
            await _until_gone(request)
            waiting.cancel_scope.cancel()
        if not found:
            return {"cancelled": True}
        if isinstance(found[0], Exception):
            raise found[0]
        return found[0]

    async def cost(self, request: ServerRequest, version: Version) -> QuestionCost:
        """What a question to this version costs."""
        if "cost" in vars(version):
            return version.cost
        return await request.server.work(getattr, version, "cost")

    def end(self) -> None:
        """End what is still being computed."""
        self.workers.end()

    def close(self) -> None:
        """End, and leave nothing behind."""
        self.end()
        self._folder.cleanup()


async def _until_gone(request: ServerRequest) -> None:
    """Wait until the client has disconnected."""
    while (await request.http.receive())["type"] != "http.disconnect":
        pass


Answer = Callable[[Studio, ServerRequest], Awaitable[object]]

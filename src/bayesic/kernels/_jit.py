"""How kernels are compiled, and saying so where it takes its time: on first use only.

Numba reports each function that it compiles, those inside others included, but not of those that
it finds on disk. It compiles for one thread at a time.
"""

import gc
import os
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any

from numba import njit
from numba.core import cgutils, event
from numba.core.event import Event
from numba.extending import intrinsic

from bayesic import progress

SENTENCE = "compiling kernels, once"


def jit(**options: Any) -> Callable:
    """One policy for all kernels: release the lock, keep the machine code for the next process.

    They are called from Python and by each other, so nothing is compiled for calls from C. Numba
    refuses to decorate when no cache directory can be written; then we go without a cache.
    """
    policy = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}

    def decorate(function: Callable) -> Callable:
        try:
            return njit(cache=True, **policy)(function)
        except RuntimeError:
            return njit(**policy)(function)

    return decorate


# for functions that only other kernels call: made without what Python would need to call them,
# which takes up to half of the time to compile where there are many arguments
inner = jit(no_cpython_wrapper=True)

# for what is called in one place: compiled there, it takes less time than as a function of its own
# that is put together with the others; and where a call would hand on tuples of many arrays, which
# takes longer than the little that is done
inlined = jit(inline="always")


@intrinsic
def lent(typing_context: object, arrays: Any) -> Any:
    """The same tuple of arrays without reference counts; the caller keeps them alive.

    Numba counts references wherever an array is handed on or cut, atomically: code that takes long
    to compile, and in loops over small arrays longer than what is done with them.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (kinds,), (values,) = signature.args, arguments
        made = []
        for kind, value in zip(kinds, cgutils.unpack_tuple(builder, values), strict=True):
            array = context.make_array(kind)(context, builder, value=value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            made.append(array._getvalue())
        return context.make_tuple(builder, kinds, made)

    return arrays(arrays), code


class CompilingNotice(event.Listener):
    """Says SENTENCE when compiling takes longer than PATIENCE, all kernels of a process together.

    On a terminal it is a bar as long as it lasts; elsewhere, and above another bar, one line in a
    process. BAYESIC_QUIET=1 silences it.
    """

    def __init__(self) -> None:
        self.depth = 0  # functions that are being compiled, each for the one before it
        self.seconds = 0.0  # of compiling, up to the kernel that is being compiled
        self.said = False

    def on_start(self, event: Event) -> None:
        """A function begins to be compiled."""
        if self.depth == 0:
            if not _is_kernel(event) or os.environ.get("BAYESIC_QUIET"):
                return
            self.began, self.bar, self.has_bar = monotonic(), ExitStack(), progress.can_be_shown()
            how = progress.bar_of(SENTENCE, unit="function", waited=self.seconds)
            self.advance = self.bar.enter_context(how)
        self.depth += 1

    def on_end(self, event: Event) -> None:
        """A function is compiled, or cannot be."""
        if self.depth == 0:
            return
        self.depth -= 1
        self.advance()
        seconds = self.seconds + monotonic() - self.began
        if seconds > progress.PATIENCE and not self.said and not self.has_bar:
            self.said = True
            progress.say(SENTENCE)
        if self.depth == 0:
            self.seconds = seconds
            self.bar.close()


class GarbageCollectionPause(event.Listener):
    """Stops Python's search for cycles meanwhile: it takes a tenth of compiling, and finds little.

    Numba makes millions of small objects that stay, and the search begins again and again.
    """

    def __init__(self) -> None:
        self.depth, self.was_on = 0, False

    def on_start(self, event: Event) -> None:
        """A function begins to be compiled."""
        if self.depth == 0:
            if not _is_kernel(event):
                return
            self.was_on = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Event) -> None:
        """A function is compiled, or cannot be."""
        if self.depth == 1 and self.was_on:
            gc.enable()
        self.depth = max(self.depth - 1, 0)


def _is_kernel(event: Event) -> bool:
    return event.data["dispatcher"].py_func.__module__.startswith("bayesic.kernels.")


for listener in (CompilingNotice(), GarbageCollectionPause()):
    event.register("numba:compile", listener)  # from now on, in this process

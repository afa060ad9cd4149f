"""How kernels are compiled."""

from collections.abc import Callable
from typing import Any

from numba import njit

from bayesic.kernels.compiling import tell_of_compiling

tell_of_compiling()


def jit(**options: Any) -> Callable:
    """One policy for all kernels: release the lock, keep the machine code for the next process.

    Numba refuses to decorate when no cache directory can be written; then we go without a cache.
    """

    def decorate(function: Callable) -> Callable:
        try:
            return njit(nogil=True, error_model="numpy", cache=True, **options)(function)
        except RuntimeError:
            return njit(nogil=True, error_model="numpy", **options)(function)

    return decorate


# for functions that only other kernels call: made without what Python would need to call them,
# which takes up to half of the time to compile where there are many arguments
inner = jit(no_cpython_wrapper=True, no_cfunc_wrapper=True)

# for what is called in one place: compiled there, it takes less time than as a function of its own
# that is put together with the others; and where a call would hand on tuples of many arrays, which
# takes longer than the little that is done
inlined = jit(inline="always")

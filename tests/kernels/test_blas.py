"""BLAS with one thread for a while."""

import numpy as np
from threadpoolctl import threadpool_info

from bayesic.kernels.blas import one_blas_thread


def blas_threads():
    return [
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    ]


def test_blas_has_one_thread_inside_and_as_many_as_before_afterwards():
    np.ones((2, 2)) @ np.ones((2, 2))
    before = blas_threads()
    with one_blas_thread():
        inside = blas_threads()
        with one_blas_thread():
            assert set(blas_threads()) <= {1}
        assert blas_threads() == inside
    assert set(inside) <= {1}
    assert blas_threads() == before


def test_the_last_to_leave_sets_the_number_of_threads_back():
    before = blas_threads()
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()  # as two threads of a user may come and go
    second.__enter__()
    first.__exit__(None, None, None)
    inside = blas_threads()
    second.__exit__(None, None, None)
    assert set(inside) <= {1}
    assert blas_threads() == before

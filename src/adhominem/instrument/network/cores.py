"""Runs blocks of work in parallel, each with BLAS on one thread: the network takes many small
steps, in which threads inside BLAS would wait for each other."""

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Block = TypeVar("Block")


def n_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def run_blocks(work: Callable[[Block], None], blocks: Sequence[Block]) -> None:
    """Call `work` for every block in parallel; blocks must not write to the same memory."""
    threads = min(n_cores(), len(blocks))
    with one_blas_thread():
        if threads > 1:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, blocks))
        else:
            list(map(work, blocks))


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Set NumPy's OpenBLAS to one thread; other BLAS libraries are left as they are."""
    openblas = _openblas()
    if openblas is None:
        yield
        return
    get_threads, set_threads = openblas
    before = get_threads()
    set_threads(1)
    try:
        yield
    finally:
        set_threads(before)


@cache
def _openblas() -> tuple[Any, Any] | None:
    """The functions that get and set the threads of the OpenBLAS library in NumPy's wheel."""
    package = Path(np.__file__).parent
    for folder in (package.with_name("numpy.libs"), package / ".dylibs"):
        for file in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(file))
            for end in ("64_", ""):
                get = getattr(library, f"scipy_openblas_get_num_threads{end}", None)
                put = getattr(library, f"scipy_openblas_set_num_threads{end}", None)
                if get is not None and put is not None:
                    return get, put
    return None

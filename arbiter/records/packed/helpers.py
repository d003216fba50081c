"""Processes that share the work on large folders."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Protocol, TypeVar

import pyarrow as pa

T = TypeVar("T")
S = TypeVar("S")
_PR_SET_PDEATHSIG = 1


class Map(Protocol):
    """Applies a function to items, and yields the results in their order."""

    def __call__(self, work: Callable[[T], S], items: Sequence[T], /) -> Iterator[S]:
        """Yield the results."""


@contextlib.contextmanager
def helpers(count: int) -> Iterator[Map]:
    """Yield a ``map`` that runs in this many processes; for one, in this process."""
    if count < 2:
        yield map
        return
    # Forked, since importing what they need would take longer than the work of a small folder.
    context = multiprocessing.get_context("fork")
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(count, context, _begin, (os.getpid(),)) as pool:

        def spread(work: Callable[[T], S], items: Sequence[T]) -> Iterator[S]:
            ahead: deque[Future[S]] = deque()
            for item in items:
                ahead.append(pool.submit(work, item))
                if len(ahead) > 2 * count:  # bounds the memory for results that have not been used yet
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

        try:
            yield spread
        except Exception:
            raise
        except BaseException:  # interrupted: they need not finish, and may be killed at any moment
            for helper in multiprocessing.active_children():
                if helper not in others:
                    helper.kill()
            raise


def _begin(parent: int) -> None:
    """Make the kernel kill this process with its parent, since a helper inherits the lock on the folder."""
    # The default pool returns memory to the kernel sooner, which then has to clear it again.
    pa.set_memory_pool(pa.system_memory_pool())
    gc.disable()  # records have no reference cycles, and searching for them takes a tenth of the time
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)

"""Reading ahead: while one item is used, the next one is made in another thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")


def read_ahead(work: Callable[[T], S], items: Iterable[T]) -> Iterator[S]:
    """Yield the results of a function in order; at most two are in memory."""
    ahead: deque[Future[S]] = deque()
    with ThreadPoolExecutor(1) as thread:
        for item in items:
            ahead.append(thread.submit(work, item))
            if len(ahead) > 1:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

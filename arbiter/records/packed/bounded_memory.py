"""A bound on the memory that reading an archive may take: a small untrusted file can unpack to any size.

What an archive says about its own size proves nothing, so the kernel enforces the bound: allocations beyond it fail.
"""

from __future__ import annotations

import contextlib
import os
import resource
import threading
from collections.abc import Iterator

import pyarrow as pa

MOST_BYTES = 2 << 30
"""Far more than any row group written by the arbiter takes."""
_DATA = 5
"""Position in ``/proc/self/statm`` of the pages that RLIMIT_DATA counts."""
_one_at_a_time = threading.RLock()


@contextlib.contextmanager
def bounded_memory() -> Iterator[None]:
    """Have allocations in the block fail (MemoryError) once this process uses :data:`MOST_BYTES` more than now."""
    with _one_at_a_time:
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = _taken() + MOST_BYTES
        if any(limit != resource.RLIM_INFINITY and limit <= wanted for limit in (soft, hard)):
            yield  # the user's own limit is lower
            return
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def checked(table: pa.Table) -> pa.Table:
    """Return a table. Raises MemoryError if it is too large: pyarrow may have had the memory for it before the bound was set."""
    if table.nbytes > MOST_BYTES:
        raise MemoryError
    return table


def _taken() -> int:
    with open("/proc/self/statm", "rb") as figures:  # noqa: PTH123 - for every game that is looked up
        return int(figures.read().split()[_DATA]) * os.sysconf("SC_PAGESIZE")

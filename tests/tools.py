"""Helpers that tests share: the root of the checkout, and skipping what this machine cannot run."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
"""Top folder of the checkout."""
PATIENCE_S = 600
"""How long to wait for an event before the test fails; none takes nearly as long."""


def until(condition: Callable[[], object], what: str) -> None:
    """Poll a condition until it holds; ``what`` says in the failure message what was waited for."""
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s, f"waited in vain for {what}"
        os.sched_yield()


def missing(what: str) -> NoReturn:
    """Skip the test because this machine lacks something it needs; fail it where CI is set.

    Skips are counted by what is before the first colon of the reason; details follow it.
    """
    import pytest  # here, since programs that run as another user import this module without it

    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def count_skips(reasons: Iterable[str]) -> str:
    """Return one line that counts skipped tests by reason."""
    counted = Counter(reason.removeprefix("Skipped: ").partition(":")[0] for reason in reasons)
    return f"{counted.total()} skipped: " + ", ".join(f"{count} {reason}" for reason, count in counted.most_common())


def need_tool(name: str) -> str:
    """Return the path of a program; skip the test, or fail it, if it is not installed."""
    return shutil.which(name) or missing(f"{name} is not installed")


def refusal(call: Callable[[], object]) -> str:
    """Return the one line with which a mistake of the user is refused."""
    import pytest

    from arbiter.errors import UserError

    with pytest.raises(UserError) as refused:
        call()
    said = str(refused.value)
    assert "\n" not in said
    return said

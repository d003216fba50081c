"""Both users, each with a player that stays for the whole run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.register_assert_rewrite("tests.agents.containment.checks")

from .users import Players, User  # noqa: E402 - asserts are to speak for themselves

Asked = Callable[[str], Players]


@pytest.fixture(scope="session")
def players() -> Iterator[Asked]:
    """The player of a user, started when first asked for."""
    known: dict[str, Players] = {}

    def of(name: str) -> Players:
        if name not in known:
            known[name] = Players(User(name))
        return known[name]

    yield of
    for each in known.values():
        each.close()
        each.user.close()

"""Both users, each with a player for the whole session."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.register_assert_rewrite("tests.agents.containment.checks")

from .users import Players, User  # noqa: E402 - after registering, so that its asserts are rewritten

Asked = Callable[[str], Players]


@pytest.fixture(scope="session")
def players() -> Iterator[Asked]:
    """Return the player of a user, started on first use."""
    known: dict[str, Players] = {}

    def of(name: str) -> Players:
        if name not in known:
            known[name] = Players(User(name))
        return known[name]

    yield of
    for each in known.values():
        each.close()
        each.user.close()

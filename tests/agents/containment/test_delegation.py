"""A cgroup that was delegated to an ordinary user gives that user the level ``cgroup``; without one there is no such level."""

from __future__ import annotations

import re
import subprocess

import pytest

from .conftest import Asked
from .delegation import Delegation
from .users import UID

pytestmark = pytest.mark.slow

TRY = "from arbiter.agents.sandbox import trial; print(trial.try_all()['cgroup'] or 'works')"


@pytest.mark.parametrize("session", [True, False], ids=["in a session", "in a scope"])
def test_the_level_works_in_a_delegated_cgroup(session: bool, players: Asked) -> None:
    delegation = Delegation(UID, session=session)
    try:
        assert tried(players, delegation) == "works\n"
        # Alone in its cgroup, it has moved itself to one below, which it cannot remove.
        assert [path for path in delegation.left() if session or not re.fullmatch(r".*/arbiter-\d+", path)] == []
    finally:
        delegation.close()


def test_an_ordinary_user_without_one_does_not_get_the_level(players: Asked) -> None:
    assert "needs root or a delegated cgroup" in tried(players, None)


def tried(players: Asked, delegation: Delegation | None) -> str:
    user = players("ordinary").user
    words = user.python("-c", TRY)
    done = subprocess.run(
        delegation.command(*words) if delegation else words,
        cwd=user.folder, env=user.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout

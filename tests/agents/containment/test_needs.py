"""What agents legitimately need works at every level, in every language, for every user."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arbiter.config.workspace import Workspace
from tests.agents.built import built

from .checks import check
from .conftest import Asked
from .legitimate import COMPILED, ROWS
from .rows import Row
from .seating import BUILT, SOURCES

pytestmark = pytest.mark.slow

CASES = [pytest.param(row, level, user, id=f"{row.name}-{level}-{user}") for row in ROWS for level, user in row.pairs]


@pytest.mark.parametrize(("row", "level", "user"), CASES)
def test_an_agent_can_do_what_it_needs(row: Row, level: str, user: str, players: Asked) -> None:
    player = players(user)
    if Path(row.agent).suffix[1:] in COMPILED:
        build(row, player.user.folder / BUILT)
    check(row, level, user, player.observe(row, level))


def build(row: Row, folder: Path) -> None:
    """Compile it here: the ordinary user may not have root's compiler."""
    folder.mkdir(exist_ok=True)
    if not (folder / row.name).exists():
        source = SOURCES[row.source] / row.agent
        (program,) = built(str(source), None, Workspace(folder)).command
        shutil.copy(program, folder / row.name)

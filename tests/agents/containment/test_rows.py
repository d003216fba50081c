"""Every row of the table at every level of the sandbox, as root and as an ordinary user."""

from __future__ import annotations

import pytest

from tests.tools import missing

from .checks import check
from .conftest import Asked
from .play import BY_NAME
from .rows import AFTERWARDS, ENFORCED, LEVELS, PAIRS, ROWS, Row
from .seating import HELPER, PREPARED, SOURCES

CASES = [
    pytest.param(row, level, user, id=f"{row.name}-{level}-{user}")
    for level, user in PAIRS
    for row in ROWS
    if level in row.levels
]


@pytest.mark.parametrize(("row", "level", "user"), CASES)
def test_what_is_promised_comes_of_it(row: Row, level: str, user: str, players: Asked) -> None:
    player = players(user)
    if row.number == 40 and not (player.user.folder / PREPARED).exists():
        missing("only root can make a program that is set-uid")
    check(row, level, user, player.came(row, level))


@pytest.mark.parametrize(("level", "user"), PAIRS)
def test_the_record_says_what_was_enforced_and_nothing_more(level: str, user: str, players: Asked) -> None:
    came = players(user).came(BY_NAME["05-silent"], level)
    if came.refused:
        missing(f"level {level} for {user}: {came.refused}")
    reached = LEVELS[: LEVELS.index(level) + 1]
    assert came.sandbox == level
    assert set(came.enforced) == set(ENFORCED)
    assert {name for name, word in came.enforced.items() if word == "yes"} == {
        name for name, since in ENFORCED.items() if since in reached
    }


def test_every_agent_of_the_folder_is_in_the_table_and_says_what_it_does() -> None:
    agents = SOURCES["agents"]
    used = {name for row in ROWS if row.source == "agents" for name in (row.agent, row.host)}
    used |= {"15_at_the_deadline.py", "49_outlives.py"}
    assert used | {HELPER.name} == {path.name for path in agents.iterdir() if path.is_file()}
    for name in used:
        assert (agents / name).read_text(encoding="utf-8").startswith(("# ", "// ")), name


def test_a_row_names_nothing_that_does_not_exist() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.lowest in LEVELS
        assert set(row.after) <= set(AFTERWARDS)
        for ladder in (row.verdict, *row.saw.values(), *row.after.values()):
            assert set(ladder.steps) <= set(LEVELS)

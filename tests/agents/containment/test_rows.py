"""Every row of the table at every level of the sandbox, as root and as an ordinary user where that can make a difference; those
about cgroups also as an ordinary user to whom a cgroup was delegated."""

from __future__ import annotations

import pytest

from tests.tools import missing

from .checks import check
from .conftest import Asked
from .play import BY_NAME
from .rows import AFTERWARDS, DELEGATED, ENFORCED, LEVELS, PAIRS, ROWS, Row
from .seating import HELPER, PREPARED, SOURCES

pytestmark = pytest.mark.slow

CASES = [pytest.param(row, level, user, id=f"{row.name}-{level}-{user}") for row in ROWS for level, user in row.pairs]


@pytest.mark.parametrize(("row", "level", "user"), CASES)
def test_a_hostile_agent_gets_what_is_promised(row: Row, level: str, user: str, players: Asked) -> None:
    player = players(user)
    if row.number == 40 and not (player.user.folder / PREPARED).exists():
        missing("running as root: making a set-uid program")
    check(row, level, user, player.observe(row, level))


@pytest.mark.parametrize("row", [row for row in ROWS if row.number in DELEGATED], ids=lambda row: row.name)
def test_a_delegated_cgroup_holds_what_is_promised(row: Row, players: Asked) -> None:
    player = players("delegated")
    check(row, "cgroup", "delegated", player.observe(row, "cgroup"))
    assert player.user.cgroups_left() == []


@pytest.mark.parametrize(("level", "user"), [*PAIRS, ("cgroup", "delegated")])
def test_the_record_lists_exactly_what_was_enforced(level: str, user: str, players: Asked) -> None:
    observed = players(user).observe(BY_NAME["05-silent"], level)
    if observed.refused:
        missing(f"sandbox level {level}: {user}: {observed.refused}")
    reached = LEVELS[: LEVELS.index(level) + 1]
    assert observed.sandbox == level
    assert set(observed.enforced) == set(ENFORCED)
    assert {name for name, word in observed.enforced.items() if word == "yes"} == {
        name for name, since in ENFORCED.items() if since in reached
    }


def test_every_agent_in_the_folder_is_in_the_table_and_describes_itself() -> None:
    agents = SOURCES["agents"]
    used = {name for row in ROWS if row.source == "agents" for name in (row.agent, row.host)}
    used |= {"15_at_the_deadline.py", "49_outlives.py"}
    assert used | {HELPER.name} == {path.name for path in agents.iterdir() if path.is_file()}
    for name in used:
        assert (agents / name).read_text(encoding="utf-8").startswith(("# ", "// ")), name


def test_rows_refer_to_existing_levels_and_checks() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.lowest in LEVELS
        assert set(row.after) <= set(AFTERWARDS)
        for ladder in (row.verdict, *row.saw.values(), *row.after.values()):
            assert set(ladder.steps) <= set(LEVELS)

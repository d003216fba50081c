"""``--keep-files`` keeps what agents wrote to their own folders, at every sandbox level."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arbiter
from arbiter.agents.sandbox.levels import LEVELS
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import run_contest
from arbiter.errors import UserError
from tests.nullgame.place import write
from tests.tools import missing

pytestmark = pytest.mark.slow

WRITES = "read -r seat\nread -r state\necho $state >> log.txt\nln -sf /etc/passwd stolen\necho {}\n"


@pytest.mark.parametrize("level", LEVELS)
def test_files_are_kept_at_every_level(place: Path, level: str) -> None:
    try:
        choose_sandbox(level)
    except UserError as error:
        missing(f"sandbox level {level}: {error}")
    one = str(write(place / "one" / "bot.sh", WRITES.format(1)))
    two = str(write(place / "two" / "bot.sh", WRITES.format(2)))
    report = arbiter.play(
        "count_up", [f"a!b={one}", two], games=2, seed=1, sandbox=level, keep_files="kept", options={"turns": 2}
    )
    for game, turned in zip(report.games, ("a!b", "bot"), strict=True):
        folder = place / "kept" / Path(game.record).stem
        first = f"0-{turned.replace('!', '%21')}"
        assert (folder / first / "log.txt").read_text().count("\n") >= 1
        listed = json.loads((folder / f"{first}.json").read_text())
        assert listed["files"] >= 1
        assert not list(folder.rglob("stolen"))
        assert not list(folder.rglob("bot.sh")) or level == "none"


def test_a_contest_keeps_them_game_by_game(place: Path) -> None:
    agents = [str(write(place / name / f"{name}.sh", WRITES.format(1))) for name in ("one", "two")]
    lines = f"protocol: count_up\nagents: {json.dumps(agents)}\nkeep_files: kept\noptions: {{turns: 2}}\n"
    file = write(place / "cup.yaml", f"{lines}schedule: {{kind: round_robin, games: 2}}\n")
    run_contest(load_contest(file))
    assert len(list((place / "kept").glob("*/*/log.txt"))) == 4


def test_a_folder_that_cannot_be_made_is_one_line(place: Path) -> None:
    write(place / "file", "")
    with pytest.raises(UserError, match=r"cannot be kept in 'file/kept': Not a directory"):
        arbiter.play("count_up", ["true", "true"], keep_files="file/kept")

"""An agent replaces a file that it ships, in its own copy of its folder, at every sandbox level."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.records.reader import find_records, load_record
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import missing

pytestmark = pytest.mark.slow

BOT = """
import os, sys
sys.stdin.read()
count = int(open("count.txt").read())
with open("new.txt", "w") as new:
    new.write(str(count + 1))
os.replace("new.txt", "count.txt")
print(f"kibitz {count}", file=sys.stderr)
print("1 0")
"""


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "none"])
def test_a_shipped_file_can_be_replaced_and_is_not_changed_itself(place: Path, level: str) -> None:
    (place / "bot").mkdir()
    write(place / "bot" / "agent.yaml", "name: counter\nrun: python3 bot.py\n")
    write(place / "bot" / "bot.py", BOT)
    write(place / "bot" / "count.txt", "7")
    words = ["play", "splendor", "./bot", "-n", "2", "-o", "max_rounds=2", "-q", "--save", "saved"]
    played = arbiter(*words, "--sandbox", f"only:{level}")
    if played.code == 2 and "sandbox" in played.err:
        missing(f"sandbox level {level}: {played.err}")
    assert played.code == 0, played.err
    games = sorted(
        (load_record(path) for path in find_records([place / "saved"])), key=lambda record: record.header.started
    )
    assert [line.kibitz for record in games for line in record.answers] == [["7"], ["8"], ["9"], ["10"]]
    assert (place / "bot" / "count.txt").read_text() == "7"

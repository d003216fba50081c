"""The line on what the sandbox cannot enforce: once, on standard error, and not with --quiet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import bidder

pytestmark = pytest.mark.slow

LINE = "sandbox: rlimits (as requested). Agents can read and write your files"
COMMANDS = ["play auction", "match auction -n 2", "tournament auction --games 2"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("quiet", "times"), [("--no-ponder", 1), ("--quiet", 0)])
def test_it_is_printed_once(place: Path, command: str, quiet: str, times: int) -> None:
    bots = [bidder(place, "five", 5), bidder(place, "six", 6)]
    ran = arbiter(*command.split(), *bots, "--sandbox", "only:rlimits", quiet)
    assert ran.code == 0
    assert (ran.out.count("sandbox: rlimits"), ran.err.count(LINE)) == (0, times)


@pytest.mark.parametrize("command", ["play auction five.sh six.sh", "check auction five.sh --games 1"])
def test_it_is_wrapped_in_a_terminal(place: Path, command: str) -> None:
    bidder(place, "five", 5), bidder(place, "six", 6)
    lines = at_a_terminal(60, *command.split(), "--sandbox", "only:rlimits", folder=place)
    start = next(index for index, line in enumerate(lines) if line.startswith("sandbox: rlimits"))
    assert " ".join(line.strip() for line in lines[start : start + 3]).startswith(LINE)
    assert all(len(line) <= 60 for line in lines[start : start + 4])


def test_a_document_keeps_it(place: Path) -> None:
    bots = [bidder(place, "five", 5), bidder(place, "six", 6)]
    ran = arbiter("match", "auction", *bots, "-n", "2", "--sandbox", "only:rlimits", "--json", "-q")
    assert [note.startswith(LINE) for note in ran.document["notes"]].count(True) == 1
    assert ran.err == ""

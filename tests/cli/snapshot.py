"""What each command prints in a terminal of 80 columns. ``python -m tests.cli.snapshot`` writes snapshots/ again.

Every case runs in a fresh copy of one folder, in colour. What differs from run to run is masked: times, dates, and the paths
of this machine. Times make tables wider and narrower, so spaces are squeezed in cases that show any.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import click

from tests.cli.terminal import Printed, print_at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import BIDS, adder, arbiter_toml, bidder, write
from tests.records import games
from tests.tools import ROOT

HERE = Path(__file__).with_name("snapshots")
COLUMNS = 80


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a command."""

    words: str
    code: int = 0
    timed: bool = False
    """Whether the output has a table whose columns are as wide as the times in it. A digit more or less must not decide
    whether the table fits."""
    fits: bool = True
    """Whether no line is wider than the terminal."""

    def too_wide(self, printed: Printed) -> list[str]:
        """Return the lines that are wider than the terminal, but for those that are there to be copied."""
        return [line for line in printed.out.splitlines() if columns(line) > COLUMNS and not _COPIED.match(line)]


CASES = {
    "annul": Case("annul games/cup#2 --because 'a test'"),
    "check": Case("check count_up one.sh --games 1", timed=True),
    "check-fails": Case("check count_up wrong.sh --games 1", 1, timed=True),
    "games": Case("games shelf"),
    "games-kibitz": Case("games shelf --kibitz grüße"),
    "games-nothing": Case("games shelf --agent nobody"),
    "help": Case("--help"),
    "help-all": Case("--help-all"),
    "help-play": Case("play --help"),
    "inputs": Case("show shelf/sold.jsonl --inputs --seat 1"),
    "match": Case("match auction lucky-5=five.sh six.sh -n 4 -q --seed 1", timed=True),
    "new": Case("new rails python mine"),
    "play": Case("play auction five.sh six.sh --seed 1 -o rounds=2", timed=True),
    "play-explain": Case("play count_up one.sh 'my bot' --explain --move 2s"),
    "play-faults": Case("play count_up one.sh wrong.sh --seed 1 -o turns=4", timed=True),
    "play-quiet": Case("play auction five.sh six.sh --seed 1 -n 3 -q", timed=True),
    "play-several": Case("play auction five.sh six.sh --seed 1 -n 2", timed=True),
    "play-verbose": Case("play auction five.sh six.sh --seed 1 -o rounds=2 -v", timed=True),
    "protocols": Case("protocols"),
    "protocols-one": Case("protocols count_up"),
    "run": Case("run cup.yaml -q --save other", timed=True),
    "rerun": Case("rerun shelf/counted.jsonl one.sh --seat 0 --sandbox none", timed=True),
    "rerun-folder": Case("rerun shelf one.sh --seat 0 --sandbox none", timed=True),
    "rerun-turn": Case("rerun shelf/counted.jsonl one.sh --seat 0 --turn 1 --sandbox none", timed=True),
    "show": Case("show shelf/counted.jsonl --all"),
    "show-faults": Case("show shelf/counted.jsonl --faults"),
    "show-turn": Case("show shelf/sold.jsonl --turn 2"),
    "standings-follow": Case("standings games/cup --follow", timed=True),
    "stats": Case("games shelf --stats", timed=True),
    "stats-position": Case("games shelf --position shelf/counted.jsonl:2"),
    "standings": Case("standings games/cup", timed=True),
    "tournament": Case("tournament auction five.sh six.sh lucky-7=seven.sh -n 2 -q --seed 1", timed=True),
    "tune": Case("tune tune.yaml -q --save other"),
    "why": Case("why shelf/counted.jsonl", timed=True),
    "verify": Case("verify shelf", 1),
    "version": Case("--version"),
}
_MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?"), "2026-01-01 00:00"),
    (re.compile(r"\d{8}-\d{6}"), "20260101-000000"),
    (re.compile(r"version \d+\.\d+\.\d+\S*"), "version X"),
    (re.compile(r"\S*/(?=sh\b)"), "/bin/"),
]
_COPIED = re.compile(r"(saved|look|faults|guide for agent authors:) +\S|  (runs|in) +/| +(input|try|or) +\S")
_TIME = re.compile(r"\b\d+(\.\d+)?(µs|ms|s)\b")


def columns(line: str) -> int:
    """Return the columns that a line takes in a terminal."""
    plain = [letter for letter in click.unstyle(line) if not unicodedata.combining(letter)]
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in plain)


def prepare(folder: Path) -> None:
    """Make the folder that commands run in: agents, saved games and a contest."""
    arbiter_toml(
        folder,
        "[protocols.count_up.agents]\none = { agent = 'one.sh', about = 'adds one' }\n"
        "gone = { agent = 'gone.sh', about = 'does not exist any more, and is described at some length here' }\n",
    )
    for name, number in (("one", 1), ("wrong", "nonsense")):
        adder(folder, name, number)
    for bid, name in enumerate(("five", "six", "seven"), 5):
        bidder(folder, name, bid)
    write(folder / "my bot" / "agent.yaml", "name: My Bot\nrun: sh bot.sh\nlimits: {memory: 64MB, move: 1h}\n")
    write(folder / "my bot" / "bot.sh", "read -r seat\nread -r state\necho 2\n")
    write(
        folder / "cup.yaml",
        "protocol: auction\nagents: [five.sh, six.sh]\nschedule: {kind: swiss, rounds: 2, seed: 1}\n",
    )
    write(folder / "bid.sh", BIDS.format("$1"))
    write(
        folder / "tune.yaml",
        "protocol: auction\nagent: sh bid.sh {bid}\nparameters:\n  bid: {type: int, low: 0, high: 9, default: 2}\n"
        "field: [five.sh]\ncandidates: 9\nconfirm: 20\nseed: 1\n",
    )
    shelf = folder / "shelf"
    shelf.mkdir()
    counted, _ = games.counting(shelf / "counted.jsonl"), games.bidding(shelf / "sold.jsonl")
    games.tampered(counted, shelf / "changed.jsonl", lambda lines: lines[-1].update(ranks=[1, 2]))
    words = "match auction lucky-5=five.sh six.sh -n 4 -q --seed 1 --name cup --save games"
    assert arbiter(*words.split(), folder=folder).code == 0


def run_case(prepared: Path, name: str, *, colour: bool) -> Printed:
    """Run a case in a copy of the prepared folder."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "here"
        shutil.copytree(prepared, folder)
        color = "always" if colour else "never"
        words = [*shlex.split(CASES[name].words), "--color", color]
        return masked(print_at_a_terminal(COLUMNS, *words, folder=folder, code=CASES[name].code), folder)


def masked(printed: Printed, folder: Path) -> Printed:
    """Replace what differs from run to run."""
    return Printed(_masked(printed.out, folder), _masked(printed.err, folder))


def _masked(text: str, folder: Path) -> str:
    for path, word in (
        (f"{shlex.quote(sys.executable)} -m arbiter", "arbiter"),
        (str(folder), "FOLDER"),
        (str(ROOT), "CHECKOUT"),
    ):
        text = text.replace(path, word)
    text = re.sub(r"'((FOLDER|CHECKOUT)[^'\s]*)'", r"\1", text)  # a path with blanks is quoted for the shell
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text


def shown(printed: Printed, case: Case) -> str:
    """Return the text of a snapshot; escape characters are written as ``␛``."""
    text = printed.out + (f"\n── standard error ──\n{printed.err}" if printed.err else "")
    if case.timed:
        text = re.sub(r"-{2,}", "--", re.sub(r" {2,}", "  ", _TIME.sub("TIME", text)))
    return "".join(f"{line.rstrip()}\n" for line in text.replace("\x1b", "␛").splitlines())


def main() -> None:
    """Write all snapshots."""
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    with tempfile.TemporaryDirectory() as temporary:
        prepare(Path(temporary))
        for name, case in CASES.items():
            text = shown(run_case(Path(temporary), name, colour=True), case)
            (HERE / f"{name}.colour.txt").write_text(text, encoding="utf-8")
    print(f"wrote {len(list(HERE.glob('*.txt')))} files to {HERE}")


if __name__ == "__main__":
    main()

"""Wrong values of options, wrong files and edited records: one line that quotes the value and says what would do.

All of them are found before an agent is started, so they run in this process.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from arbiter.cli import _worded, cli
from arbiter.errors import UserError
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, bidder, write

LONG = "long" * 64
NUMBER = "must be a whole number, at least"
DURATION = "must be a duration such as 10s, 50ms or 2m"
SIZE = "must be a size such as 64KB, 256MB or 2GB"
PLAY = {
    "--games 1.5": f"'1.5': {NUMBER} 1",
    "--games ten": f"'ten': {NUMBER} 1",
    "--seed -1": f"'-1': {NUMBER} 0",
    "--seed 1e5": f"'1e5': {NUMBER} 0",
    "-o turns": "option 'turns': must be NAME=VALUE",
    "-o =5": "option '=5': must be NAME=VALUE",
    "-o turns=": "option turns=: must be a whole number",
    "-o turns=-1": "option turns=-1: must be at least 1",
    "-o turns=@nowhere": "option file 'nowhere': No such file or directory",
    "-o turns=@.": "option file '.': Is a directory",
    "-o trns=3": "unknown count_up option 'trns'; did you mean 'turns'?",
    "-l move": "limit 'move': must be NAME=VALUE",
    "-l move=": f"limit move '': {DURATION}",
    "-l mve=1s": "unknown limit 'mve'; did you mean 'move'?",
    "--move 0": f"limit move '0': {DURATION}",
    "--move -1s": f"limit move '-1s': {DURATION}",
    "--move 1e400s": f"limit move '1e400s': {DURATION}",
    "--move 1s -l move=2s": "--move 1s and --limit move=2s contradict each other; give one of them",
    "-l first_move=x": f"limit first_move 'x': {DURATION}",
    "--total -5": f"limit total '-5': {DURATION}",
    "-l increment=1s": "command line: limit increment 1s needs the limit 'total' as well; set both",
    "-l grace=2": "command line: limit grace 2 needs the limit 'margin' as well; set both",
    "-l margin=20ms": "command line: limit margin 20ms needs the limit 'grace' as well; set both",
    "-l grace=x": f"limit grace 'x': {NUMBER} 1",
    "-l output=0": f"limit output '0': {SIZE}",
    "-l stderr=lots": f"limit stderr 'lots': {SIZE}",
    "--memory 1KB": "limit memory '1KB': must be at least 1MB: no program can start in less",
    "-l disk=-1": f"limit disk '-1': {SIZE}",
    "-l files=x": f"limit files 'x': {NUMBER} 1",
    "-l processes=1.5": f"limit processes '1.5': {NUMBER} 1",
    "-l record=0": f"limit record '0': {SIZE}",
    "-l build=never": f"limit build 'never': {DURATION}",
    "--lifetime forever": "unknown lifetime 'forever'; choose from move, game",
    "--clock fir": "unknown clock 'fir'; did you mean 'fair'?",
    "--sandbox strong": "unknown sandbox 'strong'; choose from auto, none",
    "--time-factor 0": "time factor 0: must be a number above 0, such as 3",
    "--time-factor 1e300": "time factor 1e+300: must be below 1000000",
    "--time-factor x": "Invalid value for '--time-factor': 'x': must be a number, such as 3 or 0.5",
    "--log some": "unknown log 'some'; choose from tail, all, faults, none",
    "--keep-files one.sh": "files of agents cannot be kept in 'one.sh': File exists",
    "--setup nowhere": "no such saved game 'nowhere'; name a file or folder, last, or CONTEST#37",
    "--setup .": ". is not a file but a folder",
    "--setup one.sh": "one.sh does not contain the header of a saved game",
    "--save one.sh": "Invalid value for '--save': Directory 'one.sh' is a file.",
    "--save /proc/x": "cannot save games in /proc/x: No such file or directory; choose another folder with --save",
    "--save /dev/null": "cannot save games in /dev/null: it is not a folder; choose another folder with --save",
    "--referee nowhere": "referee 'nowhere': no program 'nowhere' on PATH; write ./nowhere for one in this folder",
    "--port 99999": "Invalid value for '--port': '99999': must be a whole number from 0 to 65535",
    "--port x": "Invalid value for '--port': 'x': must be a whole number from 0 to 65535",
    "--port 80": "--port is for remote agents: give 'remote:TEAM' as one of the agents, or leave it out",
    "--host ::1": "--host is for remote agents: give 'remote:TEAM' as one of the agents, or leave it out",
    "--join-time soon": f"--join-time 'soon': {DURATION}",
    "--allowance soon": f"--allowance 'soon': {DURATION}",
    "--browser": "--browser is for people: give 'human' as one of the agents, or use --watch to look on",
    "--fail": "No such option '--fail'.",
    "--option": "Option '--option' requires an argument.",
}
OTHERS = {
    "match auction five.sh six.sh --games -2": f"Invalid value for '--games' / '-n': '-2': {NUMBER} 1",
    "match auction five.sh six.sh --until soon": "until 'soon': must be better(A,B), precision(20)",
    "match auction five.sh six.sh --until games(0)": "until 'games(0)': games '0': must be a whole number, at least 1",
    "match auction five.sh six.sh --workers 0": f"Invalid value for '--workers' / '-w': '0': {NUMBER} 1",
    "match auction five.sh six.sh --name ../up": "name '../up': must be a folder name: printable, without a slash",
    "standings . --json -f html": "--json and --format html cannot be combined; choose one",
    "standings . --follow --json": "--follow shows the standings in this terminal; it cannot be combined with other options",
    "standings . --pages": "--pages is for --format html --output FILE",
    "match auction five.sh six.sh --tls .": "--tls is for --cluster",
    "match auction five.sh human": "'human' cannot play in a contest, which runs unattended; see 'arbiter play'",
    "match auction five.sh remote:Alpha": "'remote:Alpha' plays over the network: 'arbiter play' and 'arbiter arena'",
    "match auction five.sh x=remote:Alpha": "'remote:Alpha' plays over the network: 'arbiter play' and 'arbiter arena'",
    "tournament auction five.sh": "a table of 2 needs at least 2 agents, and there are 1",
    "tournament auction five.sh six.sh --set games=3": "round_robin: games 3: must be a multiple of 2",
    "tournament auction five.sh six.sh --kind season": "season: season: must have at least one round",
    "tournament auction five.sh six.sh --seats 9": "seats 9: must be a whole number from 2 to 3",
    "run .": ". is a folder without contest.yaml: name a match file, or the folder of a contest",
    "run one.sh": "one.sh: must consist of 'name: value' lines",
    "run fifo": "fifo is not a file but a named pipe",
    "run socket": "socket is not a file but a socket",
    "tune fifo": "fifo is not a file but a named pipe",
    "tune .": ". is not a file but a folder",
    "show socket": "socket is not a file but a socket",
    "run cut.yaml": "cut.yaml, line 3: not YAML: expected ',' or ']', but got the end of the file",
    "annul 1 --because x": "'.' is not the folder of a contest: it has no contest.yaml",
    "annul x --because y": "no such saved game 'x'; name a file or folder, last, or CONTEST#37",
    "annul one.sh --because y": "'one.sh' is no game of a contest; name one as CONTEST#37",
    "show 37": "no game 37 in ",
    "show .#37": "no game 37 in ",
    "show last": "last: there are 0 saved games in matches/games",
    "why nowhere#1": "no such saved game 'nowhere'; name a file or folder, last, or CONTEST#37",
    "show one.sh --lost one": "--lost: 'one.sh' is one game; give a folder",
    "rerun . --lost one": "no saved game in '.' that 'one' lost",
    "show one.sh --up-to 3": "one.sh",
    "export one.sh game.pdf": "'game.pdf': unknown format; end its name in .html, .json, .csv, .svg, .gif, or give --format",
    "play count_up open": "agent.yaml, line 2: not YAML: expected a value, but found the end of the file",
    "play count_up 'python3 nosuch.py'": "python3 nosuch.py: no such file 'nosuch.py'",
    "play count_up latin": "agent.yaml: not a text file in UTF-8",
    "play count_up fifo": "'fifo' is neither a file nor a folder, but a device, a pipe or a socket",
    "play count_up loop": "'loop' is a link that leads nowhere",
    "show /dev/zero": "/dev/zero is not a file but a device",
    f"play count_up {LONG}/bot.py": f"'{LONG}/bot.py': File name too long",
    f"play count_up one.sh --save {LONG}": f"{LONG}: File name too long",
    f"standings {LONG}": f"{LONG}: File name too long",
    f"run {LONG}": f"{LONG}: File name too long",
    "play count_up one.sh --save loop": "cannot save games in loop: it is not a folder; choose another folder with --save",
    "match auction five.sh six.sh --save loop": "loop/auction-five-six: Too many levels of symbolic links",
    "show loop": "loop: Too many levels of symbolic links",
    "games . --since tomorrow": "--since 'tomorrow': must be a day such as 2026-11-01",
    "view . --port x": "Invalid value for '--port': 'x': must be a whole number from 0 to 65535",
    "verify nowhere": "no such saved game 'nowhere'",
    "archive prune . --drop moves": "Invalid value for '--drop': 'moves'; did you mean 'times'?",
    "check count_up human": "'human' is not a program that can be asked here; give another AGENT",
    "check count_up remote:Alpha": "'remote:Alpha' is not a program that can be asked here; give another AGENT",
    "play count_up tuned:": "'tuned:': must be tuned:FILE:NAME=VALUE,… with the name of a tuning file",
    "check count_up one.sh --positions -1": f"Invalid value for '--positions': '-1': {NUMBER} 0",
    "new game two-words": "the name 'two-words' must be lower-case letters, digits and single underscores; write two_words",
    "protocols nothing": "unknown protocol 'nothing'; choose from auction, count_up",
    "--completion BASH": "Invalid value for '--completion': 'BASH'; choose from bash, zsh, fish",
}
EMPTY = (
    "play count_up one.sh --save", "play count_up one.sh --clock", "play count_up one.sh --games", "games . --before",
    "match auction five.sh six.sh --until", "match auction five.sh six.sh --name", "standings x --output",
    "annul 1 --because", "show x --find", "show x --turn", "export x y --format", "arena --title", "standings x --format",
)  # fmt: skip


def mistake(words: list[str]) -> str:
    """Run a command in this process; return the one line that it is answered with."""
    with pytest.raises((UserError, click.ClickException)) as raised:
        cli.main(words, prog_name="arbiter", standalone_mode=False)
    error = raised.value
    if isinstance(error, UserError):
        text = error.located()
    else:
        assert isinstance(error, click.ClickException)
        text = _worded(error)
    assert "\n" not in text
    return text


@pytest.fixture
def here(place: Path) -> Path:
    """The folder that commands run in: agents, and files that are wrong in some way."""
    adder(place, "one", 1)
    for bid, name in ((5, "five"), (6, "six")):
        bidder(place, name, bid)
    write(place / "cut.yaml", "protocol: auction\nagents: [five.sh\n")
    write(place / "open" / "agent.yaml", "run: [\n")
    write(place / "latin" / "agent.yaml", "").write_bytes(b"run: b\xf6t\n")
    os.mkfifo(place / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")  # relative: the path of a socket has at most 107 bytes
    (place / "loop").symlink_to("loop")
    return place


@pytest.mark.parametrize("option", PLAY)
def test_options_of_play(here: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert PLAY[option] in mistake(["play", "count_up", "one.sh", *shlex.split(option)])
    assert capsys.readouterr() == ("", ""), "nothing is printed before the mistake is found"


@pytest.mark.parametrize("words", OTHERS)
def test_other_commands(here: Path, words: str) -> None:
    assert OTHERS[words] in mistake(shlex.split(words))


@pytest.mark.parametrize("words", EMPTY)
@pytest.mark.parametrize("how", ["", " ", "="])
def test_no_option_takes_an_empty_value_for_none(here: Path, words: str, how: str) -> None:
    *before, flag = shlex.split(words)
    given = [f"{flag}="] if how == "=" else [flag, how]
    message = mistake([*before, *given])
    assert message.startswith(f"Invalid value for '{flag}': {'' if how == '=' else how!r}: must not be empty")
    assert message.endswith(f"  (try 'arbiter {before[0]} --help')")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--save", "cannot save games in there: Permission denied; choose another folder with --save"),
        ("--keep-files", "files of agents cannot be kept in 'there': Permission denied"),
    ],
)
def test_a_folder_that_may_not_be_written_to_is_found_before_the_game(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, option: str, said: str
) -> None:
    (here / "there").mkdir()
    _only_readable(monkeypatch, "there")
    assert mistake(["play", "count_up", "one.sh", option, "there"]) == said
    assert capsys.readouterr().out == ""
    assert not list(here.rglob("*.jsonl"))


def test_a_report_that_cannot_be_written_is_found_before_the_check(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "there").mkdir()
    _only_readable(monkeypatch, "there")
    said = mistake(["check", "count_up", "one.sh", "--junit", "there/x.xml"])
    assert said == "--junit 'there/x.xml': cannot be written; choose another file"


def _only_readable(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Root may write everywhere, so refuse it here."""
    access = os.access

    def refuse(path: str | Path, mode: int, **more: bool) -> bool:
        return not (Path(path).name == name and mode & os.W_OK) and access(path, mode, **more)

    monkeypatch.setattr(os, "access", refuse)


def test_an_option_without_its_value_names_the_help_of_the_command() -> None:
    ran = arbiter("play", "count_up", "one.sh", "--option")
    assert ran.err == "arbiter: Option '--option' requires an argument.  (try 'arbiter play --help')\n"


EDITED: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "move": (lambda lines: lines[1].update(move="zzz"), "turn 1 cannot be replayed: the rules cannot apply 'zzz'"),
    "line": (lambda lines: lines.pop(3), "found turn 4 where turn 3 was expected: a line is missing or out of order"),
    "setup": (lambda lines: lines[0].update(setup={"x": 1}), "invalid setup: write the numbers 'start' and 'first'"),
    "option": (lambda lines: lines[0].update(options={"turns": "x"}), "option turns=x: must be a whole number"),
    "outcome": (lambda lines: lines[1].update(chance=[99]), "the recorded outcome 99 is not below 6"),
}


@pytest.mark.parametrize("command", ["show --all", "show --inputs", "export - --format csv", "why"])
@pytest.mark.parametrize("edited", EDITED)
def test_an_edited_record_is_named_with_what_is_wrong_with_it(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, edited: str
) -> None:
    change, message = EDITED[edited]
    lines = [json.loads(line) for line in (shelf / "counted.jsonl").read_text().splitlines()]
    change(lines)
    bad = write(tmp_path / "bad.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(shelf)
    name, *rest = command.split()
    said = mistake([name, str(bad), *rest])
    assert said.startswith(f"{bad}: ")
    assert message in said

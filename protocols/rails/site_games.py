"""Games recorded on the contest site.

Three kinds of files are read. One is an object with ``init0``, the lines that seat 0 reads before the first turn; ``turns``, each with
``out``, the answers of both seats, and ``stop``, the cell at which an AUTOPLACE ran out of paint, or null; and ``scores``. ``names``
may be added.

The second is the trace of the community's local arena, into which it converts the site's replays: ``setup``, the same lines as
``init0``; ``players``, the names; ``turns``, each with ``output``, the answers of both seats, and ``isOutputTurn``, whether they were
asked; ``scores``, the points before any verdict; and ``disqualified``, for each seat. Everything else is ignored.

The third is the replay of the site itself (:mod:`arbiter.game.site_replay`), which has no map. It is taken from ``init0``, which may
be added to the object, or from the standard error of an agent that prints all its input there.

The site plays with an ink threshold of 4, which the files do not state; ``ink_threshold`` may be added as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from arbiter.game import BadSetup, ExternalGame, ExternalGameFormat, ExternalMove, quoted
from arbiter.game.site_replay import has_keys, is_site_replay, json_object, read_site_replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from arbiter.game import Game, Json
    from arbiter.game.site_replay import SiteAnswer

_KEYS: Final = ("init0", "turns", "scores")
_TRACE_KEYS: Final = ("setup", "turns")
_SITE_INK_THRESHOLD: Final = 4
_SEATS: Final = 2
_DISQUALIFIED: Final = "disqualified in the game that was imported"
_MOST: Final = 100
"""Columns and rows, at most; more than any map has."""
_ORDER: Final = re.compile(r"\s*(?:PLACE_TRACKS|AUTOPLACE|DISRUPT|MESSAGE|WAIT)\b")
_OUTPUT: Final = re.compile(r'"output"\s*:\s*\[\s*(?:""\s*,\s*)?"' + _ORDER.pattern)
"""The first answer in a trace; the arena writes traces of other games in the same form."""


class SiteFormat(ExternalGameFormat):
    """Reads all kinds of files, and writes the first one."""

    def recognises(self, text: str) -> bool:
        return has_keys(text, _KEYS) or _is_trace(text) or is_site_replay(text, _ORDER)

    def read(self, text: str) -> ExternalGame:
        if is_site_replay(text, _ORDER):
            return _read_replay(text)
        return _read_trace(text) if _is_trace(text) else _read_turns(text)

    def write(self, game: Game, saved: ExternalGame) -> str:
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
        import json  # slow to import, and few games are converted

        return json.dumps(document, separators=(",", ":")) + "\n"


def _read_turns(text: str) -> ExternalGame:
    data = json_object(text, _KEYS)
    return ExternalGame(
        _names(data, "names"),
        _setup(data["init0"], "init0"),
        tuple(_answers(turn, "out", number) for number, turn in enumerate(data["turns"], 1)),
        options=_options(data),
        scores=_scores(data),
    )


def _names(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = data.get(key, [f"player {seat}" for seat in range(_SEATS)])
    if not isinstance(names, list) or len(names) != _SEATS:
        raise BadSetup(f"{key} must be a list of {_SEATS} names, not {quoted(names)}")
    return tuple(map(str, names))


def _scores(data: Mapping[str, Any]) -> tuple[float, ...]:
    scores = data["scores"]
    if not isinstance(scores, list) or len(scores) != _SEATS or not all(type(one) in (int, float) for one in scores):
        raise BadSetup(f"scores must be {_SEATS} numbers, not {quoted(scores)}")
    return tuple(map(float, scores))


def _is_trace(text: str) -> bool:
    return has_keys(text, _TRACE_KEYS) and _OUTPUT.search(text) is not None


def _read_trace(text: str) -> ExternalGame:
    data = json_object(text, _TRACE_KEYS)
    out = _flags(data, "disqualified", default=False)
    turns = [moves for number, turn in enumerate(data["turns"], 1) if (moves := _trace_turn(turn, number))]
    if turns and any(out):  # which happens in the last turn, and its answer need not be one that can be read
        turns[-1] = tuple(_failed(move.seat, _DISQUALIFIED) if out[move.seat] else move for move in turns[-1])
    return ExternalGame(
        _names(data, "players"),
        _setup(data["setup"], "setup"),
        tuple(turns),
        options=_options(data),
        # The orders before the one that cannot be read were carried out there.
        scores=() if any(out) or "scores" not in data else _scores(data),
    )


def _trace_turn(turn: Any, number: int) -> tuple[ExternalMove, ...]:
    """Return the moves of a turn; none if no seat was asked."""
    moves = _answers(turn, "output", number)
    asked = _flags(turn, "isOutputTurn", default=True)
    return tuple(_failed(move.seat) if not move.move else move for move in moves) if any(asked) else ()


def _flags(data: Mapping[str, Any], key: str, *, default: bool) -> list[bool]:
    flags = data.get(key, [default] * _SEATS)
    if not isinstance(flags, list) or len(flags) != _SEATS or not all(type(flag) is bool for flag in flags):
        raise BadSetup(f"{key} must be true or false for each of {_SEATS} seats, not {quoted(flags)}")
    return flags


def _read_replay(text: str) -> ExternalGame:
    replay = read_site_replay(text, _SEATS)
    return ExternalGame(
        replay.names,
        _setup_in(replay.added, replay.answers),
        tuple(_turns(replay.answers)),
        options=_options(replay.added),
        scores=replay.scores,
    )


def _options(data: Mapping[str, Any]) -> dict[str, object]:
    return {"ink_threshold": data.get("ink_threshold", _SITE_INK_THRESHOLD)}


def _setup_in(data: Mapping[str, Any], answers: Iterable[SiteAnswer]) -> Json:
    """Return the setup from the lines that were added, or from the first agent that printed its input on standard error."""
    if isinstance(given := data.get("init0"), list):
        return _setup(given, "init0")
    for answer in answers:
        lines = answer.stderr.splitlines()
        for start in (at for at, line in enumerate(lines) if line.strip() == str(answer.seat)):
            try:
                return _setup(lines[start:], "stderr")
            except BadSetup:
                continue
    raise BadSetup(
        'the replay has no map: add "init0", the lines that seat 0 reads before the first turn, or take a game in which your '
        "agent prints all its input on standard error"
    )


def _turns(answers: Iterable[SiteAnswer]) -> Iterator[tuple[ExternalMove, ...]]:
    """Yield the moves of both seats turn by turn; a seat without output in a turn has failed."""
    moves: dict[int, ExternalMove] = {}
    for answer in answers:
        if answer.seat in moves:
            yield tuple(moves.get(seat) or _failed(seat) for seat in range(_SEATS))
            moves = {}
        moves[answer.seat] = ExternalMove(answer.seat, answer.stdout) if answer.stdout else _failed(answer.seat)
    if moves:
        yield tuple(moves.get(seat) or _failed(seat) for seat in range(_SEATS))


def _failed(seat: int, why: str = "the replay has no output of this player") -> ExternalMove:
    return ExternalMove(seat, "", why)


def _answers(turn: Any, key: str, number: int) -> tuple[ExternalMove, ...]:
    out = turn.get(key) if isinstance(turn, dict) else None
    if not isinstance(out, list) or len(out) != _SEATS or not all(isinstance(answer, str) for answer in out):
        raise BadSetup(f'turn {number}: "{key}" must be the answers of both seats, not {quoted(out)}')
    return tuple(ExternalMove(seat, answer.strip("\r\n")) for seat, answer in enumerate(out))


def _setup(block: list[Any], key: str) -> Json:
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
        raise BadSetup(f'"{key}" must be the lines that a seat reads before the first turn') from None


def _count(lines: Iterator[str]) -> int:
    number = int(next(lines))
    if not 0 <= number <= _MOST:
        raise ValueError(number)
    return number

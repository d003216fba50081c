"""A game as one JSON document for viewers, made from its record by replay. No agent is run.

The document has ``game`` (facts from the header), ``seats``, ``start`` (the first position), ``turns`` and ``result``. A
position consists of ``view``, ``scores`` and, unless left out, ``board`` (lines of text with terminal styles); in a turn, these are patches
against the position before it (see :mod:`delta`), as are the ``inputs``, against the last input of the same seat.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from arbiter.config.limits import NONE
from arbiter.errors import UserError
from arbiter.game import Json, Protocol
from arbiter.records.exports.delta import diff
from arbiter.records.format import AnswerLine, FaultInfo, Header, ResultLine, SeatInfo
from arbiter.records.notes import notes_on
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, first_clocks, input_text
from arbiter.seat_names import SeatNames
from arbiter.units import duration_ns

FORMAT = 1
"""Incremented when an older page could misread a newer document."""
MOST_TEXT = 20_000
"""The most characters shown of one text from an agent; the record itself may have more."""


class GameDocument:
    """The document of one game, extended turn by turn, also while the game is still being played."""

    def __init__(
        self, record: Record, protocol: Protocol, seat: int | None = None, *, with_boards: bool = True
    ) -> None:
        """Start with the header of ``record``; its answers are not read. Raises UserError.

        The document for a ``seat`` has nothing in it that this seat may not know while the game is being played. Without
        boards, which take as long as everything else together, its positions can only be drawn.
        """
        self._seat, self._with_boards = seat, with_boards
        self._record = without_answers(record)
        self._replay = Replay(self._record, protocol)
        self.names = SeatNames(protocol, record.names)
        self._display = self.names.display(self._replay.game)
        self._clocks = first_clocks(record.header)
        self._position = self._current_position()
        self._inputs: dict[int, list[str]] = {}
        self.turns: list[dict[str, Any]] = []
        self.start: dict[str, Any] = {
            "format": FORMAT,
            "game": game_facts(record.header, protocol, secret=seat is not None),
            "seats": [seat_facts(seat) for seat in record.header.seats],
            "start": self._position,
        }

    def wants(self, lines: Sequence[AnswerLine]) -> bool:
        """Return whether answers are missing from a turn that has these."""
        return self._replay.game.result() is None and len(lines) < len(self._replay.game.to_move())

    def add(self, turn: int, lines: Sequence[AnswerLine]) -> dict[str, Any]:
        """Add the next turn and return it. Raises UserError if it cannot be replayed."""
        game = self._replay.game
        asked = list(game.to_move()) if game.result() is None else []
        if turn != len(self.turns) + 1 or [line.seat for line in lines] != asked:
            raise UserError(f"turn {turn} cannot be replayed: lines are missing or out of order")
        if self._clocks:
            game.see_clocks(dict(self._clocks))
        numbers = dict(self._display.numbers())
        moves = [move for line in lines if (move := self._seen(line))]
        self._clocks.update({line.seat: line.left_us for line in lines if line.left_us is not None})
        self._replay.apply(turn, lines)
        before, self._position = self._position, self._current_position()
        made: dict[str, Any] = {"moves": moves, "numbers": numbers} if numbers else {"moves": moves}
        news = self._display.events() if self._seat is None else self._display.news(self._seat)
        if events := [short_text(self.names.in_words(event)) for event in news]:
            made["events"] = events
        for name, value in self._position.items():
            if (patch := diff(before[name], value)) is not None:
                made[name] = patch
        self.turns.append(made)
        return made

    def _current_position(self) -> dict[str, Json]:
        game, display, seat = self._replay.game, self._display, self._seat
        position: dict[str, Json] = {
            "view": plain_data(game.view() if seat is None else display.view_for(seat)),
            "scores": plain_data(list(display.scores_so_far())),
        }
        return {**position, "board": display.board(seat).split("\n")} if self._with_boards else position

    def _seen(self, line: AnswerLine) -> dict[str, Any] | None:
        """Return a move as the reader of this document may see it; None if it is a secret."""
        if self._seat in (None, line.seat):
            return self._move(line)
        if not self._display.shows_move(line.seat):
            return None
        made = {name: value for name, value in self._move(line).items() if name in _PUBLIC}
        return {**made, "fault": {"kind": line.fault.kind, "detail": ""}} if line.fault else made

    def _move(self, line: AnswerLine) -> dict[str, Any]:
        game = self._replay.game
        sent = input_text(game, self._record, line).split("\n")
        patch, self._inputs[line.seat] = diff(self._inputs.get(line.seat, []), sent), sent
        made: dict[str, Any] = {
            "seat": line.seat,
            "move": short_text(line.move),
            "words": short_text(self.names.in_words(self._replay.describe(line))),
            "wall_us": line.wall_us,
            "charged_us": line.charged_us,
            "cpu_us": line.cpu_us,
            "input": patch,
            "message": short_text(line.message),
            "kibitz": [short_text(text) for text in line.kibitz],
            "notes": [short_text(text) for text in notes_on(line)],
            "left_us": line.left_us,
            "started": line.started,
            "fault": fault_facts(line.fault) if line.fault else None,
        }
        return {
            name: value for name, value in made.items() if not (value is None or value is False or value in ("", []))
        }


_PUBLIC = ("seat", "move", "words", "message", "wall_us", "charged_us", "cpu_us", "left_us", "started")
"""What the other seats may know about a move: neither what the agent was sent, nor what it wrote for spectators."""


def whole_document(record: Record, protocol: Protocol) -> dict[str, Any]:
    """Return the document of a record.

    If the record cannot be replayed to its end, the document ends with the last good turn, and ``problem`` says why.
    Raises UserError if it cannot be replayed at all.
    """
    document, problem = GameDocument(record, protocol), ""
    for turn, lines in record.turns():
        if record.result is None and document.wants(lines) and lines[-1] is record.answers[-1]:
            break  # cut off between answers of the same turn
        try:
            document.add(turn, lines)
        except UserError as error:
            problem = str(error)
            break
    result = result_facts(record.result, document.names) if record.result else None
    made = {**document.start, "turns": document.turns, "result": result, "annulled": annulment(record)}
    return {**made, "problem": problem} if problem else made


def without_answers(record: Record) -> Record:
    """Return the record as it was before its first answer."""
    return Record(record.path, record.header, (), None, torn=False)


def game_facts(header: Header, protocol: Protocol, *, secret: bool = False) -> dict[str, Any]:
    """Return what the header says about the game itself; if ``secret``, without the seed, from which everything hidden follows."""
    names = ("protocol", "version", "options", "clock", "ponder", "sandbox", "started", "contest", "stage")
    facts = {name: getattr(header, name) for name in names}
    if not secret:
        facts["seed"] = str(header.seed)  # as a number, a browser would round it
    numbering = {"seat_word": protocol.seat_word, "first_seat": protocol.first_seat}
    return {**facts, **numbering, "title": protocol.title, "number": header.game, "on_fault": protocol.on_fault}


def seat_facts(seat: SeatInfo) -> dict[str, Any]:
    """Return what viewers show about the agent on a seat; not its command, which has paths of the organiser's machine."""
    limits = {name: duration_ns(text) // 1000 for name in _TIMES if (text := seat.limits.get(name, NONE)) != NONE}
    return {
        "name": short_text(seat.name, 200),
        "language": short_text(seat.language, 200),
        "lifetime": short_text(seat.lifetime, 200),
        "limits": short_texts(seat.limits, 200),
        "limits_us": limits,
    }


_TIMES = ("move", "first_move", "total")


def fault_facts(fault: FaultInfo) -> dict[str, Any]:
    """Return a fault with its evidence."""
    facts: dict[str, Any] = msgspec.to_builtins(fault)
    return {name: short_text(value) if isinstance(value, str) else value for name, value in facts.items()}


def result_facts(result: ResultLine, names: SeatNames) -> dict[str, Any]:
    """Return the result."""
    facts: dict[str, Any] = msgspec.to_builtins(result)
    facts["reason"] = short_text(names.in_words(result.reason))
    facts["afterwards"] = {str(seat): [short_text(text) for text in texts] for seat, texts in result.afterwards.items()}
    facts["memory"] = {str(seat): size for seat, size in result.memory.items()}
    return facts


def annulment(record: Record) -> str:
    """Return why the game was annulled; empty if it was not."""
    return record.annulled.because if record.annulled else ""


def short_text(text: str, most: int = MOST_TEXT) -> str:
    """Return text that a page can show: very long text is cut, with a note."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"


def short_texts(value: Json, most: int) -> Json:
    """Return plain data with every string in it, including keys, cut to the length that a page shows."""
    if isinstance(value, str):
        return short_text(value, most)
    if isinstance(value, list):
        return [short_texts(each, most) for each in value]
    if isinstance(value, dict):
        return {short_text(name, most): short_texts(each, most) for name, each in value.items()}
    return value


def plain_data(value: Json) -> Json:
    """Return the value after a round trip through JSON: tuples are lists, keys are strings, infinite numbers are null."""
    try:
        return msgspec.json.decode(msgspec.json.encode(value))
    except UnicodeEncodeError:  # half a surrogate pair, which msgspec refuses
        return json.loads(json.dumps(value))


def encode_json(document: Json) -> bytes:
    """Encode a document as JSON in ASCII, which can represent every string, even half a surrogate pair."""
    return json.dumps(document, separators=(",", ":")).encode()

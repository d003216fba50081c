"""A saved game as text: its turns in words, the position after any turn, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from arbiter.cli import common
from arbiter.errors import UserError
from arbiter.game import Display, Protocol, columns
from arbiter.records.format import AnswerLine
from arbiter.records.notes import notes_on
from arbiter.records.reader import Record, is_being_written
from arbiter.records.replay import Replay, without_half_turn
from arbiter.seat_names import SeatNames
from arbiter.text import count, format_number, prose, safe

if TYPE_CHECKING:
    from arbiter.cli.documents import ShownGame

MAX_LINES = 24
"""The most lines shown of a faulty answer, and of the agent's standard error."""
_MARGIN = " " * 8


class TurnText(NamedTuple):
    """One turn in words."""

    turn: int
    text: str
    """The moves, with faults, messages and kibitz."""
    events: tuple[str, ...]
    """Events of the turn, as the protocol describes them."""
    fault: bool
    evidence: tuple[str, ...] = ()
    """What the record keeps about the turn's faults."""
    numbers: Mapping[str, int] = {}
    """Other numbers of the turn, such as its round."""

    def contains(self, word: str) -> bool:
        """Return whether this turn's text contains a word, ignoring case."""
        shown = click.unstyle("\n".join((self.text, *self.evidence, *self.events)))
        return " ".join(word.lower().split()) in " ".join(shown.lower().split())  # lines may be broken anywhere


def round_heading(number: int) -> str:
    """Return the line above the moves of a round."""
    return click.style(f"round {number}", dim=True)


class Transcript:
    """The text of a saved game, made by replaying its record."""

    def __init__(self, record: Record, protocol: Protocol) -> None:
        self.record, self._protocol = without_half_turn(record, protocol), protocol
        self.is_running = record.result is None and is_being_written(record.path)
        """Whether the game is still being played."""
        self._lines_by_turn = list(self.record.turns())
        self._replay: Replay | None = None
        self._position = 0
        """The turn after which ``_replay`` stands."""
        self._names = SeatNames(protocol, self.record.names)

    @cached_property
    def turns(self) -> list[TurnText]:
        """Every turn in words, in order."""
        replay = Replay(self.record, self._protocol)
        names, done = self._names, []
        current: TurnText | None = None  # its events are known once the replay has moved past it
        for turn, lines in replay:
            if current:
                done.append(current._replace(events=self._events(replay.display)))
            text = "\n".join(move_line(replay.describe(line), line, names) for line in lines)
            kept = [row for line in lines for row in evidence(line, names.short[line.seat] if len(lines) > 1 else "")]
            faulty = any(line.fault for line in lines)
            current = TurnText(turn, text, (), faulty, tuple(kept), dict(replay.display.numbers()))
        if current:
            done.append(current._replace(events=self._events(replay.display)))
        return done

    def reflow(self) -> None:
        """Forget the text, because the terminal has another width now."""
        self.__dict__.pop("turns", None)

    def by_round(self, turns: Iterable[TurnText]) -> Iterator[tuple[str, TurnText]]:
        """Yield turns, each with a heading if it is the first of its round among them and several turns make a round, otherwise
        with an empty string."""
        rounds = {each.numbers["round"] for each in self.turns if "round" in each.numbers}
        last: int | None = None
        for turn in turns:
            starts = 0 < len(rounds) < self.last and turn.numbers["round"] != last
            last = turn.numbers.get("round")
            yield (round_heading(turn.numbers["round"]) if starts else ""), turn

    def _events(self, display: Display[Any]) -> tuple[str, ...]:
        return tuple(map(self._names.in_words, display.events()))

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return len(self._lines_by_turn)

    def board(self, turn: int) -> str:
        """Return the position after a turn; turn 0 is the start."""
        if turn > self.last:
            raise UserError(f"no turn {turn} in this game; it has {count(self.last, 'turn')}")
        if self._replay is None or turn < self._position:
            self._replay, self._position = Replay(self.record, self._protocol), 0
        for number, lines in self._lines_by_turn[self._position : turn]:
            self._replay.apply(number, lines)
        self._position = turn
        return self._names.display(self._replay.game).board()

    def title(self) -> str:
        """Return a heading: protocol, agents, seed, date, and the result."""
        header = self.record.header
        deal = [f"deal {header.seed}"] if header.commitment else common.shown_seed(header.seed)
        parts = [", ".join(self._names.full), *deal, safe(header.started[:16].replace("T", " "))]
        heading = prose(" · ".join(parts), first=f"{click.style(self._protocol.title, bold=True)} · ")
        return f"{heading}\n{self.ending()}"

    def ending(self) -> str:
        """Return the result in one line, or say that the game was cut off or is still being played."""
        result, names = self.record.result, self._names.short
        if result is None and self.is_running:
            so_far = f"this game is still being played: {count(self.last, 'turn')} so far"
            return click.style(so_far, fg="yellow")
        if result is None:
            torn = " in the middle of a line" if self.record.torn else ""
            return click.style(f"this game was cut off after turn {self.last}{torn}: it has no result", fg="yellow")
        scores = ", ".join(f"{name} {format_number(score)}" for name, score in zip(names, result.scores, strict=True))
        reason = self._names.in_words(safe(result.reason))
        turns = count(result.turns, "turn")
        return prose(f"{common.winners(names, result.ranks)} ({scores}): {reason} ({turns})")

    def afterwards(self) -> list[str]:
        """Return the kibitz that came after the last answer."""
        kibitz = self.record.result.afterwards if self.record.result else {}
        return [
            click.style(f"        {self._names.short[seat]} after the game: {safe(text)}", dim=True)
            for seat, texts in kibitz.items()
            for text in texts
        ]

    def document(self) -> ShownGame:
        """Return the game as data: every answer, and every position as the protocol's view."""
        from arbiter.cli.documents import ShownGame

        replay = Replay(self.record, self._protocol)
        views = [replay.game.view() for _ in replay]
        views.append(replay.game.view())
        record = self.record
        return ShownGame(header=record.header, answers=list(record.answers), views=views, result=record.result)


def move_line(words: str, line: AnswerLine, names: SeatNames) -> str:
    """Return one move, which ``words`` describe, with its fault, message and kibitz."""
    text = f"{names.full[line.seat]}: {names.in_words(words)}"
    if line.fault:
        text += click.style(f"  [{line.fault.kind}: {safe(line.fault.detail)}]", fg="red")
    if line.message:
        text += click.style(f"  “{safe(line.message)}”", fg="cyan")
    lines = [prose(text, f"{line.turn:>4}  ", _MARGIN)]
    lines += [click.style(prose(safe(kibitz), _MARGIN, _MARGIN), dim=True) for kibitz in line.kibitz]
    return "\n".join(lines)


def evidence(line: AnswerLine, name: str = "") -> list[str]:
    """Describe what the record keeps about a fault: the answer, the agent's standard error, and what is known of the cause."""
    said = stderr = ""
    if line.fault:
        stderr = line.fault.stderr
        said = line.fault.said if repr(line.fault.said) not in line.fault.detail else ""
    answer = said.splitlines()
    errors = [row for row in stderr.splitlines() if not row.startswith("kibitz ")]
    rows = [("answer", row) for row in answer[:MAX_LINES]]
    if len(answer) > MAX_LINES:
        rows.append(("answer", f"… and {count(len(answer) - MAX_LINES, 'more line')}"))
    if len(errors) > MAX_LINES:
        rows.append(("stderr", f"… {count(len(errors) - MAX_LINES, 'earlier line')}"))
    rows += [("stderr", row) for row in errors[-MAX_LINES:]]
    rows += [("cause" if line.fault else "note", row) for row in notes_on(line)]
    agent = f"{name} " if name else ""
    found = []
    for label, row in rows:
        first = f"        {agent}{label:<6} | "
        found.append(click.style(prose(safe(row), first, " " * columns(first)), dim=True))
    return found

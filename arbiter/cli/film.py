"""A saved game as a film: positions, moves in words, what happened, and where in it to look."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import click
import msgspec

from arbiter.cli import common
from arbiter.errors import UserError
from arbiter.game import Game, Protocol
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, without_half_turn

SHOWN_LINES = 24
"""Most lines shown of what a faulty agent said, and of its standard error."""


class Moment(NamedTuple):
    """One turn in words."""

    turn: int
    text: str
    """The moves, with faults, messages and kibitz."""
    events: tuple[str, ...]
    """What else happened."""
    fault: bool
    evidence: tuple[str, ...] = ()
    """What was kept of its faults beside their names."""

    def holds(self, word: str) -> bool:
        """Whether this turn is about a word."""
        return word.lower() in click.unstyle("\n".join((self.text, *self.evidence, *self.events))).lower()


class Film:
    """Frame n is the position after turn n."""

    def __init__(self, record: Record, protocol: Protocol) -> None:
        self.record, self._protocol = without_half_turn(record, protocol), protocol
        self._turns = list(self.record.turns())
        self._replay: Replay | None = None
        self._at = 0
        self._names = [common.safe(name) for name in self.record.names]

    @cached_property
    def story(self) -> list[Moment]:
        """Every turn in words, in order."""
        replay = Replay(self.record, self._protocol)
        names, told = self._names, []
        before: Moment | None = None  # what happened in it is known when the next one comes
        for turn, lines in replay:
            if before:
                told.append(before._replace(events=tuple(replay.game.events())))
            text = "\n".join(move_line(replay.game, line, names[line.seat]) for line in lines)
            kept = [row for line in lines for row in evidence(line, names[line.seat] if len(lines) > 1 else "")]
            before = Moment(turn, text, (), any(line.fault for line in lines), tuple(kept))
        if before:
            told.append(before._replace(events=tuple(replay.game.events())))
        return told

    @property
    def last(self) -> int:
        """The number of turns."""
        return len(self._turns)

    def board(self, turn: int) -> str:
        """The position after a turn; 0 is the start."""
        if turn > self.last:
            raise UserError(f"turn {turn}: this game has {common.count(self.last, 'turn')}")
        if self._replay is None or turn < self._at:
            self._replay, self._at = Replay(self.record, self._protocol), 0
        for number, lines in self._turns[self._at : turn]:
            self._replay.apply(number, lines)
        self._at = turn
        return self._replay.game.board()

    def title(self) -> str:
        """Who played what, when, and how it ended."""
        header = self.record.header
        seated = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(self._names))
        who = f"{click.style(self._protocol.title, bold=True)} · {seated} · seed {header.seed}"
        return f"{who} · {header.started[:16].replace('T', ' ')}\n{self.ending()}"

    def ending(self) -> str:
        """The result in a line, or that there is none."""
        result, names = self.record.result, self._names
        if result is None:
            torn = " in the middle of a line" if self.record.torn else ""
            return click.style(f"this game was cut off after turn {self.last}{torn}: it has no result", fg="yellow")
        scores = ", ".join(f"{name} {common.number(score)}" for name, score in zip(names, result.scores, strict=True))
        return f"{common.winners(names, result.ranks)} ({scores}): {common.safe(result.reason)} ({common.count(result.turns, 'turn')})"

    def afterwards(self) -> list[str]:
        """Kibitz that came after the last answer."""
        late = self.record.result.afterwards if self.record.result else {}
        return [
            click.style(f"        {self._names[seat]} afterwards: {common.safe(text)}", dim=True)
            for seat, texts in late.items()
            for text in texts
        ]

    def document(self) -> dict[str, object]:
        """The game as data: every position as the protocol's view, and every answer."""
        replay = Replay(self.record, self._protocol)
        views = [replay.game.view() for _ in replay]
        views.append(replay.game.view())
        return {
            "header": msgspec.to_builtins(self.record.header),
            "answers": [msgspec.to_builtins(line) for line in self.record.answers],
            "views": views,
            "result": msgspec.to_builtins(self.record.result) if self.record.result else None,
        }


def move_line(game: Game, line: AnswerLine, name: str) -> str:
    """One move in words, with its fault and kibitz."""
    text = f"{line.turn:>4}  {name}: {game.describe(line.seat, line.move)}"
    if line.fault:
        text += click.style(f"  [{line.fault.kind}: {common.safe(line.fault.detail)}]", fg="red")
    if line.message:
        text += click.style(f"  “{common.safe(line.message)}”", fg="cyan")
    for kibitz in line.kibitz:
        text += "\n" + click.style(f"        {common.safe(kibitz)}", dim=True)
    return text


def evidence(line: AnswerLine, name: str = "") -> list[str]:
    """What the record keeps of a fault beside its name: what the agent said, its standard error, and notes."""
    said = stderr = ""
    if line.fault:
        stderr = line.fault.stderr
        said = line.fault.said if repr(line.fault.said) not in line.fault.detail else ""
    words = said.splitlines()
    errors = [row for row in stderr.splitlines() if not row.startswith("kibitz ")]
    rows = [("said", row) for row in words[:SHOWN_LINES]]
    if len(words) > SHOWN_LINES:
        rows.append(("said", f"… and {common.count(len(words) - SHOWN_LINES, 'more line')}"))
    if len(errors) > SHOWN_LINES:
        rows.append(("stderr", f"… {common.count(len(errors) - SHOWN_LINES, 'line')} before"))
    rows += [("stderr", row) for row in errors[-SHOWN_LINES:]]
    rows += [("note", row) for row in line.notes]
    who = f"{name} " if name else ""
    return [click.style(f"        {who}{what:<6} | {common.safe(row)}", dim=True) for what, row in rows]

"""The result of asking the questions of saved games again, as data; the keys of the ``--json`` document."""

from __future__ import annotations

import msgspec

from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.notes import notes_on


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, and the ruling on it."""

    move: str
    """The move as applied; after a fault, the fallback."""
    fault: FaultInfo | None
    wall_us: int
    cpu_us: int
    charged_us: int
    kibitz: list[str]
    notes: list[str]
    """After a fault, what is known about the cause."""

    @property
    def kind(self) -> str:
        """The kind of fault; empty without one."""
        return self.fault.kind if self.fault else ""


def ruling_of(line: AnswerLine) -> Ruling:
    """Return the part of a line that can be compared."""
    return Ruling(
        move=line.move,
        fault=line.fault,
        wall_us=line.wall_us,
        cpu_us=line.cpu_us,
        charged_us=line.charged_us,
        kibitz=line.kibitz,
        notes=notes_on(line),
    )


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One question, with the ruling of the record and that of now."""

    turn: int
    changed: bool
    """Whether another move was played, or the same one for another reason."""
    before: Ruling
    now: Ruling

    @property
    def newly_faulty(self) -> bool:
        """Whether there is a fault now where there was none."""
        return self.now.fault is not None and self.before.fault is None


def decision(turn: int, before: Ruling, now: Ruling) -> Decision:
    """Compare two rulings."""
    return Decision(turn=turn, changed=(before.move, before.kind) != (now.move, now.kind), before=before, now=now)


class SeatRerun(msgspec.Struct, frozen=True, kw_only=True):
    """The questions to one seat of one game, asked again."""

    record: str
    protocol: str
    seat: int
    name: str
    """The agent's name in the record."""
    agent: str
    """The name of the agent that was asked now."""
    result: str
    """How the game ended for this seat: won, drew or lost; empty for an unfinished one."""
    same_program: bool
    """Whether it is the program of the record, by its fingerprint."""
    move_limit_us: int
    """The time limit of a move now."""
    faults_before: int
    """Faults among the recorded answers."""
    faults_now: int
    answers: list[Decision]

    @property
    def changed(self) -> list[Decision]:
        """The decisions that differ from the record."""
        return [each for each in self.answers if each.changed]


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A saved game that could not be asked about again."""

    record: str
    because: str


class GameRerun(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one saved game."""

    seats: list[SeatRerun] = []
    left_out: LeftOut | None = None
    notes: list[str] = []
    """What the user should know about how the agents are run."""


class RerunReport(msgspec.Struct, frozen=True, kw_only=True):
    """The sum of all games."""

    seats: list[SeatRerun]
    answers: int
    changed: int
    faults_before: int
    faults_now: int
    skipped: list[LeftOut]
    interrupted: bool
    """Whether it was stopped before the last game."""


def sum_up(games: list[GameRerun], *, interrupted: bool = False) -> RerunReport:
    """Sum up, in the order of the records' names."""
    seats = sorted((seat for game in games for seat in game.seats), key=lambda seat: (seat.record, seat.seat))
    return RerunReport(
        seats=seats,
        answers=sum(len(seat.answers) for seat in seats),
        changed=sum(len(seat.changed) for seat in seats),
        faults_before=sum(seat.faults_before for seat in seats),
        faults_now=sum(seat.faults_now for seat in seats),
        skipped=[game.left_out for game in games if game.left_out],
        interrupted=interrupted,
    )

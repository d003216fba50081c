"""Ask the questions of a whole game again while observing the agent: memory, unread input, surplus output, its exit."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from arbiter.author.workbench import Workbench
from arbiter.game import Protocol
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from arbiter.records.replay import Replay

_FACTOR, _LEAST_BYTES = 1.5, 16 << 20
"""Memory grows if it is this much larger late in a game than early, and by at least this many bytes."""
FEWEST = 20
"""With fewer answers than this, nothing can be said about growth."""


@dataclass(frozen=True, slots=True)
class Endurance:
    """The observations."""

    asked: int
    faults: int
    changed: int
    """Answers or faults that differ from those of the game."""
    exits: bool
    """Whether it exits when its input ends."""
    lasted: bool
    """Whether one process lived through the whole game."""
    always_unread: bool
    """Whether part of the input was unread after every answer."""
    unread_bytes: int
    """The most that was unread after an answer."""
    surplus: int
    """After how many answers it printed more."""
    surplus_text: str
    """The first line that it printed after an answer."""
    memory: tuple[int, ...]
    """Bytes in use after each answer for which its process existed."""

    @property
    def early_bytes(self) -> int:
        """The median of the first quarter."""
        return int(median(self.memory[: max(1, len(self.memory) // 4)] or [0]))

    @property
    def late_bytes(self) -> int:
        """The median of the last quarter."""
        return int(median(self.memory[-max(1, len(self.memory) // 4) :] or [0]))

    @property
    def grows(self) -> bool:
        """Whether memory grows during a game."""
        grown = self.late_bytes - self.early_bytes
        return len(self.memory) >= FEWEST and grown > _LEAST_BYTES and self.late_bytes > _FACTOR * self.early_bytes


def asked_through(bench: Workbench, record: Record, protocol: Protocol) -> Endurance:
    """Ask the agent all questions to the first seat of a game again, as :mod:`arbiter.author.rerun` does."""
    replay = Replay(record, protocol)
    memory: list[int] = []
    unread: list[int] = []
    surplus: list[str] = []
    asked = changed = faults = 0
    lasted = True
    with bench.table(strict_exit=replay.game.strict_exit) as table:
        for number, lines in replay:
            before = next((line for line in lines if line.seat == 0), None)
            if before is None:
                continue
            answer = table.ask(replay.game, 0)
            now = table.rule(replay.game, answer, number)
            asked, changed = asked + 1, changed + (_essence(now) != _essence(before))
            faults += now.fault is not None
            lasted = lasted and answer.fault is None
            if bench.entrant.lifetime == "move":
                continue
            surplus += filter(None, [answer.surplus + table.more_output()])
            if used := table.memory_bytes():
                memory.append(used)
            unread.append(table.unread_bytes())
        table.finish(replay.game.final_message(0))
        exits = not table.is_running
    return Endurance(
        asked=asked,
        faults=faults,
        changed=changed,
        exits=exits,
        lasted=lasted,
        always_unread=bool(unread) and all(unread),
        unread_bytes=max(unread, default=0),
        surplus=len(surplus),
        surplus_text=next((line for text in surplus for line in text.splitlines() if line.strip()), ""),
        memory=tuple(memory),
    )


def _essence(line: AnswerLine) -> tuple[str, str, str]:
    """Return what must be equal in answers that are the same."""
    return (line.move, line.fault.kind, line.fault.said) if line.fault else (line.move, "", "")

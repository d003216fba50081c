"""One whole game asked again, while watching the agent from outside: memory, unread input, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from arbiter.author.workbench import Workbench
from arbiter.game import Protocol
from arbiter.records.reader import Record
from arbiter.records.replay import Replay
from arbiter.referee import rule

_FACTOR, _LEAST_BYTES = 1.5, 16 << 20
"""Memory grows if it is this much larger late in a game than early, and by at least this many bytes."""
_FEWEST = 20
"""With fewer answers than this, nothing can be said about growth."""


@dataclass(frozen=True, slots=True)
class Endurance:
    """What was seen."""

    asked: int
    changed: int
    """Answers that differ from those of the game."""
    exits: bool
    """Whether it exits when its input ends."""
    always_unread: bool
    """Whether part of the input was unread after every answer."""
    unread_bytes: int
    """The most that was unread after an answer."""
    early_bytes: int
    late_bytes: int

    @property
    def repeats(self) -> bool:
        """Whether all answers were those of the game."""
        return not self.changed

    @property
    def grows(self) -> bool:
        """Whether memory grows during a game."""
        grown = self.late_bytes - self.early_bytes
        return self.asked >= _FEWEST and grown > _LEAST_BYTES and self.late_bytes > _FACTOR * self.early_bytes


def asked_through(bench: Workbench, record: Record, protocol: Protocol, seat: int = 0) -> Endurance:
    """Ask the agent all questions to one seat of a game again, as :mod:`arbiter.author.rerun` does."""
    replay = Replay(record, protocol)
    memory: list[int] = []
    unread: list[int] = []
    asked = changed = 0
    with bench.table(strict_exit=replay.game.strict_exit) as table:
        for number, lines in replay:
            before = next((line for line in lines if line.seat == seat), None)
            if before is None:
                continue
            now = rule(replay.game, table.ask(replay.game, seat), number)
            asked, changed = asked + 1, changed + (now.move != before.move)
            memory.append(table.memory_bytes())
            unread.append(table.unread_bytes())
        table.farewell(replay.game.farewell(seat))
        exits = not table.is_running
    quarter = max(1, len(memory) // 4)
    return Endurance(
        asked=asked,
        changed=changed,
        exits=exits,
        always_unread=bool(unread) and all(unread),
        unread_bytes=max(unread, default=0),
        early_bytes=int(median(memory[:quarter] or [0])),
        late_bytes=int(median(memory[-quarter:] or [0])),
    )

"""How much of an agent's output besides its moves a record keeps, so that no agent can fill the disk.

Every turn has its own limits; these are for a whole game. Moves are always kept, because a replay needs them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.units import show_size

_CUT = "[…]"
"""The last line of the kibitz after a game, if some of it was left out."""


class Allowance:
    """The bytes that the seats of one game may still add to its record."""

    def __init__(self, seats: Sequence[int]) -> None:
        """``seats`` are the bytes of each seat for the whole game."""
        self._most, self._left = tuple(seats), list(seats)
        self._noted = [False] * len(seats)

    def charge(self, line: AnswerLine, *, keep_said: bool = False) -> None:
        """Charge what an answer adds to the record, and remove from it what is too much, with a note the first time.

        ``keep_said``: part of a faulty answer counts as a move, and verifying the ruling needs all of it.
        """
        fault = line.fault
        if not line.kibitz and not line.message and fault is None:
            return
        complete = self._fits(line.seat, line.message)
        if not complete:
            line.message = ""
        if fault is not None:
            complete = self._charge_fault(line.seat, fault, keep_said=keep_said) and complete
        kept = self._fitting(line.seat, line.kibitz)
        complete = complete and len(kept) == len(line.kibitz)
        line.kibitz = kept
        if not complete and not self._noted[line.seat]:
            self._noted[line.seat] = True
            most = show_size(self._most[line.seat])
            line.notes = [
                *line.notes,
                f"from here on, kibitz, messages and evidence beyond {most} per game are left out",
            ]

    def _charge_fault(self, seat: int, fault: FaultInfo, *, keep_said: bool) -> bool:
        """Charge the evidence of a fault; returns whether all of it is kept."""
        said = self._fits(seat, fault.said, forced=keep_said)
        if not said:
            fault.said_bytes = fault.said_bytes or len(fault.said.encode())
            fault.said = ""
        stderr = self._fits(seat, fault.stderr)
        if not stderr:
            fault.stderr = ""
        return said and stderr

    def afterwards(self, seat: int, kibitz: list[str]) -> list[str]:
        """Return what is kept of the kibitz after the last answer."""
        kept = self._fitting(seat, kibitz)
        return kept if len(kept) == len(kibitz) else [*kept, _CUT]

    def _fitting(self, seat: int, lines: list[str]) -> list[str]:
        for index, line in enumerate(lines):
            if not self._fits(seat, line):
                return lines[:index]
        return lines

    def _fits(self, seat: int, text: str, *, forced: bool = False) -> bool:
        """Charge text as it is written in the record, if there is room for it. Once some text did not fit, no more is kept."""
        if not text:
            return True
        size = len(msgspec.json.encode(text)) + 1
        if size <= self._left[seat]:
            self._left[seat] -= size
            return True
        self._left[seat] = 0
        return forced

"""Everything an agent's process prints besides its answers: standard error, and standard output while it is not asked."""

from __future__ import annotations

from arbiter.agents.ask.stderr import StderrKeeper
from arbiter.agents.launch.process import CHUNK
from arbiter.game import Fault, FaultKind, quoted
from arbiter.text import count
from arbiter.units import show_size

_SHOWN_BYTES = 4096
"""How much of it is kept."""


class SideOutput:
    """The side output of one process. Both kinds are bounded: too much of either is a fault."""

    __slots__ = ("_stale", "_stale_start", "_stderr_bytes", "stderr")

    def __init__(self, stderr_bytes: int) -> None:
        """``stderr_bytes`` may be printed on standard error per turn."""
        self.stderr = StderrKeeper()
        self._stderr_bytes = stderr_bytes
        self._stale = 0
        self._stale_start = b""

    def hear_stale(self, chunk: bytes) -> bool:
        """Count standard output that arrived while no question was open; return whether to continue reading."""
        self._stale_start = (self._stale_start + chunk)[:_SHOWN_BYTES]
        self._stale += len(chunk)
        return self._stale <= CHUNK  # beyond that, let its pipe fill up

    def hear_stderr(self, chunk: bytes) -> Fault | None:
        """Take standard error; return a fault if it is too much for a turn."""
        self.stderr.feed(chunk)
        return self._flood_of_stderr("")

    def fault_between_moves(self) -> Fault | None:
        """Return the fault of an agent that printed too much since its last answer."""
        flood = self._flood_of_stderr(" between moves")
        if flood is None and self._stale > CHUNK:
            flood = Fault(FaultKind.FLOODED, f"printed more than {show_size(CHUNK)} without being asked")
        return flood

    def _flood_of_stderr(self, when: str) -> Fault | None:
        if self.stderr.received <= self._stderr_bytes:
            return None
        return Fault(FaultKind.FLOODED, f"printed more than {show_size(self._stderr_bytes)} on standard error{when}")

    @property
    def stale_text(self) -> str:
        """The start of what came while no question was open."""
        return self._stale_start.decode(errors="replace")

    def drop_stale(self, notes: list[str], advice: Advice) -> None:
        """Drop output that arrived before the prompt, with a note."""
        if self._stale:
            about = advice.about(self.stale_text)
            notes.append(f"dropped {count(self._stale, 'byte')} printed before the prompt{about}")
            self._stale, self._stale_start = 0, b""

    def last_kibitz(self) -> list[str]:
        """Take the end of standard error; return what was kibitzed since the last answer."""
        self.stderr.finish()
        return self.stderr.take([])


class Advice:
    """Advice about printing too many lines: given once per game, since such an agent usually does so in every turn."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        self._given = False

    def about(self, text: str) -> str:
        """Return what to add to the note about surplus output that begins with this text."""
        if self._given:
            return ""
        self._given = True
        line = next(filter(None, map(str.strip, text.splitlines())), "")
        if not line:
            return ": empty lines; print one line for a move"
        return f": {quoted(line)}; print one line for a move, and debug text on standard error"

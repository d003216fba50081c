"""The games of an arena as shown in tables; results are read once from the records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arbiter.arena.lobby import Lobby
from arbiter.arena.seats import seat_name
from arbiter.arena.store import GameRow
from arbiter.errors import UserError
from arbiter.game import FaultKind
from arbiter.records.reader import load_record
from arbiter.records.summary import GameSummary, summarise

_MOST_KNOWN = 5000
"""How many summaries are kept in memory."""


class GameFacts:
    """The games of an arena as shown in tables. It is shared by the threads that make pages."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._known: dict[Path, tuple[int, GameSummary]] = {}

    def summary(self, row: GameRow) -> GameSummary | None:
        """Return the summary of a game that is over; None if there is no result."""
        if not row.record or row.status in ("waiting", "playing"):
            return None
        path = self._lobby.config.records / row.record
        try:
            size = path.stat().st_size
            known = self._known.get(path)
            if known is None or known[0] != size:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[path] = known = (size, summarise(load_record(path)))
        except (OSError, UserError):
            return None
        return known[1] if known[1].finished else None

    def facts(self, row: GameRow, *, outcome: bool = True) -> dict[str, object]:
        """Return what is shown of a game in tables."""
        live = self._lobby.live.get(row.id)
        game = self.summary(row) if outcome else None
        return {
            "id": row.id,
            "stage": row.category,
            "protocol": row.protocol,
            "kind": row.kind,
            "seats": list(map(seat_name, row.seats)),
            "status": row.status,
            "reason": row.reason,
            "at": row.at,
            "absent": list(live.absent) if live else [],
            "joined": [seat.team for seat in list(live.seats_taken.values())] if live else [],
            "missing": self._lobby.starter.absent(live) if live else [],
            **(_outcome(game) if game else {}),
        }


def _outcome(game: GameSummary) -> Mapping[str, object]:
    return {
        "ranks": game.ranks,
        "scores": game.scores,
        "ending": game.reason[:200],
        "annulled": game.annulled or "",
        "faults": [sum(counts.values()) for counts in game.fault_counts()],
        "absent": [fault.seat for fault in game.faults if fault.kind == FaultKind.ABSENT and fault.turn == 1],
        "digest": game.digest,
    }

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
from arbiter.records.summary import summarise


class GameFacts:
    """The games of an arena as shown in tables. It is shared by the threads that make pages."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._known: dict[Path, tuple[int, Mapping[str, object]]] = {}

    def outcome(self, row: GameRow) -> Mapping[str, object]:
        """Return ranks, scores, why the game ended and whether it was annulled; empty if there is no result."""
        if not row.record or row.status in ("waiting", "playing"):
            return {}
        path = self._lobby.config.records / row.record
        try:
            size = path.stat().st_size
            known = self._known.get(path)
            if known is None or known[0] != size:
                self._known[path] = known = (size, _read(path))
        except (OSError, UserError):
            return {}
        return known[1]

    def facts(self, row: GameRow, *, outcome: bool = True) -> dict[str, object]:
        """Return what is shown of a game in tables."""
        live = self._lobby.live.get(row.id)
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
            **(self.outcome(row) if outcome else {}),
        }


def _read(path: Path) -> Mapping[str, object]:
    game = summarise(load_record(path))
    if not game.finished:
        return {}
    return {
        "ranks": game.ranks,
        "scores": game.scores,
        "ending": game.reason[:200],
        "annulled": game.annulled or "",
        "faults": len(game.faults),
        "absent": [fault.seat for fault in game.faults if fault.kind == FaultKind.ABSENT and fault.turn == 1],
        "digest": game.digest,
    }

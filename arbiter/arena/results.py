"""The games of an arena as tables show them; how they ended is read from their records, once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arbiter.arena.hall import Hall
from arbiter.arena.seats import seat_name
from arbiter.arena.store import GameRow
from arbiter.errors import UserError
from arbiter.records.reader import load_record


class GameFacts:
    """The games of an arena as tables show them. Threads that make pages share it."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._known: dict[Path, tuple[int, Mapping[str, object]]] = {}

    def outcome(self, row: GameRow) -> Mapping[str, object]:
        """Return ranks, scores, the reason of the end and whether it was annulled; empty if there is no result."""
        if not row.record or row.status in ("waiting", "playing"):
            return {}
        path = self._hall.making.records / row.record
        try:
            size = path.stat().st_size
            known = self._known.get(path)
            if known is None or known[0] != size:
                self._known[path] = known = (size, _read(path))
        except (OSError, UserError):
            return {}
        return known[1]

    def facts(self, row: GameRow, *, outcome: bool = True) -> dict[str, object]:
        """Return what tables show of a game."""
        live = self._hall.live.get(row.id)
        return {
            "id": row.id,
            "stage": row.category,
            "protocol": row.protocol,
            "kind": row.kind,
            "seats": list(map(seat_name, row.seats)),
            "status": row.status,
            "reason": row.reason,
            "at": row.at,
            "joined": [place.team for place in list(live.places.values())] if live else [],
            "missing": [seat_name(row.seats[index]) for index in live.missing] if live else [],
            **(self.outcome(row) if outcome else {}),
        }


def _read(path: Path) -> Mapping[str, object]:
    record = load_record(path)
    if record.result is None:
        return {}
    result = record.result
    return {
        "ranks": result.ranks,
        "scores": result.scores,
        "ending": result.reason[:200],
        "annulled": record.annulled.because if record.annulled else "",
        "faults": sum(line.fault is not None for line in record.answers),
        "digest": result.digest,
    }

"""The data of a contest in one archive: records, standings, teams, games, log and uploads, but no keys or hashes."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arbiter.arena.config import CONTESTS, ENDED, HIDDEN, SHOWN, TRAINING
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.registration import csv_table
from arbiter.arena.results import GameFacts
from arbiter.arena.store import GameRow
from arbiter.arena.upload_files import UPLOADS
from arbiter.contest.formats import formatter
from arbiter.contest.secret import SECRET_FILE, load_secrets

_FOLDERS = (CONTESTS, SHOWN, HIDDEN, ENDED, TRAINING, UPLOADS)
_GAMES = (
    "game", "kind", "stage", "protocol", "status", "created", "seat", "agent", "rank", "score", "absent", "record", "reason",
)  # fmt: skip


def tables(lobby: Lobby, current: CurrentContest, results: GameFacts) -> Iterator[tuple[str, str]]:
    """Yield the file name and content of each table of the export."""
    rows = lobby.store.games(["official", "queue", "training"], ["waiting", "playing", "finished", "aborted"], 100_000)
    teams = [(name, at, lobby.store.chosen_upload(name) or "") for name, at in lobby.store.registered()]
    yield "teams.csv", csv_table(("team", "registered", "upload"), teams)
    yield "games.csv", csv_table(_GAMES, [line for row in rows for line in _lines(row, results)])
    yield "log.csv", csv_table(("at", "from", "what"), lobby.store.log_lines(most=1_000_000))
    if current.contest:
        report = current.contest.report()
        yield "standings.json", json.dumps(msgspec.to_builtins(report.rows), indent=2, ensure_ascii=False) + "\n"
        yield "standings.csv", formatter("csv")(report)


def _lines(row: GameRow, results: GameFacts) -> Iterator[Sequence[object]]:
    facts: dict[str, Any] = results.facts(row)
    for seat, name in enumerate(facts["seats"]):
        ended = "ranks" in facts
        yield (
            row.id, row.kind, row.category, row.protocol, row.status, row.at, seat, name,
            facts["ranks"][seat] if ended else "", facts["scores"][seat] if ended else "",
            "yes" if seat in facts["absent"] else "", row.record,
            facts.get("annulled") or row.reason,
        )  # fmt: skip


def _is_secret(path: Path) -> bool:
    """Return whether a file has the secret of a contest whose deals are not all played."""
    return path.name == SECRET_FILE and any(not secret.revealed for secret in load_secrets(path.parent))


def write_export(lobby: Lobby, current: CurrentContest, results: GameFacts) -> Path:
    """Write the archive to a new file, which the caller removes, and return its path."""
    records = lobby.config.records
    handle, name = tempfile.mkstemp(dir=records, prefix=".export-", suffix=".zip")
    with (
        os.fdopen(handle, "wb") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as made,
    ):
        for title, text in tables(lobby, current, results):
            made.writestr(title, text)
        seen: set[int] = set()  # the record of a contest's game is linked to a folder of games
        for folder in _FOLDERS:
            for path in sorted((records / folder).rglob("*")):
                inside = path.relative_to(records)
                hidden = any(part.startswith(".") for part in inside.parts) or _is_secret(path)
                if path.is_file() and not path.is_symlink() and not hidden and path.stat().st_ino not in seen:
                    seen.add(path.stat().st_ino)
                    made.write(path, inside)
    return Path(name)

"""Restore packed games as files: the reverse of :mod:`arbiter.records.packed.packing`.

Records are written under temporary names and renamed, then read back and compared with the archive; only then is it deleted.
One that is damaged is kept, and the games in its other row groups are restored.
"""

from __future__ import annotations

import os
from pathlib import Path

from arbiter.errors import UserError, cannot
from arbiter.output_files import replace_file, sync
from arbiter.records.at_rest import UnreadableArchive, archives, logs_of, passing_over, readable
from arbiter.records.folder_lock import folder_lock
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import PackedGame
from arbiter.records.packed.packing import ARCHIVE_BYTES, OnProgress
from arbiter.records.reader import check_size, read_file
from arbiter.records.writer import SUFFIX
from arbiter.units import show_size

_MOST_BYTES = 2 * ARCHIVE_BYTES
"""The most bytes to write for one archive. An untrusted file can unpack to any size; the arbiter's own need little more than half
of this."""


def unpack_folder(
    folder: Path, progress: OnProgress | None = None, damaged: list[UnreadableArchive] | None = None
) -> int:
    """Restore the packed games of a folder as files; returns how many there were. Raises UserError.

    An archive that cannot be read, or not as a whole, is not deleted. With ``damaged`` it is added there, and everything that
    can be read is restored; without, raises UnreadableArchive.
    """
    games = 0
    try:
        with folder_lock(folder):
            for archive in readable(archives(folder), damaged):
                games += _unpack_one(folder, archive, damaged, progress)
    except OSError as error:
        raise cannot(f"unpack {folder}", error) from None
    return games


def _unpack_one(
    folder: Path, archive: Archive, damaged: list[UnreadableArchive] | None, progress: OnProgress | None
) -> int:
    mode = archive.path.stat().st_mode & 0o666
    games, left, whole_groups = 0, _MOST_BYTES, 0
    for group in range(archive.groups):
        readable_games: list[PackedGame] = []
        with passing_over(damaged):
            readable_games = list(archive.games(group))
            whole_groups += 1
        for game in readable_games:
            _check_name(archive.path, game.name)
            left -= _checked_size(archive.path, game)
            if left < 0:
                raise UserError(
                    f"{archive.path}: unpacks to more than {show_size(_MOST_BYTES)}, the most that an archive may hold"
                )
            logs = logs_of(folder / game.name)
            for column, log in game.logs.items():
                _restore(logs[column], log, game.modified_us, mode)
            _restore(folder / game.name, game.record, game.modified_us, mode)
            games += 1
            if progress and games % 500 == 0:
                progress(games, len(archive))
    os.sync()
    if whole_groups < archive.groups:
        return games
    _compare(archive, folder)
    archive.path.unlink()
    sync(folder)
    return games


def _compare(archive: Archive, folder: Path) -> None:
    """Compare the files with the archive they were restored from. Raises UserError, and deletes nothing, if they differ."""
    for group in range(archive.groups):
        for game in archive.games(group):
            path = folder / game.name
            logs = {column: read_file(log) for column, log in logs_of(path).items() if os.path.lexists(log)}
            if game.record != read_file(path) or game.logs != logs:
                raise UserError(f"{path}: was changed while it was unpacked; nothing was deleted; try again")


def _checked_size(archive: Path, game: PackedGame) -> int:
    """Return the size of the files of a game in bytes. Raises UserError for one that is too large to be read again."""
    sizes = [len(game.record), *map(len, game.logs.values())]
    check_size(archive, max(sizes))
    return sum(sizes)


def _check_name(archive: Path, name: str) -> None:
    """Raise UserError for a name that would lead out of the folder: an archive may be untrusted."""
    if "/" in name or "\0" in name or name.startswith(".") or not name.endswith(SUFFIX):
        raise UserError(f"{archive}: {name!r} cannot be the name of a saved game")


def _restore(path: Path, data: bytes, modified_us: int, mode: int) -> None:
    """Write a file that must not exist with other contents. Raises UserError."""
    if os.path.lexists(path):
        if read_file(path) != data:
            raise UserError(f"{path}: differs from the packed game of the same name; move it away and unpack again")
        return
    replace_file(path, data, mode, modified_ns=modified_us * 1000)

"""How users name saved games: every command that takes a game understands the same addresses.

============================  =======================================================
``games/cup/00037-a-b.jsonl``  the file, also if it has been packed into an archive
``games/cup#37``               game 37 in a folder, such as that of a contest
``cup#37``                     the same, for a folder among the saved games
``37``                         game 37 of the contest in the current folder
``20261116-091500-1``         the saved game whose file begins and ends with this: when it was played, and a number
``last``, ``last~2``           the newest saved game, and the one played two games before it
============================  =======================================================

A path that exists is never taken for anything else. Paths are also looked up among the saved and the bundled games.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from arbiter.config.workspace import Workspace, bundled
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.reader import find_records
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.records.writer import SUFFIX
from arbiter.text import display_path

ADVICE = "name a file or folder, last, or CONTEST#37"
_LAST = re.compile(r"last(?:~([0-9]{1,9}))?")
_STAMPED = re.compile(r"([0-9]{8}-[0-9]{6})-([0-9]{1,9})")
_NUMBERED = re.compile(r"(?:(.+)#)?([0-9]{1,9})", re.DOTALL)


def games_at(addresses: Iterable[str | Path], damaged: list[UnreadableArchive] | None = None) -> list[Path]:
    """Return the games with these addresses, and all in the given folders. Raises UserError.

    Archives in these folders that cannot be read are added to ``damaged``; without it, raises UnreadableArchive.
    """
    return find_records([place(str(each)) for each in addresses], damaged)


def game_at(address: str) -> Path:
    """Return the game with this address; of a folder, the newest one. Raises UserError."""
    path = place(address)
    if not path.is_dir():
        return path
    if games := search(path, Query(limit=1), keep=_is_ours(path)).games:
        return Path(games[0].record)
    if not (files := find_records([path])):
        raise UserError(f"no saved game in {address!r}")
    return files[-1]  # none of them can be read, and the reader says why


def games_lost_at(address: str, agents: tuple[str, ...]) -> list[Path]:
    """Return the games of a folder that these agents lost, newest first. Raises UserError if there are none."""
    folder = place(address)
    if not folder.is_dir():
        raise UserError(f"--lost: {address!r} is one game; give a folder")
    games = search(folder, Query(lost=agents), keep=_is_ours(folder)).games
    if not games:
        raise UserError(f"no saved game in {address!r} that {' and '.join(map(repr, agents))} lost")
    return [Path(game.record) for game in games]


def number_at(address: str) -> tuple[Path, int]:
    """Return the folder and the number of a game with this address, which need not be there any more. Raises UserError."""
    if numbered := _NUMBERED.fullmatch(address):
        return place(numbered[1] or "."), int(numbered[2])
    path = place(address)
    if path.is_dir() or (number := _number_of(path)) is None:
        raise UserError(f"{address!r} is no game of a contest; name one as CONTEST#37")
    return path.parent, number


def place(address: str) -> Path:
    """Return the path of the game or folder with this address. Raises UserError."""
    try:
        for path in (Path(address), bundled() / address):
            if at_rest.exists(path):
                return path
        saved = Workspace().games
        if newest := _LAST.fullmatch(address):
            return _newest(saved, int(newest[1] or 0), address)
        if (stamped := _STAMPED.fullmatch(address)) and (found := _in(saved, f"{stamped[1]}-", f"-{stamped[2]}")):
            return found[0]
        if _NUMBERED.fullmatch(address):
            return _numbered(*number_at(address))
        if at_rest.exists(saved / address):
            return saved / address
    except OSError as error:
        raise UserError(f"{address}: {error.strerror}") from None
    raise UserError(f"no such saved game {address!r}; {ADVICE}")


def address_of(path: str | Path) -> str:
    """Return the address of a saved game to print, quoted for a shell: ``matches/games/cup#37`` if it has a number."""
    path = Path(path)
    if (number := _number_of(path)) is None:
        return shlex.quote(display_path(path))
    return f"{shlex.quote(display_path(path.parent))}#{number}"


def short_address(path: Path, saved: Path) -> str:
    """Return the shortest address of a game for a list, if the folder of saved games is ``saved``."""
    stamped = re.match(r"([0-9]{8}-[0-9]{6})-.*-([0-9]{1,9})\.jsonl", path.name)
    if path.parent.absolute() == saved and stamped:
        return f"{stamped[1]}-{stamped[2]}"
    if path.parent.parent.absolute() == saved and (number := _number_of(path)) is not None:
        return f"{shlex.quote(path.parent.name)}#{number}"
    return address_of(path)


def _number_of(path: Path) -> int | None:
    """The number with which the name of a game begins; not a date, which has more digits."""
    found = re.match(r"([0-9]{5,7})-", path.name)
    return int(found[1]) if found else None


def _is_ours(folder: Path) -> bool:
    """Whether an index may be kept in a folder: not among the bundled files."""
    return not folder.resolve().is_relative_to(bundled() / "matches" / "samples")


def _newest(saved: Path, before: int, address: str) -> Path:
    games = search(saved, Query(limit=before + 1)).games if saved.is_dir() else []
    if len(games) <= before:
        raise UserError(f"{address}: there are {len(games)} saved games in {display_path(saved)}")
    return Path(games[before].record)


def _numbered(folder: Path, number: int) -> Path:
    found = _in(folder, f"{number:05d}-")
    if not found:
        raise UserError(f"no game {number} in {display_path(folder.absolute())}; a contest's game is CONTEST#{number}")
    return found[0]


def _in(folder: Path, start: str, end: str = "") -> list[Path]:
    """The games of a folder, packed or not, whose names begin and end so."""
    packed = (path for path in at_rest.paths(folder) if path.name.startswith(start) and path.stem.endswith(end))
    return [*folder.glob(f"{start}*{end}{SUFFIX}"), *packed]

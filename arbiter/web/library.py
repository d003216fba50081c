"""The saved games that a server shows. A page names a game by an id, never by a path."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from arbiter.config.workspace import bundled
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.records.search.folder import INDEX, Found, search
from arbiter.records.search.query import Query
from arbiter.records.search.scan import Stamp, packed_paths, scan
from arbiter.records.summary import GameSummary, summarise
from arbiter.web.feed import Feed

MANY = 500
"""If a folder has more games and no index yet, the newest ones are listed before it is made."""
_OPEN = 32
"""Games whose documents are kept in memory."""


def game_id(path: Path) -> str:
    """Return the id of the game at an absolute path."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


class Library:
    """Games given one by one, or all the games in a folder."""

    def __init__(self, games: Iterable[Path] = (), folder: Path | None = None) -> None:
        self.folder = folder.absolute() if folder else None
        self._paths: dict[str, Path] = {}
        self._feeds: OrderedDict[str, Feed] = OrderedDict()
        self._newest = ""
        self.public = False
        """Whether pages are for people who should not see where on this machine the games are."""
        self._indexing: threading.Thread | None = None
        self.growing = False
        """Whether games are still being added, so that a page should wait for the next one."""
        for path in games:
            self.add(path)

    def add(self, path: Path) -> str:
        """Add one game and return its id."""
        path = path.absolute()
        name = self._newest = game_id(path)
        self._paths[name] = path
        return name

    @property
    def newest(self) -> str:
        """The id of the game that was added last; empty if there is none."""
        return self._newest

    def only_game(self) -> str | None:
        """Return the id of the game if there is just one and no folder."""
        return next(iter(self._paths)) if len(self._paths) == 1 and self.folder is None else None

    def path(self, name: str) -> Path | None:
        """Return the path of a game; None if no game has this id."""
        if name not in self._paths and self.folder:
            found = scan(self.folder)
            paths = [self.folder / os.fsdecode(file) for file in found.files]
            for path in (*paths, *packed_paths(self.folder, found)):
                self._paths[game_id(path)] = path
        return self._paths.get(name)

    def feed(self, name: str) -> Feed | None:
        """Return the feed of a game; None if no game has this id."""
        path = self.path(name)
        if path is None:
            return None
        feed = self._feeds.pop(name, None) or Feed(path, drawn=True)
        self._feeds[name] = feed
        while len(self._feeds) > _OPEN:
            self._feeds.popitem(last=False)
        return feed

    def stamps(self) -> dict[bytes, Stamp]:
        """Return the record files of the folder, each with its size and time: different as soon as anything changes."""
        if self.folder is None:
            return {}
        found = scan(self.folder)
        return {**found.files, **found.archives}

    def search(self, query: Query) -> Found:
        """Return the games that match; games given one by one are always listed."""
        if self.folder:
            if query == Query(limit=query.limit) and self._first_look():
                return self._newest_games(query.limit)
            return self._search(self.folder, query)
        games = [summary for path in self._paths.values() if (summary := _summary(path))]
        return Found(games, len(games), len(games), [])

    def _search(self, folder: Path, query: Query) -> Found:
        ours = folder.resolve().is_relative_to(bundled() / "matches" / "samples")
        return search(folder, query, keep=not ours)

    @property
    def indexing(self) -> bool:
        """Whether the index of a large folder is being made, so that only its newest games are listed."""
        return self._indexing is not None and self._indexing.is_alive()

    def wait_for_index(self) -> None:
        """Wait until the index is made."""
        if self._indexing is not None:
            self._indexing.join()

    def _first_look(self) -> bool:
        """Return whether the index is still being made; starts that for a large folder without one."""
        assert self.folder is not None
        if self._indexing is None and not (self.folder / INDEX).exists() and len(self.stamps()) > MANY:
            self._indexing = threading.Thread(target=self._make_index, args=(self.folder,), daemon=True)
            self._indexing.start()
        return self.indexing

    def _make_index(self, folder: Path) -> None:
        with contextlib.suppress(UserError):  # the next search reports it
            self._search(folder, Query(limit=0))

    def _newest_games(self, limit: int | None) -> Found:
        assert self.folder is not None
        stamps = self.stamps()
        newest = sorted(stamps, key=lambda file: (-stamps[file][1], file))[: limit if limit is not None else MANY]
        games = [game for file in newest if (game := _summary(self.folder / os.fsdecode(file)))]
        return Found(games, len(stamps), len(stamps), [])


def _summary(path: Path) -> GameSummary | None:
    try:
        return summarise(load_record(path))
    except UserError:
        return None

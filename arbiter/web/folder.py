"""The data of the page that lists games: the games that match a search, and the standings of a contest."""

from __future__ import annotations

import functools
import hashlib
import os
import shlex
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arbiter.config.workspace import Workspace
from arbiter.contest.match_file import load_contest
from arbiter.contest.report import build_report
from arbiter.contest.runner import current_result
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.contest.statistics.standing import page_table
from arbiter.errors import UserError, unknown, wrong_value
from arbiter.game import FaultKind, Protocol
from arbiter.records.exports.document import encode_json, short_texts
from arbiter.records.search.moments import asked_us
from arbiter.records.search.query import ANY_FAULT, Query
from arbiter.records.search.scan import Stamp
from arbiter.records.summary import GameSummary
from arbiter.registry import find_protocol
from arbiter.seat_names import SeatNames
from arbiter.web.library import Library, game_id

SCREENFUL = 100
"""Games that the page lists before more are asked for."""
MOST_SHOWN = 100_000
_MOST_TEXT = 1000
"""Characters sent of one text: a page lists a hundred games, and a stranger's record may have a megabyte in each of its fields."""
_LOOK_S = 0.4
_SHARE = 19
"""Scanning the folder and listing its games takes about one part in this many of a core's time, at most …"""
_LONGEST_REST_S = 10.0
"""… but the pages are never further behind than this."""
_MOST_KEPT = 16
"""Number of responses that are cached for equal requests."""
_SHOWN = (
    *(
        "finished",
        "protocol",
        "contest",
        "stage",
        "started",
        "ended",
        "duration_us",
        "turns",
        "seats",
        "ranks",
        "scores",
    ),
    *("reason", "digest", "annulled", "number"),
)
"""What the page is sent of a game, as it is in its summary."""
_LISTS = {"agent": "agents", "won": "won", "drew": "drew", "lost": "lost", "fault": "faults"}
_WORDS = ("protocol", "kibitz", "contest", "stage")
_SWITCHES = ("finished", "reverse", "duplicates")
_OTHERS = ("since", "before", "seed", "sort", "limit", *_SWITCHES)
_KINDS = (ANY_FAULT, *map(str, FaultKind))
_SORTS = ("date", "length", "duration")


class FolderPage:
    """What the page of a folder shows."""

    def __init__(self, library: Library, title: str = "") -> None:
        self._library = library
        self._title = title or (library.folder.name if library.folder else "Saved games")
        self._contest: tuple[dict[bytes, Stamp], Any] | None = None
        """The standings, and the state of the folder they were made from."""
        self.recent, self._scan_again_s = "", 0.0
        """The last known state, and when to look again."""
        self._lock = threading.Lock()
        self._answers: dict[Hashable, tuple[str, bytes]] = {}
        """What was sent lately, with the state it belongs to."""
        self._spent_s = 0.0

    def games(self, asked: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """Return the games that match the conditions, named as the options of ``arbiter games``. Raises UserError."""
        state = self.state()
        found = self._library.search(query_from_address(asked))
        if self._library.indexing:
            state = ""  # so that the page asks again when the index is there
        return {
            "title": self._title,
            "state": state,
            "can_search": self._library.folder is not None,
            "can_change": self._library.folder is not None,
            "has_contest": self._has_contest(),
            "indexing": self._library.indexing,
            "fault_kinds": _KINDS,
            "found": found.total,
            "searched": found.searched,
            "games": [_line(game) for game in found.games],
            "damaged": [_text(f"{each.path.name}{each.problem}") for each in found.damaged[:20]],
        }

    def state(self) -> str:
        """Return a text that differs whenever a record in the folder has been added, changed or removed."""
        stamps = sorted(self._library.stamps().items())
        return hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]

    @property
    def scan_is_due(self) -> bool:
        """Whether the folder should be scanned again."""
        return time.monotonic() >= self._scan_again_s

    def recent_state(self) -> str:
        """Return a recent state: many watchers of a large folder share one scan of it."""
        if self.scan_is_due:
            start = time.thread_time()
            self.recent = "" if self._library.indexing else self.state()
            spent, self._spent_s = self._spent_s + time.thread_time() - start, 0.0
            self._scan_again_s = time.monotonic() + max(_LOOK_S, min(_SHARE * spent, _LONGEST_REST_S))
        return self.recent

    def shared(self, what: Hashable, make: Callable[[], Any]) -> bytes:
        """Return a document as JSON; equal requests share one answer until the folder changes."""
        with self._lock:
            state = self.recent_state()
            kept = self._answers.get(what)
            if kept and state and kept[0] == state:
                return kept[1]
            start = time.thread_time()
            data = encode_json(make())
            self._spent_s += time.thread_time() - start
            if len(self._answers) >= _MOST_KEPT:
                self._answers.clear()
            self._answers[what] = "" if self._library.indexing else state, data
            return data

    def _has_contest(self) -> bool:
        return self._library.folder is not None and (self._library.folder / CONTEST_FILE).is_file()

    def contest(self) -> Any:
        """Return the report of the contest in the folder with its standings as tables; None without one."""
        folder = self._library.folder
        if folder is None or not self._has_contest():
            return None
        stamps = self._library.stamps()
        if self._contest is None or self._contest[0] != stamps:
            loaded = load_contest(folder, only_look=True)
            report = build_report(loaded, current_result(loaded), beside=folder)
            document = msgspec.to_builtins(report)
            document["standings"] = page_table(report.rows)
            document["wall"] = page_table(report.rows, "wall")
            for game in document["games"]:
                game["id"] = game_id(folder / game["record"])
            self._contest = stamps, short_texts(document, _MOST_TEXT)
        return self._contest[1]


def query_from_address(asked: Sequence[tuple[str, str]]) -> Query:
    """Return the query for conditions from an address. Raises UserError."""
    given: dict[str, Any] = {"limit": SCREENFUL}
    now_us = time.time_ns() // 1000
    words = (pair for name, value in asked if name == "words" for pair in _meant(value))
    for name, value in (*words, *(pair for pair in asked if pair[0] != "words")):
        if not value:
            continue
        if name in _LISTS:
            given[_LISTS[name]] = (*given.get(_LISTS[name], ()), value)
        elif name in _WORDS:
            given[name] = value
        elif name == "since":
            given["since_us"] = asked_us(value, now_us, what=name)
        elif name == "before":
            given["until_us"] = asked_us(value, now_us, what=name) - 1
        elif name in ("seed", "limit"):
            given[name] = _whole_number(name, value)
        elif name in _SWITCHES:
            given[name] = value in ("1", "true", "yes")
        elif name == "sort":
            if value not in _SORTS:
                raise unknown("order", value, _SORTS)
            given[name] = value
        else:
            raise unknown("condition", name, (*_LISTS, *_WORDS, *_OTHERS))
    return Query(**given)


def _meant(words: str) -> Iterator[tuple[str, str]]:
    """Return the conditions that words typed into one field stand for: ``lost:greedy``, a fault, a seed, a game, or an agent."""
    try:
        split = shlex.split(words)
    except ValueError:  # a quote without an end
        split = words.split()
    for word in split:
        name, _, value = word.partition(":")
        if value and name in (*_LISTS, *_WORDS, *_OTHERS):
            yield name, value
        elif word in _KINDS:
            yield "fault", word
        elif word.isdecimal():
            yield "seed", word
        else:
            yield ("protocol" if _protocol(word) else "agent"), word


def _whole_number(name: str, value: str) -> int:
    if not value.isdecimal() or len(value) > 20:
        raise wrong_value(name, value[:40], "a whole number")
    return min(int(value), MOST_SHOWN) if name == "limit" else int(value)


def _line(game: GameSummary) -> dict[str, Any]:
    path, protocol = Path(game.record), _protocol(game.protocol)
    shown: dict[str, Any] = short_texts(
        {**{name: getattr(game, name) for name in _SHOWN}, "faults": game.fault_counts()}, _MOST_TEXT
    )
    return {
        **shown,
        "reason": SeatNames(protocol, shown["seats"]).in_words(shown["reason"]) if protocol else shown["reason"],
        "seed": str(game.seed),  # as a number, a browser would round it
        "first_seat": protocol.first_seat if protocol else 0,
        "id": game_id(path.absolute()),
        "record": _text(path.name),
    }


@functools.cache
def _protocol(name: str) -> Protocol | None:
    """Return a protocol; None if it is not known here."""
    try:
        return find_protocol(name, Workspace())
    except UserError:
        return None


def _text(value: str) -> str:
    """Return a file name as text, also if it is not valid UTF-8."""
    return os.fsencode(value).decode(errors="replace")

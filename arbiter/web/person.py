"""A person who plays in the browser: the seat between the turn loop and the pages.

The turn loop runs in its own thread and waits here for the answer; the server's threads hand it over. What the person sees
comes from the record as it grows, without what their seat may not know.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.human import Abandoned
from arbiter.errors import UserError
from arbiter.game import Game, IllegalMove
from arbiter.web.feed import Feed

if TYPE_CHECKING:
    from arbiter.agents.ask.request import Request

LONGEST = 20_000
"""Characters of an answer that a person may send."""
LAST_LOOK_S = 3.0
"""How long a page may be gone, while it is loaded again, before its person is taken to be done."""


class NotAsked(UserError):
    """Raised for an answer to a question that is not, or no longer, open."""


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """An open question to the person."""

    number: int
    choices: tuple[str, ...] | None
    """The legal answers; None if they cannot be listed."""
    asked_ns: int


class PersonSeat:
    """Answers for one seat in one game; a person has no time limit, but the time is measured."""

    left_ns: int | None = None

    def __init__(self, game: Game, seat: int, name: str, rules: str) -> None:
        self.seat, self.name, self.rules = seat, name, rules
        self._game, self._display = game, game.display()
        self._changed = threading.Condition()
        self._number = 0
        self._question: PersonQuestion | None = None
        self._answer: Answer | None = None
        self.left = False
        """Whether the person has left the game, which ends it."""

    def put(self, request: Request) -> None:
        """Do nothing yet: the page follows the record, which may not have been flushed up to this turn."""

    def answer(self) -> Answer:
        """Ask the person and wait for a legal answer. Raises Abandoned if the person leaves the game."""
        choices = self._display.legal(self.seat)
        with self._changed:
            self._number += 1
            listed = None if choices is None else tuple(choices)
            self._question, self._answer = PersonQuestion(self._number, listed, time.monotonic_ns()), None
            self._changed.wait_for(lambda: self._answer is not None or self.left)
            self._question = None
            if self._answer is None:
                raise Abandoned(f"{self.name} left the game; what was played so far is saved")
            return self._answer

    def finish(self, text: str) -> None:
        """Do nothing: the page follows the record to its end."""

    @property
    def question(self) -> PersonQuestion | None:
        """The question that is open."""
        with self._changed:
            return self._question

    def submit(self, number: int, text: str) -> None:
        """Take an answer from the page. Raises IllegalMove with what is wrong, and NotAsked if it comes at the wrong time."""
        with self._changed:
            question = self._question
            if question is None or number != question.number or self._answer is not None:
                raise NotAsked("it is not your turn, or this turn was already answered")
            if len(text) > LONGEST:
                raise IllegalMove(f"a move of {len(text)} characters is too long")
            wall_ns = time.monotonic_ns() - question.asked_ns
            meant = self._display.typed(self.seat, text.strip())
            self._game.read(self.seat, meant)  # the turn loop is waiting for this very answer: the game stands still
            self._answer = Answer(self.seat, meant, len(text.encode()), wall_ns=wall_ns, charged_ns=wall_ns)
            self._changed.notify_all()

    def leave(self) -> None:
        """End the game: the turn loop raises Abandoned."""
        with self._changed:
            self.left = True
            self._changed.notify_all()


@dataclass(slots=True)
class PersonGame:
    """What one person plays now: a seat in a game, and its record as far as that seat may know it."""

    seat: PersonSeat
    feed: Feed
    number: int
    """Which game of the series it is, from 1."""

    @property
    def over(self) -> bool:
        """Whether nothing is secret any more: the game has ended, or the person has left it."""
        return self.feed.over or self.seat.left


class People:
    """The people of a series of games, by the key in the address of their page. Nobody else can guess a key."""

    def __init__(self, names: Sequence[str]) -> None:
        self.keys = {name: secrets.token_urlsafe(9) for name in names}
        self._games: dict[str, list[PersonGame]] = {key: [] for key in self.keys.values()}
        self._seats: list[PersonSeat] = []
        self._game = 0
        self._changed = threading.Condition()
        self._pages = 0
        """Pages that are open: each follows its game."""
        self._rematch = False

    def sit(self, game: Game, seat: int, name: str, rules: str) -> PersonSeat:
        """Return the respondent for a person in the next game."""
        made = PersonSeat(game, seat, name, rules)
        self._seats.append(made)
        return made

    def begin(self, record: Path) -> None:
        """Show the game with this record on the pages of the people who have just sat down."""
        self._game += 1
        for seat in self._seats:
            self._games[self.keys[seat.name]].append(PersonGame(seat, Feed(record, seat.seat), self._game))
        self._seats = []

    @contextlib.contextmanager
    def page_open(self) -> Iterator[None]:
        """Count a page as open for the time of the block."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self._changed:
            self._pages += more
            self._changed.notify_all()

    def ask_rematch(self) -> None:
        """Play again, once the series is over."""
        with self._changed:
            self._rematch = True
            self._changed.notify_all()

    def wants_rematch(self, last_look_s: float = LAST_LOOK_S) -> bool:
        """Wait, after a series, until a person wants another one, which returns True, or until all pages are closed."""
        with self._changed:
            while not self._rematch:
                if self._pages:
                    self._changed.wait()
                elif not self._changed.wait_for(lambda: self._pages or self._rematch, last_look_s):
                    break
            wanted, self._rematch = self._rematch, False
            return wanted

    def person_game(self, key: str, game: int | None = None) -> PersonGame | None:
        """Return what the person with this key plays in a game of the series; by default, in the latest one."""
        found = [played for played in self._games.get(key, []) if game in (None, played.number)]
        return found[-1] if found else None


@contextlib.contextmanager
def people_at_browsers(names: Sequence[str]) -> Iterator[tuple[People, dict[str, str]]]:
    """Serve the pages of these people within the block; yield them with the address of each. Raises UserError."""
    from arbiter.web.serve import listen, serve_people

    address, people = listen("127.0.0.1", 0), People(names)
    server = serve_people(people, address)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    try:
        yield people, {name: address.url(f"/play/{key}") for name, key in people.keys.items()}
    finally:
        server.should_exit = True
        thread.join(5)
        address.listening.close()

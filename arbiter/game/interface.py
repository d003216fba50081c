"""What a protocol must implement: :class:`Protocol`, and the :class:`Game` that it opens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from arbiter.game.answers import Fault, Move
from arbiter.game.chance import Chance
from arbiter.game.display import Display
from arbiter.game.external_games import ExternalGameFormat
from arbiter.game.options import Option, Options
from arbiter.game.rest import RestWire
from arbiter.game.results import Json, Result

if TYPE_CHECKING:
    from arbiter.game.corpus import Corpus

Lifetime = Literal["move", "game"]


class Game(ABC):
    """A game in progress: pure state, and what agents are sent. Everything for people is in :class:`Display`."""

    strict_exit: bool = True
    """Whether it is a fault if an agent spawned for one move gives a legal answer and then exits abnormally."""

    @abstractmethod
    def to_move(self) -> Sequence[int]:
        """Return the seats that must answer now: one, or several where moves are simultaneous."""

    def briefing(self, seat: int) -> str:
        """Return the text that comes before the first prompt.

        A long-lived agent gets it once, in the same write as its first prompt; an agent spawned for each move gets it
        before every prompt.
        """
        return ""

    @abstractmethod
    def prompt(self, seat: int) -> str:
        """Return the text to send this turn, byte for byte what the contest prescribes."""

    @abstractmethod
    def read(self, seat: int, answer: str) -> Move:
        """Parse an answer into canonical text, without changing the game.

        Raises IllegalMove, and nothing else, for every answer that is not a legal move.
        """

    @abstractmethod
    def fallback(self, seat: int, fault: Fault) -> str:
        """Return the move, in canonical text, that the rules prescribe after a fault: a pass, a stay, a defeat."""

    @abstractmethod
    def play(self, moves: Mapping[int, str]) -> None:
        """Advance by one turn, given a canonical text for every seat of :meth:`to_move`.

        The only method that changes the game, and the only one that may draw from chance.
        """

    @abstractmethod
    def result(self) -> Result | None:
        """Return the result, or None while the game goes on."""

    def final_message(self, seat: int) -> str:
        """Return the text for an agent that is still running when the game is over; it is not expected to answer."""
        return ""

    @abstractmethod
    def view(self) -> Json:
        """Return the whole position as plain data, for viewers and to compare positions."""

    def see_names(self, names: Sequence[str]) -> None:  # noqa: B027 - most protocols have no use for it
        """Receive the agents' names, by seat; called once, before the first turn, for protocols whose prompts show them.

        Nothing else may depend on them: equal moves give equal games, whatever the agents are called.
        """

    def see_clocks(self, left_us: Mapping[int, int]) -> None:  # noqa: B027 - most protocols have no use for it
        """Receive the time left for the whole game, in microseconds by seat.

        Called before every turn if agents have such a limit, for protocols whose prompts show it.
        """

    def display(self, names: Sequence[str] = ()) -> Display[Any]:
        """Return the game as people see it, who may be told what the seats are called; it follows the game as it goes on.

        By default a plain one, which is enough to play and to verify games.
        """
        return Display(self, names)


class Adapter(msgspec.Struct, frozen=True):
    """Runs agents that were written for a contest's own framework and are not programs by themselves."""

    extensions: tuple[str, ...]
    recognises: Callable[[str], bool]
    """Whether a source text is such an agent."""
    run: tuple[str, ...]
    """The command, as in the table of languages: ``{source}`` is the agent's file."""


class Protocol(ABC):
    """The rules and the wire format of a game, as agents see them.

    There is one instance per protocol, found through the entry-point group ``arbiter.protocols`` or in a folder named in
    arbiter.toml. It must be cheap to import and to create.
    """

    name: ClassVar[str]
    """As typed on the command line."""
    title: ClassVar[str]
    """As shown to people."""
    summary: ClassVar[str]
    """One line."""
    version: ClassVar[int] = 1
    """Incremented whenever the rules or the wire format change; stored in every record."""
    seats: ClassVar[tuple[int, int]]
    """The minimum and maximum number of seats."""
    seat_word: ClassVar[str] = "seat"
    """What the game calls a seat, in lower case: "player", "hero"."""
    first_seat: ClassVar[int] = 0
    """The number of the first seat, as agents see it. Inside the arbiter seats are numbered from 0."""
    lifetime: ClassVar[Lifetime]
    """How long an agent's process lives by default."""
    limits: ClassVar[Mapping[str, str]]
    """Default limits as a user would write them, such as ``{"move": "10s", "memory": "16GB"}``."""
    options: ClassVar[Sequence[Option]] = ()
    on_fault: ClassVar[str]
    """What a fault leads to, in one line."""
    help: ClassVar[str]
    """How a person types a move, in a few lines."""
    adapters: ClassVar[Sequence[Adapter]] = ()
    """Tried before the table of languages."""
    simultaneous: ClassVar[bool] = False
    """Whether seats are asked at the same time: agents are then placed on different cores where there are enough."""
    secondary: ClassVar[str] = ""
    """The per-seat list in :attr:`Result.data` that a second ranking is based on, higher being better; empty for none."""
    external_format: ClassVar[ExternalGameFormat | None] = None
    """The saved games of the contest's own arbiter, if they can be read and written."""
    rest: ClassVar[RestWire | None] = None
    """The contest's own HTTP API, if its clients can play in the arena."""
    season: ClassVar[Mapping[str, Json]] = {}
    """The format of the contest's own season: the parameters ``season`` and ``elimination`` of that kind of contest where they
    are not given."""
    keeps_files: ClassVar[bool] = False
    """Whether files that an agent writes to its own folder persist in a series, from a game to the next if that has another deal;
    by default every game starts clean."""

    unavailable: ClassVar[Mapping[str, str]] = {}
    """What cannot be done with its games, each with the reason: ``verify``, ``rerun``, ``cluster``."""
    enforced: ClassVar[Mapping[str, str]] = {}
    """What is not enforced by the arbiter but in another way, as written to records; see ``arbiter doctor``."""

    def corpus(self) -> Corpus | None:
        """Return random play that leads to unusual positions, for ``arbiter check``; None if the protocol has none."""
        return None

    @abstractmethod
    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        """Decide everything that precedes the first turn (decks, map, starting seat), as plain data."""

    @abstractmethod
    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        """Open a game. Everything random during play is drawn from ``chance``. Raises BadSetup."""


class GameLibrary(ABC):
    """Many protocols in one folder, each found by its own name; the module defines ``library`` instead of ``protocol``.

    The entry of the folder in arbiter.toml says ``library = true``.
    """

    title: ClassVar[str]
    """As shown to people."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of all its protocols, sorted."""

    @abstractmethod
    def find(self, name: str) -> Protocol | None:
        """Return the protocol of this name, or None."""

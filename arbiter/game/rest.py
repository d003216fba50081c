"""A contest's own HTTP API, which a protocol can offer so that the contest's clients play in the arena unchanged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from arbiter.game.options import OptionValue
from arbiter.game.results import Json

if TYPE_CHECKING:
    from arbiter.game.interface import Game


class RestWire(ABC):
    """How prompts become responses, and requests become options."""

    prefix: str
    """The prefix of nearly every error message."""
    training_path: str
    """Where a client posts its key to play against house agents."""
    join_path: str
    """Where it posts its key to join a game."""
    play_path: str
    """Where it posts its moves, with ``{game}`` and ``{token}``."""
    id_key: str
    """The parameter with the id of the game to join."""
    move_key: str
    """The parameter with the move."""
    streams: ClassVar[Mapping[str, str]] = {}
    """The addresses of its event streams: ``events`` (with ``{game}``), ``playing``, ``available``, ``team_playing`` (with
    ``{team}``)."""
    redirects: ClassVar[Mapping[str, str]] = {}
    """Its pages, each with that of the arena which shows the same: ``/``, ``/newest``, ``/team?name={team}`` …"""
    drawings: ClassVar[Sequence[str]] = ()
    """The addresses of pages that :meth:`drawn` makes."""

    @abstractmethod
    def options(self, wanted: Mapping[str, object], pick: Callable[[Sequence[str]], str]) -> dict[str, OptionValue]:
        """Return the options for the parameters of a request; ``pick`` chooses where the client does not.

        Raises BadSetup for options that cannot be played.
        """

    def finished(self, options: Mapping[str, object]) -> str:
        """Return the error message for a move after the end of a game with these options."""
        return f"{self.prefix}Game is finished"

    @abstractmethod
    def opening(self, setup: Json, game_id: str, absent: Sequence[int]) -> Json:
        """Return a setup with the id of the game, and with empty seats marked as such."""

    @abstractmethod
    def addressed(self, prompt: str, token: str, view_url: str, play_url: str) -> str:
        """Return a prompt with the token and the URLs that a web client needs."""

    def drawn(self, given: Mapping[str, str], game: Callable[[], Game]) -> str:
        """Return one of the ``drawings`` as HTML, for the parameters in its address; ``game`` starts a game with random
        settings. Raises BadSetup."""
        raise NotImplementedError

    @abstractmethod
    def spectate(self, game: Game, see: Callable[[str], None]) -> None:
        """Have ``see`` called with the public state of the game after every ply."""

"""Matches for tests: started, arranged and played turn by turn."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import pytest

from arbiter.game import Chance, Game, GarbledMove, Json, Result
from protocols.drones import protocol
from protocols.drones.game import DronesGame

if TYPE_CHECKING:
    from arbiter.game import OptionValue
    from protocols.drones.state import Clash, Units

T = TypeVar("T")


def new_match(seed: int = 1, **options: OptionValue) -> DronesGame:
    """Open a match."""
    game = protocol.start(2, options, protocol.setup(2, options, Chance(seed, "setup")), Chance(seed))
    assert isinstance(game, DronesGame)
    return game


def army(game: DronesGame, seat: int, producers: Units, soldiers: Units) -> None:
    """Give a seat these units."""
    game.position.producers[seat] = producers
    game.position.soldiers[seat] = soldiers


def units(game: DronesGame, seat: int) -> tuple[Units, Units]:
    """Return the producers and soldiers of a seat."""
    return game.position.producers[seat], game.position.soldiers[seat]


def says(**fields: Json) -> str:
    """Return an answer with these fields, as JSON."""
    return json.dumps(fields)


def reads(game: DronesGame, answer: str, seat: int = 0) -> str:
    """Return the canonical text of an answer that must be valid."""
    return game.read(seat, answer).text


def turn(game: DronesGame, first: str, second: str) -> None:
    """Play a turn with the answers of both seats."""
    game.play({0: reads(game, first, 0), 1: reads(game, second, 1)})


def fight(game: DronesGame, mine: tuple[Units, Units], other: tuple[Units, Units], attacks: str) -> Clash:
    """Play a clash of two armies (producers, soldiers) in this turn; ``attacks`` are the seats that attack."""
    army(game, 0, *mine)
    army(game, 1, *other)
    turn(game, *(f"0 0 {int(str(seat) in attacks)}" for seat in (0, 1)))
    clash = game.position.last_clash
    assert clash is not None
    assert clash.soldiers == (mine[1], other[1])
    return clash


def win_round(game: DronesGame, seat: int) -> None:
    """Let a seat win the current round."""
    army(game, seat, 1, 5)
    army(game, 1 - seat, 1, 0)
    turn(game, *(f"0 0 {int(place == seat)}" for place in (0, 1)))


def messages(text: str) -> list[Json]:
    """Parse what an agent is sent; every message is one line that ends with a newline."""
    assert text.endswith("\n") or not text
    return [json.loads(line) for line in text.splitlines()]


def kinds(text: str) -> list[str]:
    """Return the types of the messages in a text."""
    return [message["type"] for message in messages(text)]


def result_of(game: Game) -> Result:
    """Return the result of a finished match."""
    result = game.result()
    assert result is not None
    return result


def garbled(game: DronesGame, answer: str, because: str) -> None:
    """Assert that the answer is garbled, for a reason that contains these words."""
    with pytest.raises(GarbledMove) as caught:
        game.read(0, answer)
    assert because in caught.value.reason
    assert caught.value.reason.isprintable()
    assert len(caught.value.reason) < 140


def pick(items: Sequence[T], rng: random.Random) -> T:
    """Choose one of the items with random(), the only method that is stable across Python versions."""
    return items[int(rng.random() * len(items))]


def random_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return a valid answer, sometimes asking for too much, with an attack in one turn of five."""
    assert isinstance(game, DronesGame)
    most = int(game.position.producers[seat]) + 2
    return says(
        newProducers=int(rng.random() * most), newSoldiers=int(rng.random() * most), launchAttack=rng.random() < 0.2
    )

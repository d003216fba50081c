"""Positions for tests: a dealt game, arranged by moving chips and cards."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

import pytest

from arbiter.game import Chance, Game, GarbledMove, IllegalMove
from protocols.splendor import protocol
from protocols.splendor.cards import BONUS, LEVEL, NOBLE_POINTS, POINTS
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal_moves import legal_moves
from protocols.splendor.state import CHIPS_PER_COLOUR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.game import OptionValue

T = TypeVar("T")


def new_game(seats: int = 2, seed: int = 1, **options: OptionValue) -> SplendorGame:
    """Deal a game."""
    game = protocol.start(seats, options, protocol.setup(seats, options, Chance(seed, "setup")), Chance(seed))
    assert isinstance(game, SplendorGame)
    return game


def hand(game: SplendorGame, seat: int, *counts: int) -> None:
    """Give a seat these six counts of chips; the bank absorbs the difference."""
    position = game.position
    for colour, count in enumerate(counts):
        position.bank[colour] -= count - position.players[seat].chips[colour]
        position.players[seat].chips[colour] = count
        assert position.bank[colour] >= 0, "the bank has not so many chips"


def drain(game: SplendorGame, colour: int, left: int = 0) -> None:
    """Move all but ``left`` chips of a colour from the bank to the last seat, whatever its hand."""
    position = game.position
    moved = position.bank[colour] - left
    position.bank[colour] = left
    position.players[-1].chips[colour] += moved


def show(game: SplendorGame, card: int, slot: int = 0) -> None:
    """Put the card face up in this slot; swap it with the card that was there."""
    deck, row = game.position.decks[LEVEL[card] - 1], game.position.rows[LEVEL[card] - 1]
    other = row[slot]
    for place in (deck, row):
        if card in place:
            place[place.index(card)] = other
    row[slot] = card


def own(game: SplendorGame, seat: int, *cards: int) -> None:
    """Let a seat own these cards, which were face down."""
    player = game.position.players[seat]
    for card in cards:
        game.position.decks[LEVEL[card] - 1].remove(card)
        player.cards.append(card)
        player.bonuses[BONUS[card]] += 1
        player.points += POINTS[card]


def own_bonuses(game: SplendorGame, seat: int, *counts: int) -> None:
    """Let a seat own this many face-down cards of each colour; cheap ones first."""
    for colour, count in enumerate(counts):
        deck = [card for cards in game.position.decks for card in cards if BONUS[card] == colour]
        own(game, seat, *sorted(deck)[:count])


def on_board(game: SplendorGame, *nobles: int) -> None:
    """Put exactly these nobles on the table."""
    game.position.nobles[:] = nobles


def empty_deck(game: SplendorGame, level: int, left: int = 0) -> None:
    """Let the last seat own all but ``left`` face-down cards of a level."""
    own(game, len(game.position.players) - 1, *game.position.decks[level - 1][left:])


def accepted(game: SplendorGame, seat: int, answer: str) -> str:
    """Return the canonical text of an answer that must be legal."""
    return game.read(seat, answer).text


def refused(game: SplendorGame, seat: int, answer: str, because: str) -> None:
    """Assert that the answer is an illegal move, for a reason that contains these words."""
    with pytest.raises(IllegalMove) as caught:
        game.read(seat, answer)
    assert not isinstance(caught.value, GarbledMove), caught.value.reason
    assert because in caught.value.reason


def garbled(game: SplendorGame, seat: int, answer: str, because: str) -> None:
    """Assert that the answer is garbled, for a reason that contains these words."""
    with pytest.raises(GarbledMove) as caught:
        game.read(seat, answer)
    assert because in caught.value.reason


def turn(game: SplendorGame, answer: str) -> None:
    """Play a legal answer of the seat to move."""
    seat = game.to_move()[0]
    game.play({seat: accepted(game, seat, answer)})


def pick(items: Sequence[T], rng: random.Random) -> T:
    """Choose one of the items with random(), the only method that is stable across Python versions."""
    return items[int(rng.random() * len(items))]


def random_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return a legal move: mostly a purchase if there is one, so that games come to an end."""
    assert isinstance(game, SplendorGame)
    moves = legal_moves(game, seat)
    purchases = [move for move in moves if move[0] == "4"]
    if purchases and rng.random() < 0.8:
        return pick(purchases, rng)
    kind = pick("1123", rng)
    return pick([move for move in moves if move[0] == kind] or moves, rng)


def check_invariants(game: Game) -> None:
    """Assert the invariants of every position."""
    assert isinstance(game, SplendorGame)
    position = game.position
    players = position.players
    supply = [CHIPS_PER_COLOUR[len(players)]] * 5 + [5]
    for colour in range(6):
        held = [player.chips[colour] for player in players]
        assert min(position.bank[colour], *held) >= 0
        assert position.bank[colour] + sum(held) == supply[colour]
    for player in players:
        assert sum(player.chips) <= 10
        assert len(player.reserve) <= 3
        assert player.secret <= set(player.reserve)
        assert player.bonuses == [sum(BONUS[card] == colour for card in player.cards) for colour in range(5)]
        assert player.points == sum(POINTS[card] for card in player.cards) + NOBLE_POINTS * len(player.nobles)
    piles = [*position.decks, *position.rows, *[pile for player in players for pile in (player.cards, player.reserve)]]
    places = Counter(card for pile in piles for card in pile if card)
    assert sorted(places.elements()) == list(range(1, 91))
    for level, (deck, row) in enumerate(zip(position.decks, position.rows, strict=True), 1):
        assert len(row) == 4
        assert 0 not in row or not deck
        assert {LEVEL[card] for card in (*deck, *row) if card} <= {level}

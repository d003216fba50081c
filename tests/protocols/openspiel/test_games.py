"""Every game of OpenSpiel is played to its end, replayed from what was recorded, and drawn from no secret."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.game import BadSetup, Chance, Fault, FaultKind, Game, IllegalMove, Protocol, ranks_from_scores
from arbiter.registry import find_protocol, library_names
from arbiter.testing import CHECKS, CheckedProtocol, ConformanceCheck
from arbiter.testing.playthrough import defaults
from tests.nullgame.command import arbiter
from tests.tools import missing

pytestmark = pytest.mark.slow
LIBRARY = "openspiel"
OF_EVERY_KIND = ("connect_four", "kuhn_poker", "matrix_rps", "negotiation", "markov_soccer")
"""Open and hidden, in turn and at once, with chance of its own and without."""
COSTLY = {"bridge", "bridge_uncontested_bidding"}
"""Games whose setup solves hands with open cards on all cores, for seconds."""


def game_of(name: str) -> Protocol:
    if not library_names(LIBRARY, Workspace()):
        missing("open_spiel is not installed")
    return find_protocol(name, Workspace())


def opened(protocol: Protocol, seed: int = 1, **options: Any) -> Game:
    seats, chosen = protocol.seats[0], defaults(protocol, options)
    return protocol.start(seats, chosen, protocol.setup(seats, chosen, Chance(seed, "setup")), Chance(seed))


@pytest.mark.parametrize("name", OF_EVERY_KIND)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_conformance(name: str, check: ConformanceCheck) -> None:
    check.run(CheckedProtocol(game_of(name)))


def test_every_game_ends_and_follows_from_its_setup_and_the_recorded_chance() -> None:
    game_of("connect_four")
    names = set(library_names(LIBRARY, Workspace()))
    assert {"chess", "go", "hex", "backgammon", "leduc_poker", "hanabi"} <= names
    assert {name: ending for name in sorted(names - COSTLY) if (ending := _broken_promise(game_of(name)))} == {}


def _broken_promise(protocol: Protocol) -> str:
    """Play a game at random, and again from its record. Return what was wrong."""
    seats, options, rng, chance = protocol.seats[0], defaults(protocol, {}), random.Random(1), Chance(1)
    setup = json.loads(json.dumps(protocol.setup(seats, options, Chance(1, "setup"))))
    game, turns = protocol.start(seats, options, setup, chance), list[tuple[dict[int, str], list[int]]]()
    while game.result() is None:
        moves = {seat: rng.choice(list(game.display().legal(seat) or ())) for seat in game.to_move()}
        for seat, move in moves.items() if len(turns) < 3 else ():
            if game.read(seat, move).text != move or f"\n{len(game.display().legal(seat) or ())}\n" not in game.prompt(
                seat
            ):
                return f"seat {seat} cannot answer {move!r}"
        game.play(moves)
        turns.append((moves, chance.take()))
    again, recorded = protocol.start(seats, options, setup, other := Chance(2)), turns
    for moves, outcomes in recorded:
        other.expect(outcomes)
        again.play(moves)
    return "" if again.view() == game.view() and again.result() == game.result() else "its replay is another game"


def test_an_agent_is_sent_its_moves_by_number_and_name_and_the_position() -> None:
    assert opened(game_of("tic_tac_toe")).prompt(0) == (
        "0 2\n9\n"
        + "".join(f"{number} x({number // 3},{number % 3})\n" for number in range(9))
        + "3\n|...\n|...\n|...\n"
    )


def test_a_move_is_answered_by_its_number_or_its_name() -> None:
    game = opened(game_of("connect_four"))
    assert game.read(0, " 3\n").text == game.read(0, "x3").text == "x3"
    with pytest.raises(IllegalMove, match="'x9' is not one of the 7 legal moves, nor the number of one"):
        game.read(0, "x9")
    with pytest.raises(IllegalMove):
        game.read(0, "forfeits")


def test_names_that_are_numbers_are_replaced_by_the_numbers_of_the_moves() -> None:
    """In mancala the first hole is called 1, and so is the second move."""
    game = opened(game_of("mancala"))
    legal = list(game.display().legal(0) or ())
    assert legal == [game.read(0, each).text for each in legal]
    assert game.prompt(0).splitlines()[2:8] == [f"{each} {each}" for each in legal]


def test_a_seat_is_not_sent_what_it_may_not_see() -> None:
    """In Kuhn poker each player has one of three cards."""
    for seed in range(6):
        game = opened(game_of("kuhn_poker"), seed)
        mine, other = str(game.view()["text"]).split()
        assert game.prompt(0).endswith(f"1\n|{mine}\n")
        assert (game.display().view_for(1) or {})["text"] == other


@pytest.mark.parametrize(("name", "scores"), [("leduc_poker", (-13.0, 13.0)), ("matrix_pd", (0.0, 0.0))])
def test_a_fault_forfeits_the_game(name: str, scores: tuple[float, ...]) -> None:
    game = opened(game_of(name))
    (first, *others) = game.to_move()
    moves = {first: game.fallback(first, Fault(FaultKind.LATE))}
    game.play(moves | {seat: next(iter(game.display().legal(seat) or ())) for seat in others})
    result = game.result()
    assert result is not None
    assert result.reason == f"seat {first} forfeited by a fault"
    assert result.scores == scores
    assert result.ranks == ranks_from_scores([0, 0], defeated={first})


def test_options_are_the_parameters_of_the_game() -> None:
    assert opened(game_of("connect_four"), rows=4, columns=5).prompt(0).splitlines()[1] == "5"


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (
            "goofspiel",
            {"points_order": "mixed"},
            "with points_order=mixed: .*Unrecognized points_order parameter: mixed",
        ),
        ("go", {"board_size": 30}, "with board_size=30: .*supports board size up to 19"),
        ("hanabi", {"colors": 99}, "with colors=99: "),
    ],
    ids=["refused", "refused by the first position", "ends the process"],
)
def test_options_that_openspiel_cannot_play_with_are_one_line(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said) as refused:
        opened(game_of(name), **options)
    assert "\n" not in str(refused.value)


def test_a_person_is_shown_the_legal_moves() -> None:
    game = opened(game_of("connect_four"))
    assert game.display().board(0).splitlines()[-1] == "legal moves: x0, x1, x2, x3, x4, x5, x6"
    assert "legal moves" not in game.display().board() + game.display().board(1)
    assert len(opened(game_of("go")).display().board(0).splitlines()) < 40


@pytest.mark.parametrize(
    "setup", [None, {}, {"seed": 1}, {"seed": 1, "dealt": [0]}, {"seed": 1, "dealt": [0, 0]}, {"seed": 1, "dealt": "x"}]
)
def test_a_deal_that_cannot_be_is_refused(setup: Any) -> None:
    protocol = game_of("kuhn_poker")
    with pytest.raises(BadSetup):
        protocol.start(2, defaults(protocol, {}), setup, Chance(1))


def test_the_games_are_listed_on_request() -> None:
    game_of("connect_four")
    assert "connect_four" not in arbiter("protocols").out
    assert "'arbiter protocols openspiel' lists them" in arbiter("protocols").out
    listed = arbiter("protocols", "openspiel").out.splitlines()
    assert [line.split()[:2] for line in listed if line.startswith("kuhn_poker")] == [["kuhn_poker", "2–10"]]

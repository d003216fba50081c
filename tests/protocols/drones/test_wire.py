"""What agents are sent, byte for byte and in which order."""

from __future__ import annotations

import random

import pytest

from protocols.drones import protocol

from .table import army, kinds, messages, new_match, random_answer, turn, win_round

MATCH = '{"type":"matchStart","rounds":10,"drawAllowed":true,"seat":0,"fieldTie":"coin","fractionalUnits":false}\n'
ROUND = '{"type":"roundStart","turns":10,"defenderBonus":1,"round":1}\n'
TURN = '{"type":"turn","producers":1,"soldiers":0}\n'


def test_a_match_starts_with_its_rules_the_rules_of_a_round_and_a_turn() -> None:
    game = new_match()
    assert game.briefing(0) + game.prompt(0) == MATCH + ROUND + TURN
    assert messages(game.briefing(1))[0]["seat"] == 1


def test_options_are_sent() -> None:
    game = new_match(
        rounds=7,
        turns=12,
        defender_bonus=2,
        field_tie="draw",
        match_tie="coin",
        fractional_units=True,
        starting_producers=3,
    )
    assert messages(game.briefing(0) + game.prompt(0)) == [
        {
            "type": "matchStart",
            "rounds": 7,
            "drawAllowed": False,
            "seat": 0,
            "fieldTie": "draw",
            "fractionalUnits": True,
        },
        {"type": "roundStart", "turns": 12, "defenderBonus": 2, "round": 1},
        {"type": "turn", "producers": 3, "soldiers": 0},
    ]


@pytest.mark.parametrize(("match_tie", "allowed"), [("draw", True), ("coin", False)])
@pytest.mark.parametrize("field_tie", ["draw", "coin"])
def test_draw_allowed_is_about_the_match_not_its_rounds(match_tie: str, allowed: bool, field_tie: str) -> None:
    game = new_match(match_tie=match_tie, field_tie=field_tie)
    assert messages(game.briefing(0))[0]["drawAllowed"] is allowed


def test_within_a_round_a_turn_is_one_line_of_own_units() -> None:
    game = new_match()
    turn(game, "1 0 0", "0 1 0")
    assert game.prompt(0) == '{"type":"turn","producers":2,"soldiers":0}\n'
    assert game.prompt(1) == '{"type":"turn","producers":1,"soldiers":1}\n'


def test_the_turn_number_is_not_sent() -> None:
    game = new_match(turns=5)
    for _ in range(4):
        turn(game, "0 0 0", "0 0 0")
        assert [set(message) for message in messages(game.prompt(0))] == [{"type", "producers", "soldiers"}]
        assert [set(message) for message in messages(game.briefing(0))][1] == {
            "type",
            "turns",
            "defenderBonus",
            "round",
        }


def test_units_of_the_other_are_hidden_while_the_round_goes_on() -> None:
    for secret in ((7, 9), (1, 0), (512, 0), (1, 55)):
        game = new_match()
        turn(game, "1 0 0", "1 0 0")
        army(game, 1, *secret)
        assert game.prompt(0) == '{"type":"turn","producers":2,"soldiers":0}\n'
        assert game.briefing(0) == MATCH + ROUND


def test_what_a_seat_is_sent_within_a_round_does_not_depend_on_the_other() -> None:
    rng = random.Random(5)
    for _ in range(20):
        one, two = new_match(1), new_match(1)
        for _ in range(9):
            mine = random_answer(one, 0, rng).replace("true", "false")
            turn(one, mine, random_answer(one, 1, rng).replace("true", "false"))
            turn(two, mine, random_answer(two, 1, rng).replace("true", "false"))
            assert one.prompt(0) == two.prompt(0)
            assert one.briefing(0) == two.briefing(0)


def test_the_end_of_a_round_is_sent_with_the_next_and_reveals_everything() -> None:
    game = new_match()
    turn(game, "1 0 0", "0 1 0")
    turn(game, "0 2 0", "1 0 0")
    turn(game, "1 1 1", "0 0 0")
    mine = '{"producers":3,"soldiers":3,"launchedAttack":true}'
    other = '{"producers":2,"soldiers":1,"launchedAttack":false}'
    start = '{"type":"roundStart","turns":10,"defenderBonus":1,"round":2}\n'
    assert game.prompt(0) == (
        f'{{"type":"roundEnd","outcome":"WIN","turnsPlayed":3,"you":{mine},"them":{other},"round":1}}\n{start}{TURN}'
    )
    assert game.prompt(1) == (
        f'{{"type":"roundEnd","outcome":"LOSE","turnsPlayed":3,"you":{other},"them":{mine},"round":1}}\n{start}{TURN}'
    )


def test_a_drawn_round_is_a_draw_to_both() -> None:
    game = new_match(field_tie="draw", turns=1)
    turn(game, "1 0 0", "0 0 0")
    assert [messages(game.prompt(seat))[0]["outcome"] for seat in (0, 1)] == ["DRAW", "DRAW"]


def test_when_time_is_up_neither_side_has_attacked() -> None:
    game = new_match(turns=1)
    turn(game, "1 0 0", "0 1 0")
    end = messages(game.prompt(0))[0]
    assert (end["you"]["launchedAttack"], end["them"]["launchedAttack"]) == (False, False)


def test_the_last_round_ends_in_the_final_message() -> None:
    game = new_match(rounds=1)
    assert game.final_message(0) == ""
    win_round(game, 1)
    assert kinds(game.final_message(0)) == ["roundEnd"]
    assert messages(game.final_message(0))[0]["outcome"] == "LOSE"
    assert messages(game.final_message(1))[0]["outcome"] == "WIN"


def test_a_process_started_in_the_middle_of_a_round_is_sent_its_start() -> None:
    game = new_match()
    win_round(game, 0)
    turn(game, "1 0 0", "1 0 0")
    assert kinds(game.briefing(0) + game.prompt(0)) == ["matchStart", "roundStart", "turn"]
    assert messages(game.briefing(0))[1]["round"] == 2


def test_a_process_started_between_rounds_is_sent_the_start_of_the_round_that_ended() -> None:
    game = new_match()
    win_round(game, 0)
    sent = messages(game.briefing(1) + game.prompt(1))
    assert [message["type"] for message in sent] == ["matchStart", "roundStart", "roundEnd", "roundStart", "turn"]
    assert [message["round"] for message in sent[1:4]] == [1, 1, 2]


@pytest.mark.parametrize("turns", [1, 2, 10])
def test_every_process_sees_well_ordered_messages_whenever_it_is_started(turns: int) -> None:
    rng = random.Random(turns)
    game = new_match(rounds=6, turns=turns)
    streams: list[str] = []
    while game.result() is None:
        streams = [stream + game.prompt(0) for stream in (*streams, game.briefing(0))]
        turn(game, *(random_answer(game, seat, rng) for seat in (0, 1)))
    for stream in streams:
        _check_order(stream + game.final_message(0))


def _check_order(stream: str) -> None:
    """matchStart, then rounds: a start, one turn or more, an end. A late process may miss all turns of its first."""
    sent = messages(stream)
    assert sent[0]["type"] == "matchStart"
    current, turns, first = 0, 0, True
    for message in sent[1:]:
        if message["type"] == "roundStart":
            assert current == 0
            current, turns = message["round"], 0
        elif message["type"] == "turn":
            assert current
            turns += 1
        else:
            assert message["type"] == "roundEnd"
            assert message["round"] == current
            assert message["turnsPlayed"] == turns or first
            current, first = 0, False
    assert current == 0


def test_fractions_are_sent_exactly() -> None:
    game = new_match(fractional_units=True)
    turn(game, '{"newProducers": 0.3333333333333333, "newSoldiers": 0.1}', "1 0 0")
    assert messages(game.prompt(0)) == [{"type": "turn", "producers": 1 + 0.3333333333333333, "soldiers": 0.1}]
    assert game.prompt(1) == '{"type":"turn","producers":2,"soldiers":0}\n'


def test_both_seats_are_asked_every_turn() -> None:
    game = new_match(rounds=2)
    rng = random.Random(3)
    while game.result() is None:
        assert game.to_move() == (0, 1)
        turn(game, *(random_answer(game, seat, rng) for seat in (0, 1)))
    assert game.to_move() == ()


def test_a_process_lives_for_the_whole_match() -> None:
    assert protocol.lifetime == "game"

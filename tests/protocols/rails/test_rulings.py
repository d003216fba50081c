"""The settled rulings: one test or a few per row of the table."""

from __future__ import annotations

import pytest

from .table import LINE, cells, drawn, new_map, owners, result_of, scores, start, turn


@pytest.mark.parametrize(("height", "width"), [(14, 21), (15, 23), (16, 24), (17, 26), (18, 27), (19, 29), (20, 30)])
def test_size_width_is_one_and_a_half_times_the_height_rounded(height: int, width: int) -> None:
    game = start(new_map(1, height=height))
    assert game.briefing(0).splitlines()[1:3] == [str(width), str(height)]


def test_size_is_left_to_the_seed_from_14_to_20() -> None:
    assert {len(new_map(seed)["terrain"]) for seed in range(60)} == set(range(14, 21))


def test_paint_is_three_a_turn() -> None:
    game = start(drawn("A....B", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0;PLACE_TRACKS 4 0")
    assert owners(game) == ".000.."


def test_paint_is_never_kept() -> None:
    game = start(drawn("A.....B", {0: [1]}))
    turn(game)
    turn(game, ";".join(f"PLACE_TRACKS {x} 0" for x in range(1, 6)))
    assert owners(game) == ".000..."


def test_disruption_is_one_a_turn() -> None:
    game = start(LINE)
    turn(game, "DISRUPT 1;DISRUPT 2")
    assert [cell.instability for cell in cells(game)] == [0, 1, 0, 0, 0]


def test_disruption_is_never_kept() -> None:
    game = start(LINE)
    turn(game)
    turn(game, "DISRUPT 1;DISRUPT 1")
    assert cells(game)[1].instability == 1


@pytest.mark.parametrize(("terrain", "affordable"), [("0", 3), ("1", 1), ("2", 1), ("3", 1)])
def test_costs_three_paint_buy(terrain: str, affordable: int) -> None:
    game = start(drawn(f"A{terrain * 4}B", {0: [1]}))
    turn(game, ";".join(f"PLACE_TRACKS {x} 0" for x in range(1, 5)))
    assert owners(game).count("0") == affordable


@pytest.mark.parametrize(("terrain", "plains_beside"), [("0", 2), ("1", 1), ("2", 0), ("3", 0)])
def test_costs_what_is_left_beside_one_dear_cell(terrain: str, plains_beside: int) -> None:
    game = start(drawn(f"A{terrain}..B", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0")
    assert owners(game) == "." + "0" * (1 + plains_beside) + "." * (3 - plains_beside)


def test_inking_threshold_is_three() -> None:
    game = start(LINE)
    for inked in (0, 0, 1):
        turn(game, "DISRUPT 2")
        assert cells(game)[2].inked == inked


@pytest.mark.parametrize("threshold", [1, 2, 4, 7])
def test_inking_threshold_is_an_option(threshold: int) -> None:
    game = start(drawn("A...B\n.....", {0: [1]}), ink_threshold=threshold)
    for number in range(1, threshold + 1):
        turn(game, "DISRUPT 2")
        assert cells(game)[2].inked == (number == threshold)
        assert cells(game)[2].instability == number


def test_regions_with_a_town_cannot_be_disrupted() -> None:
    game = start(drawn("A...B", {0: [1]}, ["0 0 1 2 2"]))
    for _ in range(4):
        turn(game, "DISRUPT 0;DISRUPT 1 0", "DISRUPT 4 0")
    assert [(cell.instability, cell.inked) for cell in cells(game)] == [(0, 0)] * 5


def test_turns_are_a_hundred() -> None:
    game = start(LINE)
    for _ in range(100):
        assert game.result() is None
        turn(game)
    assert result_of(game).reason == "all 100 turns are played"


def test_turns_are_an_option() -> None:
    game = start(LINE, turns=2)
    turn(game)
    assert game.result() is None
    turn(game)
    assert result_of(game).reason == "all 2 turns are played"


def test_turns_end_sooner_when_no_wish_has_a_route_left() -> None:
    game = start(LINE)
    for _ in range(2):
        turn(game, "DISRUPT 2")
        assert game.result() is None
    turn(game, "DISRUPT 2")
    assert result_of(game).reason == "no wish has a route left after turn 3"
    assert tuple(game.to_move()) == ()


def test_the_early_end_ignores_terrain_and_tracks() -> None:
    game = start(drawn("A.22\n.C.2\n...B", {0: [1], 2: [1]}), ink_threshold=1)
    turn(game, "DISRUPT 3 1")
    assert game.result() is None, "mountains and missing tracks do not matter"
    turn(game, "DISRUPT 2 2")
    assert game.result() is not None


def test_the_early_end_waits_for_the_last_wish() -> None:
    game = start(drawn("A.B.C", {0: [1], 1: [2]}), ink_threshold=1)
    turn(game, "DISRUPT 1")
    assert game.result() is None
    turn(game, "DISRUPT 3")
    assert game.result() is not None


def test_winner_has_most_points() -> None:
    game = start(LINE, turns=1)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "PLACE_TRACKS 3 0")
    assert (result_of(game).ranks, result_of(game).scores) == ((1, 2), (2.0, 1.0))


def test_winner_also_when_the_game_ends_early() -> None:
    game = start(LINE, ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 2 0;PLACE_TRACKS 3 0")
    turn(game, "DISRUPT 1")
    assert (result_of(game).ranks, result_of(game).scores) == ((2, 1), (1.0, 2.0))


def test_equal_points_are_a_draw() -> None:
    game = start(LINE, turns=1)
    turn(game)
    assert result_of(game).ranks == (1, 1)


QUEST = drawn("A..3\n....\n...B", {0: [1]})


def quest(game_turns: list[tuple[str, str]]) -> list[int]:
    game = start(QUEST, turns=len(game_turns))
    for first, second in game_turns:
        turn(game, first, second)
    done = result_of(game).data["side_quest"]
    assert isinstance(done, list)
    return done


def test_side_quest_own_rails_from_a_town_onto_the_place() -> None:
    assert quest([("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "WAIT"), ("PLACE_TRACKS 3 0", "WAIT")]) == [1, 0]


def test_side_quest_counts_neutral_rails_for_both() -> None:
    assert quest([("AUTOPLACE 0 0 2 0", "AUTOPLACE 0 0 2 0"), ("PLACE_TRACKS 3 0", "PLACE_TRACKS 3 0")]) == [1, 1]


def test_side_quest_needs_a_rail_on_the_place_itself() -> None:
    assert quest([("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "WAIT")]) == [0, 0]


def test_side_quest_does_not_count_rails_of_the_other() -> None:
    assert quest([("PLACE_TRACKS 1 0", "PLACE_TRACKS 2 0"), ("PLACE_TRACKS 3 0", "WAIT")]) == [0, 0]


def test_side_quest_needs_a_town_at_the_other_end() -> None:
    assert quest([("PLACE_TRACKS 3 0", "WAIT")]) == [0, 0]


def test_side_quest_once_done_stays_done() -> None:
    ink = [("DISRUPT 2 0", "DISRUPT 2 0")] * 2
    assert quest([("AUTOPLACE 0 0 2 0", "WAIT"), ("PLACE_TRACKS 3 0", "WAIT"), *ink]) == [1, 0]


def test_side_quest_is_one_point_a_game_however_often() -> None:
    game = start(drawn("3A3\n...\n..B", {0: [1]}), turns=2)
    turn(game, "PLACE_TRACKS 0 0")
    turn(game, "PLACE_TRACKS 2 0")
    assert result_of(game).data["side_quest"] == [1, 0]


def test_side_quest_is_never_part_of_the_score() -> None:
    game = start(QUEST, turns=2)
    turn(game, "AUTOPLACE 0 0 2 0")
    turn(game, "PLACE_TRACKS 3 0")
    assert scores(game) == (0, 0)
    assert result_of(game).ranks == (1, 1)

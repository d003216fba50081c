"""The drawing for spectators, and the clicks of a person."""

from __future__ import annotations

import random

import pytest

from arbiter.game import Game
from tests.protocols.drawings import (
    DrawnPosition,
    draw_all,
    keyed,
    marked,
    opened,
    played,
    reachable,
    recorded,
    run,
    spread,
    texts,
)

pytestmark = pytest.mark.slow


def random_moves(game: Game, seed: int) -> list[DrawnPosition]:
    rng = random.Random(seed)

    def choose(seat: int) -> str:
        view = game.view()
        one, other = rng.sample(view["towns"], 2)
        return f"AUTOPLACE {one['x']} {one['y']} {other['x']} {other['y']};DISRUPT {rng.randrange(len(view['inked']))}"

    return played(game, choose)


def test_positions_of_the_sample_game() -> None:
    names, positions = recorded("rails")
    drawn = spread(positions)
    trees = draw_all("rails", drawn, names)
    assert f"Game over after turn {positions[-1].view['turn']}" in set(texts(trees[len(drawn) - 1]))


def test_long_names_on_the_largest_map() -> None:
    game = opened("rails", 2, 3, ink_threshold=2, turns=60)
    assert len(game.view()["terrain"]) == 20
    draw_all("rails", spread(random_moves(game, 3)), ["one-with-a-long-name-of-forty-characters", "two"])


def test_connections_are_lit_and_inked_regions_are_hatched() -> None:
    positions = random_moves(opened("rails", 2, 4, ink_threshold=1), 4)
    connected = [each for each in positions if each.view["connections"] and any(each.view["inked"])]
    assert connected
    wide, narrow = draw_all("rails", connected[:1], ["a", "b"])
    for tree in (wide, narrow):
        lit = [each for each in marked(tree, "lit") + marked(tree, "lit-new") if each["tag"] == "polyline"]
        assert len(lit) == len(connected[0].view["connections"])
        assert len(marked(tree, "hatch")) == 1
        assert sum(key.startswith("track-") for key in keyed(tree)) == sum(
            cell != "." for row in connected[0].view["tracks"] for cell in row
        )


def test_a_defeat_is_told() -> None:
    game = opened("rails", 2)
    game.play({0: "WAIT", 1: "DEFEAT late"})
    wide, _ = draw_all("rails", played(game, lambda seat: "WAIT"), ["a", "b"])
    assert "defeated: late" in set(texts(wide))
    assert "★ a" in set(texts(wide))


def test_a_game_without_any_route_left_is_over() -> None:
    game = opened("rails", 2, 2, ink_threshold=1)
    regions = len(game.view()["inked"])
    positions = played(game, lambda seat: f"DISRUPT {(game.view()['turn'] * 2 + seat) % regions}")
    last = positions[-1].view
    assert (last["over"], last["turn"] < last["turns"]) == (True, True)
    wide, _ = draw_all("rails", positions[-1:], ["a", "b"])
    assert f"Game over after turn {last['turn']}" in set(texts(wide))


def test_a_person_places_tracks_and_disrupts_by_clicking() -> None:
    game = opened("rails", 2, 2)
    answers = reachable("rails", game, [], most=40)
    assert any("PLACE_TRACKS" in answer and "DISRUPT" in answer for answer in answers)
    for answer in answers:
        game.read(0, answer)
    for answer in sorted(answers)[:50]:
        again = opened("rails", 2, 2)
        again.play({0: answer, 1: "WAIT"})
        assert not [event for event in again.display().events() if "skipped" in event], answer


def test_wishes_that_can_be_connected_come_before_those_that_ink_has_cut_off() -> None:
    _, positions = recorded("rails")
    (tree,) = run("rails", [{"view": positions[30].view, "context": positions[30].context(["a", "b"])}])
    kinds = [kind for each in marked(tree, "wished") for kind in ("wish-on", "wish-cut") if marked(each, kind)]
    assert kinds == sorted(kinds, reverse=True)
    assert {"wish-on", "wish-cut"} == set(kinds)


def test_a_click_takes_a_track_back() -> None:
    game = opened("rails", 2, 2)
    context = DrawnPosition(game.view(), None, 0, {}).context(
        ["a", "b"], choices=[], person=0, picked=["place 5 5", "place 5 5"]
    )
    (tree,) = run("rails", [{"view": game.view(), "context": context}])
    assert not marked(tree, "picked")

"""The drawing for spectators, and the clicks of a person."""

from __future__ import annotations

import copy
import random

import pytest

from tests.protocols.drawings import (
    draw_all,
    keyed,
    marked,
    opened,
    played,
    reach_request,
    recorded,
    run,
    spread,
    texts,
)

pytestmark = pytest.mark.slow

NAMES = ["one-with-a-long-name-of-forty-characters", "two"]


def test_positions_of_the_sample_game() -> None:
    names, positions = recorded("green_circle")
    draw_all("green_circle", spread(positions), names)


def test_long_names() -> None:
    rng = random.Random(4)
    game = opened("green_circle", 2, 4, level=4)
    draw_all("green_circle", spread(played(game, lambda seat: rng.choice(game.view()["actions"]))), NAMES)


def test_a_defeat_is_told() -> None:
    game = opened("green_circle", 2)
    game.play({0: "defeat late"})
    wide, _ = draw_all("green_circle", played(game, lambda seat: ""), ["a", "b"])
    assert {"defeated", "★ b"} <= set(texts(wide))


def test_a_release_is_announced_and_the_application_leaves() -> None:
    names, positions = recorded("green_circle")
    releases = [each for each in positions if any(move.startswith("RELEASE") for move in each.moves.values())]
    assert releases
    for tree, position in zip(draw_all("green_circle", releases, names), releases, strict=False):
        (move,) = position.moves.values()
        number = move.split()[1]
        assert any(f"released #{number} " in text for text in texts(tree))
        assert f"app-{number}" not in keyed(tree)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_announcement_of_a_release_covers_nobody(narrow: bool) -> None:
    names, positions = recorded("green_circle")
    release = next(each for each in positions if any(move.startswith("RELEASE") for move in each.moves.values()))
    views = [copy.deepcopy(release.view) for _ in range(8)]
    for desk, view in enumerate(views):
        for team in view["teams"]:
            team["location"] = desk
    context = release.context(names, narrow=narrow)
    for tree in run("green_circle", [{"view": view, "context": context} for view in views]):
        pill = next(each["attributes"] for each in marked(tree, "pill") + marked(tree, "pill-warn"))
        for seat in (0, 1):
            x, y = map(float, keyed(tree)[f"team-{seat}"].removeprefix("translate(").removesuffix(")").split())
            beside = x < pill["x"] or x > pill["x"] + pill["width"]
            assert beside or y - 10 > pill["y"] + pill["height"] or y + 10 < pill["y"]


@pytest.mark.parametrize("seed", range(4))
def test_every_action_can_be_clicked_and_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    game = opened("green_circle", 2, seed, level=4)
    phases: set[tuple[str, bool]] = set()
    expected: list[set[str]] = []
    requests: list[dict[str, object]] = []
    while game.result() is None and len(phases) < 5:
        view = game.view()
        if (view["phase"], view["teams"][view["seat"]]["daily_routine"] > 0) not in phases:
            phases.add((view["phase"], view["teams"][view["seat"]]["daily_routine"] > 0))
            expected.append(set(view["actions"]))
            requests.append(reach_request(game, view["actions"]))
        # Prefer the cards whose actions take several clicks.
        wanted = [each for each in view["actions"] if each.startswith(("DAILY", "TASK", "CONT"))]
        game.play({view["seat"]: rng.choice(wanted or view["actions"])})
    assert requests
    assert [set(found["answers"]) for found in run("green_circle", requests)] == expected


def test_a_card_that_has_just_come_into_the_hand_is_outlined() -> None:
    game = opened("green_circle", 2)
    positions = played(game, lambda seat: "MOVE 3", most=2)
    _, after = positions
    trees = draw_all("green_circle", [after], ["a", "b"])
    assert len(marked(trees[0], "now")) >= 2

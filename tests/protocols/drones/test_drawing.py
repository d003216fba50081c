"""The drawing for spectators, and the clicks of a person."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.protocols.drawings import draw_all, opened, played, reachable, recorded, spread, texts

pytestmark = pytest.mark.slow


def random_game(seed: int, **options: Any) -> Any:
    rng = random.Random(seed)
    game = opened("drones", 2, seed, **options)

    def choose(seat: int) -> str:
        capacity = int(game.view()["players"][seat]["producers"])
        producers = rng.randint(capacity // 2, capacity)
        return f"{producers} {rng.randint(0, capacity - producers)} {int(rng.random() < 0.05)}"

    return played(game, choose, most=120)


def test_every_position_of_the_sample_game() -> None:
    names, positions = recorded("drones")
    trees = draw_all("drones", positions, names)
    assert any("a draw" in text for text in texts(trees[len(positions) - 1]))


@pytest.mark.parametrize("options", [{"rounds": 60}, {"rounds": 1_000_000, "turns": 2, "defender_bonus": 1_000_000}])
def test_long_matches_and_names(options: dict[str, Any]) -> None:
    draw_all("drones", spread(random_game(3, **options)), ["one-with-a-long-name-of-forty-characters", "two"])


def test_a_long_match_shows_its_latest_rounds_and_the_whole_score() -> None:
    game = opened("drones", 2, rounds=2000, turns=1)
    positions = played(game, lambda seat: f"0 {seat} 0", most=1000)[-1:]
    view = positions[0].view
    assert (len(view["winners"]), view["rounds_won"]) == (400, [0, 999])
    (wide, _) = draw_all("drones", positions, ["a", "b"])
    assert "Rounds: 0 : 999 · the latest 400" in set(texts(wide))


def test_a_person_can_make_everything_by_clicking() -> None:
    game = opened("drones", 2)
    for _ in range(2):
        game.play({0: f"{game.view()['players'][0]['producers']} 0 0", 1: "0 0 0"})
    found = reachable("drones", game, [])
    every = {f"{made} {armed} {attack}" for made in range(5) for armed in range(5 - made) for attack in (0, 1)}
    assert found == every


def test_the_other_army_is_hidden_from_a_person() -> None:
    game = opened("drones", 2)
    game.play({0: "1 0 0", 1: "0 1 0"})
    positions = played(game, lambda seat: "0 0 0", most=1)
    wide, _ = draw_all("drones", positions, ["a", "b"], reveal=False, person=0, choices=[])
    assert "hidden" in set(texts(wide))

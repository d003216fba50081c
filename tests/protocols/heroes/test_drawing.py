"""The drawing for spectators, and the clicks of a person."""

from __future__ import annotations

import pytest

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

from .table import WORDS, arena, ply

pytestmark = pytest.mark.slow

NAMES = [f"hero-with-a-long-name-of-40-characters-{number}" for number in range(4)]


def test_positions_of_the_sample_game() -> None:
    names, positions = recorded("heroes")
    draw_all("heroes", spread(positions), names)


def test_the_title_of_the_longest_game_is_whole() -> None:
    names, positions = recorded("heroes")
    view = {**positions[-2].view, "turn": 1199, "turns": 1200, "round": 300}
    trees = draw_all("heroes", [DrawnPosition(view, None, 1199, {})], names)
    assert all("Round 300 of 300" in texts(tree) for tree in trees)


def test_the_smallest_and_the_largest_possible_map() -> None:
    tiny = arena("+----+\n|@1@2|\n|@3@4|\n+----+")
    wide = arena(
        "\n".join(
            [
                "+" + "-" * 96 + "+",
                *("|" + text.ljust(96) + "|" for text in ["@1@2@3@4$-[]^^##", *[""] * 47]),
                "+" + "-" * 96 + "+",
            ]
        )
    )
    for game in (tiny, wide):
        draw_all("heroes", played(game, lambda seat: "South", most=20), NAMES)


def test_a_kill_is_crossed_out_and_the_victim_stands_at_its_start() -> None:
    game = arena(
        """
        +--------+
        |@1    @2|
        |$2      |
        |        |
        |@3    @4|
        +--------+
        """,
        """
        +--------+
        |@1@2    |
        |$2      |
        |        |
        |@3    @4|
        +--------+
        """,
        life={2: 20},
    )
    before = game.view()
    ply(game, "Stay")
    position = DrawnPosition(game.view(), before, 1, {0: "Stay"})
    assert [event["what"] for event in position.view["events"]] == ["kill"]
    wide, _ = draw_all("heroes", [position], NAMES)
    assert len(marked(wide, "blow")) == 2
    assert any(f"{NAMES[1]} died here" in text for text in texts(wide))
    (first,) = run("heroes", [{"view": before, "context": DrawnPosition(before, None, 0, {}).context(NAMES)}])
    assert keyed(first)["hero-2"] != keyed(wide)["hero-2"]


def test_a_person_goes_anywhere_inside_the_map_by_one_click() -> None:
    game = opened("heroes", 4, map="m1")
    row, column = game.view()["heroes"][0]["pos"]
    outside = {word for word, edge in (("North", row), ("West", column)) if edge == 0}
    assert reachable("heroes", game, list(WORDS)) == set(WORDS) - outside

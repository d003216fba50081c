"""The card and noble tables."""

from __future__ import annotations

from collections import Counter

import pytest

from protocols.splendor.cards import BONUS, COLOURS, COST, IDS_OF_LEVEL, LEVEL, NOBLE_IDS, NOBLE_NEEDS, POINTS


def test_ids_are_grouped_by_level() -> None:
    assert [list(ids) for ids in IDS_OF_LEVEL] == [
        [card for card in range(1, 91) if LEVEL[card] == level] for level in (1, 2, 3)
    ]
    assert [len(ids) for ids in IDS_OF_LEVEL] == [40, 30, 20]


def test_every_five_cards_are_one_design_in_five_colours() -> None:
    for first in range(1, 91, 5):
        family = range(first, first + 5)
        assert [BONUS[card] for card in family] == [0, 1, 2, 3, 4]
        assert len({(LEVEL[card], POINTS[card], tuple(sorted(COST[card]))) for card in family}) == 1
        assert len({sum(COST[card][colour] for card in family) for colour in range(5)}) == 1


@pytest.mark.parametrize(
    ("card", "level", "bonus", "points", "cost"),
    [
        (1, 1, "red", 0, "3 white"),
        (17, 1, "green", 0, "2 red 2 blue"),
        (40, 1, "black", 0, "3 red 1 green 1 black"),
        (41, 2, "red", 2, "5 black"),
        (55, 2, "black", 2, "3 red 5 green"),
        (70, 2, "black", 1, "3 green 3 white 2 black"),
        (71, 3, "red", 4, "7 green"),
        (78, 3, "blue", 5, "3 blue 7 white"),
        (90, 3, "black", 3, "3 red 5 green 3 blue 3 white"),
    ],
)
def test_some_known_cards(card: int, level: int, bonus: str, points: int, cost: str) -> None:
    assert (LEVEL[card], COLOURS[BONUS[card]], POINTS[card]) == (level, bonus, points)
    assert " ".join(f"{count} {COLOURS[colour]}" for colour, count in enumerate(COST[card]) if count) == cost


def test_a_noble_wants_four_of_two_colours_or_three_of_three() -> None:
    wanted = [NOBLE_NEEDS[noble] for noble in NOBLE_IDS]
    assert ["".join(map(str, needs)) for needs in wanted[:5]] == ["44000", "04400", "00440", "00044", "40004"]
    assert ["".join(map(str, needs)) for needs in wanted[5:]] == ["33300", "03330", "00333", "30033", "33003"]
    assert Counter(map(sum, wanted)) == {8: 5, 9: 5}

"""The rules are those in the guide. Replace this file together with the rules."""

import pytest
from takeaway import TakeAway

from arbiter.game import IllegalMove


def test_the_last_stone_wins() -> None:
    game = TakeAway({"stones": [1, 2]})
    game.play({0: "1 2"})
    assert game.result() is None
    game.play({1: "0 1"})
    result = game.result()
    assert result is not None
    assert (result.ranks, result.reason) == ((2, 1), "seat 1 took the last stone")


@pytest.mark.parametrize("answer", ["0 3", "0 0", "1 1", "-1 1", "0", "x y", ""])
def test_stones_that_are_not_there_cannot_be_taken(answer: str) -> None:
    with pytest.raises(IllegalMove):
        TakeAway({"stones": [2]}).read(0, answer)

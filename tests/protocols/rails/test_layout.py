"""Given setups: a valid map is accepted, and an invalid one is refused in one line that says what and where."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from arbiter.game import BadSetup, Chance, Json
from protocols.rails import protocol

from .table import drawn, start, turn


def sound() -> Json:
    return copy.deepcopy(drawn("A.1B\n....\nC..2", {0: [1, 2], 2: [1]}))


def change(path: str, value: Json) -> Callable[[Json], Json]:
    """Return an edit of the setup at a path such as ``towns.0.x``."""

    def edit(setup: Json) -> Json:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        target = setup
        for key in keys:
            target = target[key]
        target[last] = value
        return setup

    return edit


EDITS: list[tuple[Callable[[Json], Json], str]] = [
    (lambda _: None, "the setup must be an object"),
    (lambda _: [], "the setup must be an object"),
    (lambda _: {}, "must have exactly the entries terrain, regions and towns"),
    (change("extra", 1), "'extra'"),
    (change("terrain", []), "terrain must be a list of strings"),
    (change("terrain", "0000"), "terrain must be a list of strings"),
    (change("terrain", ["0000", 5, "0000"]), "terrain must be a list of strings"),
    (change("terrain", ["0" * 61] * 3), "1 to 60 columns and rows, not 61 by 3"),
    (change("terrain", ["", "", ""]), "1 to 60 columns and rows, not 0 by 3"),
    (change("terrain", ["0000"] * 61), "not 4 by 61"),
    (change("terrain.1", "000"), "terrain row 1 has 3 cells, but row 0 has 4"),
    (change("terrain.1", "0040"), "terrain row 1, column 2: '4' must be a digit from 0 to 3"),
    (change("terrain.2", "00²0"), r"terrain row 2, column 2: '\xb2'"),
    (change("regions", None), "regions must be a list of strings"),
    (change("regions", ["0 1 2 3"]), "regions has 1 rows, but terrain has 3"),
    (change("regions.1", "4 5 6"), "regions row 1 has 3 ids, but terrain has 4 cells"),
    (change("regions.1", "4 5 six 7"), "regions row 1, column 2: 'six' must be a region id"),
    (change("regions.1", "4 5 -6 7"), "regions row 1, column 2: '-6' must be a region id"),
    (change("regions.1", "4 5 99999 7"), "'99999' must be a region id"),
    (change("regions.1", "4 5 12 7"), "region ids must run from 0 to 12 without a gap, but 6 is missing"),
    (change("regions.1", "9 5 6 7"), "region 9 is not in one piece: another part of it is at (1, 2)"),
    (change("towns", {}), "towns must be a list of objects"),
    (change("towns.1", [3, 0]), "town 1 must be an object with x, y and wishes"),
    (change("towns.1", {"x": 3, "y": 0}), "town 1 must be an object with x, y and wishes"),
    (change("towns.0.x", 4), "town 0 at (4, 0) is not on the map of 4 by 3"),
    (change("towns.0.y", -1), "town 0 at (0, -1) is not on the map"),
    (change("towns.0.y", True), "town 0 at (0, True) is not on the map"),
    (change("towns.0.x", "0"), "town 0 at ('0', 0) is not on the map"),
    (change("towns.0.x", 1.0), "town 0 at (1.0, 0) is not on the map"),
    (change("towns.1.x", 2), "town 1 at (2, 0) is not on plain"),
    (change("towns.2", {"x": 0, "y": 0, "wishes": [1]}), "towns 0 and 2 are both in region 0"),
    (change("towns.2.y", 1), "towns 0 and 2 are in neighbouring regions, 0 and 4"),
    (change("towns.0.wishes", "1"), "town 0: wishes must be a list of town ids"),
    (change("towns.0.wishes", [1, "2"]), "town 0: wishes must be a list of town ids"),
    (change("towns.0.wishes", [3]), "town 0 wishes for 3, which is not another town"),
    (change("towns.0.wishes", [-1]), "town 0 wishes for -1"),
    (change("towns.0.wishes", [0]), "town 0 wishes for 0"),
    (change("towns.1.wishes", [0]), "towns 0 and 1 wish for each other"),
    (change("towns.0.wishes", [2, 1]), "ascending order, not [2, 1]"),
    (change("towns.0.wishes", [1, 1]), "ascending order, not [1, 1]"),
    (lambda s: change("towns.2.wishes", [])(change("towns.0.wishes", [1])(s)), "town 2 has no wish, and no other town"),
    (change("towns", []), "at least 2 towns, not 0"),
    (lambda s: {**s, "towns": [{"x": 0, "y": 0, "wishes": []}]}, "at least 2 towns, not 1"),
]


@pytest.mark.parametrize(("edit", "said"), EDITS)
def test_a_bad_setup_is_refused_in_one_line(edit: Callable[[Json], Json], said: str) -> None:
    with pytest.raises(BadSetup) as refused:
        start(edit(sound()))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_sound_map_of_any_size_is_accepted() -> None:
    game = start(sound())
    turn(game, "AUTOPLACE 0 0 0 2")
    assert game.prompt(0).startswith("1\n0\n"), "the connection 0-2 pays at once"


def test_the_setup_stands_over_the_options_about_new_maps() -> None:
    game = start(drawn("A.3.B", {0: [1]}), height=20, places_of_interest=False)
    assert game.briefing(0).startswith("0\n5\n1\n")


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_two_seats_only(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"2 players, not {seats}"):
        protocol.start(seats, {}, sound(), Chance(0))

"""Setups, generated or given by the user, and options."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from arbiter.game import BadSetup, Chance
from protocols.heroes import protocol

from .table import new_game, tidy
from .test_maps import CONTEST, FRAMED, MISALIGNED

ROWS = ["@1##$-@4", "  []^^  ", "  $2    ", "@2    @3"]


def test_a_setup_is_a_map_and_a_name_for_the_game() -> None:
    setup = protocol.setup(4, {}, Chance(5, "setup"))
    assert list(setup) == ["map", "id"]
    assert len(setup["id"]) == 8
    assert setup["id"].isalnum()
    assert setup["id"] != protocol.setup(4, {}, Chance(6, "setup"))["id"]


def test_the_default_is_a_generated_map() -> None:
    plain = protocol.setup(4, {}, Chance(5, "setup"))
    assert plain == protocol.setup(4, {"map": "generated"}, Chance(5, "setup"))
    assert plain == protocol.setup(4, {"map": ""}, Chance(5, "setup"))


def test_a_map_may_be_given_as_the_text_of_the_option() -> None:
    assert protocol.setup(4, {"map": FRAMED}, Chance(1))["map"] == ROWS
    assert protocol.setup(4, {"map": tidy(CONTEST)}, Chance(1))["map"][5][10:14] == "  @1"


def test_a_bad_map_in_the_option_is_refused_with_row_and_column() -> None:
    with pytest.raises(BadSetup, match="row 10, column 9"):
        protocol.setup(4, {"map": tidy(MISALIGNED)}, Chance(1))


def test_a_given_setup_is_played_as_given() -> None:
    setup = {"map": ROWS, "id": "g7", "names": ["Ann", 'B"ob', "Çelik", "D"], "absent": [4]}
    untouched = copy.deepcopy(setup)
    game = protocol.start(4, {}, setup, Chance(0))
    state = json.loads(game.prompt(0))
    assert state["game"]["id"] == "g7"
    assert [each["name"] for each in state["game"]["heroes"]] == setup["names"]
    assert [each["crashed"] for each in state["game"]["heroes"]] == [False, False, False, True]
    assert state["game"]["board"] == {"size": 4, "tiles": "".join(ROWS)}
    assert setup == untouched


def test_mines_may_have_an_owner_from_the_start() -> None:
    game = protocol.start(4, {}, {"map": ROWS}, Chance(0))
    game.play({0: "Stay"})
    game.play({1: "Stay"})
    assert [each["gold"] for each in game.view()["heroes"]] == [0, 1, 0, 0]


def test_id_and_names_have_defaults() -> None:
    state = json.loads(protocol.start(4, {}, {"map": ROWS}, Chance(0)).prompt(0))
    assert state["game"]["id"] == "local"
    assert [each["name"] for each in state["game"]["heroes"]] == ["hero 1", "hero 2", "hero 3", "hero 4"]


def test_the_agents_names_are_on_the_wire_unless_the_setup_has_others() -> None:
    agents = ["strong", 'qu"ote', "ünï", "d"]
    for given, expected in (({}, agents), ({"names": ["A", "B", "C", "D"]}, ["A", "B", "C", "D"])):
        game = protocol.start(4, {}, {"map": ROWS, **given}, Chance(0))
        game.see_names(agents)
        state = json.loads(game.prompt(2))
        assert [each["name"] for each in state["game"]["heroes"]] == expected
        assert state["hero"]["name"] == expected[2]


def with_entry(**entries: Any) -> Any:
    return {"map": ROWS, **entries}


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (None, "an object with the entry map"),
        ([], "an object with the entry map"),
        ({}, "an object with the entry map"),
        (with_entry(maps=1), "unknown entry 'maps'"),
        (with_entry(map="@1@2\n@3@4"), "a list of strings"),
        (with_entry(map=[1, 2]), "a list of strings"),
        (with_entry(map=[]), "must have 2 to 48 rows, not 0"),
        (with_entry(map=["@1@2", "@3# "]), "row 2, column 2: unknown cell '# '"),
        (with_entry(map=["@1@2", "@3\n "]), "row 2, column 2: unknown cell '\\n '"),
        (with_entry(map=["@1@2", "@3##"]), "lacks hero '@4'"),
        (with_entry(id=7), "letters and digits, not 7"),
        (with_entry(id=""), "letters and digits"),
        (with_entry(id="a/b"), "letters and digits"),
        (with_entry(id="x" * 65), "letters and digits"),
        (with_entry(names="Ann"), "a list of 4 strings"),
        (with_entry(names=["a", "b", "c"]), "a list of 4 strings"),
        (with_entry(names=["a", "b", "c", 4]), "holds 4"),
        (with_entry(names=["a", "b", "c", ""]), "holds ''"),
        (with_entry(names=["a", "b", "c", "\n"]), "holds '\\n'"),
        (with_entry(names=["a", "b", "c", "d" * 101]), "…"),
        (with_entry(absent=3), "must be a list of hero numbers"),
        (with_entry(absent=[0]), "holds 0"),
        (with_entry(absent=[True]), "holds True"),
        (with_entry(absent=[5]), "holds 5"),
    ],
)
def test_an_invalid_setup_is_refused_in_one_line(setup: Any, words: str) -> None:
    untouched = copy.deepcopy(setup)
    with pytest.raises(BadSetup) as caught:
        protocol.start(4, {}, setup, Chance(0))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160
    assert setup == untouched


@pytest.mark.parametrize("seats", [0, 1, 3, 5])
def test_an_invalid_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"not {seats}"):
        protocol.setup(seats, {}, Chance(0))
    with pytest.raises(BadSetup, match=f"not {seats}"):
        protocol.start(seats, {}, {"map": ROWS}, Chance(0))


@pytest.mark.parametrize(
    "options",
    [{"rounds": 0}, {"rounds": "soon"}, {"size": 11}, {"size": 8}, {"size": 30}, {"preset": "chess"}, {"map": "m7"}],
)
def test_an_invalid_option_value_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetup, match=next(iter(options))):
        protocol.setup(4, options, Chance(0))


def test_an_unknown_map_is_refused_with_those_that_exist() -> None:
    with pytest.raises(BadSetup, match="choose from generated, seed, m1, m2, m3, m4, m5, m6, or give a file"):
        protocol.setup(4, {"map": "M" * 1000}, Chance(0))


def test_rounds_are_an_option() -> None:
    assert json.loads(new_game(rounds=7).prompt(0))["game"]["maxTurns"] == 28
    assert json.loads(new_game().prompt(0))["game"]["maxTurns"] == 1200


def test_the_protocol_describes_itself() -> None:
    assert (protocol.name, protocol.title, protocol.seats, protocol.lifetime) == ("heroes", "Heroes", (4, 4), "game")
    assert protocol.limits == {
        "move": "1s",
        "first_move": "1s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "1GB",
        "processes": "64",
    }
    assert {option.name: option.default for option in protocol.options} == {
        "preset": "contest",
        "map": "generated",
        "size": 0,
        "rounds": 300,
    }
    assert "\n" not in protocol.summary + protocol.on_fault

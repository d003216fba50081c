"""The drawing for spectators, and the clicks of a person."""

from __future__ import annotations

import copy
import itertools

import pytest

from arbiter.testing.drawing import Tree, elements
from protocols.splendor.legal_moves import legal_moves
from tests.protocols.drawings import DrawnPosition, draw_all, keyed, marked, reachable, recorded, run, spread, texts

from .table import hand, new_game, own_bonuses, show, turn

pytestmark = pytest.mark.slow

LONG = "a-name-of-exactly-forty-characters-xxxxx"


def test_positions_of_the_sample_game() -> None:
    names, positions = recorded("splendor")
    drawn = spread(positions)
    trees = draw_all("splendor", drawn, names)
    points = [str(player["points"]) for player in positions[-1].view["players"]]
    assert set(points) <= set(texts(trees[len(drawn) - 1]))


def test_a_bought_card_flies_from_the_table_to_its_buyer() -> None:
    game = new_game(2)
    own_bonuses(game, 0, 4, 4, 4, 4, 4)
    show(game, 1)
    before = game.view()
    turn(game, "4 1")
    context = {"seats": [{"name": "a"}, {"name": "b"}], "turn": 1, "before": None, "moves": []}
    first, second = run(
        "splendor",
        [
            {"view": before, "context": context},
            {"view": game.view(), "context": {**context, "before": before, "moves": [{"seat": 0, "move": "4 1"}]}},
        ],
    )
    assert keyed(first)["card-1"] != keyed(second)["card-1"]


@pytest.mark.parametrize(("points", "cards", "stars"), [
    ((16, 15), (8, 3), [0]), ((15, 15), (8, 7), [1]), ((15, 15), (7, 7), [0, 1]), ((14, 13), (7, 7), []),
])  # fmt: skip
def test_a_star_marks_the_winner_as_the_rules_rank(
    points: tuple[int, int], cards: tuple[int, int], stars: list[int]
) -> None:
    view = new_game(2).view()
    view["over"] = True
    for player, had, held in zip(view["players"], points, cards, strict=True):
        player.update(points=had, cards=list(range(1, held + 1)))
    context = {"seats": [{"name": "ann"}, {"name": "bob"}], "turn": 60, "before": None, "moves": []}
    (tree,) = run("splendor", [{"view": view, "context": context}])
    assert [seat for seat, name in enumerate(("ann", "bob")) if f"★ {name}" in texts(tree)] == stars


@pytest.mark.parametrize("nobles", [1, 2, 3])
@pytest.mark.parametrize("reserved", [0, 1, 2, 3])
def test_nobles_cover_neither_the_reserve_nor_each_other(nobles: int, reserved: int) -> None:
    game = new_game(2)
    own_bonuses(game, 0, 4, 4, 4, 4, 4)
    show(game, 1)
    before = copy.deepcopy(game.view())
    turn(game, "4 1")
    view = game.view()
    faces = [card for row in view["rows"] for card in row][:reserved]
    view["players"][0].update(reserve=[{**card, "secret": False} for card in faces], nobles=view["nobles"][:nobles])
    view.update(rows=[[None] * 4] * 3, nobles=[])
    for tree in draw_all("splendor", [DrawnPosition(view, before, 1, {0: "4 1"})], ["a", "b"]):
        places = {key: float(place.removeprefix("translate(").split()[0]) for key, place in keyed(tree).items()}
        cards = [places[f"card-{card['id']}"] for card in faces]
        lefts = [places[f"noble-{noble['id']}"] for noble in view["players"][0]["nobles"]]
        width = marked(tree, "noble")[0]["attributes"]["width"]
        assert all(left >= card + width for left in lefts for card in cards)
        assert all(second - first >= 0.45 * width for first, second in itertools.pairwise(lefts))
        assert "card-1" in places or reserved + nobles > 4, "the card just bought is shown if there is room"
        assert lefts[-1] + width <= places.get("card-1", 1280)


def test_the_mark_of_an_unseen_card_covers_neither_its_points_nor_its_colour() -> None:
    game = new_game(2)
    turn(game, "3 -3")
    for tree in draw_all("splendor", [DrawnPosition(game.view(), None, 1, {})], ["a", "b"]):
        cards = [each for each in elements(tree) if str(each["attributes"].get("key", "")).startswith("card-")]
        face = next(each for each in cards if any("reserved unseen" in text for text in texts(each)))
        mark = next(each for each in face["children"] if each and "?" in texts(each))
        points = next(each["attributes"] for each in face["children"] if each and each["tag"] == "text")
        jewel = next(each for each in face["children"] if each and marked(each, "jewel"))
        middle, radius = x_of(mark), mark["children"][0]["attributes"]["r"]
        assert points["x"] + 0.65 * points["font-size"] <= middle - radius
        assert middle + radius <= x_of(jewel) - 10


def x_of(node: Tree) -> float:
    return float(node["attributes"]["transform"].removeprefix("translate(").split()[0])


def test_hostile_names_are_shown_as_text_on_one_line() -> None:
    game = new_game(2)
    evil = ["<script>alert(1)</script>\n\u202eevil", "\ud800" + "m" * 100_000]
    context = {"seats": [{"name": name} for name in evil], "turn": 0, "before": None, "moves": []}
    (tree,) = run("splendor", [{"view": game.view(), "context": context}])
    shown = "".join(texts(tree))
    assert "\u202e" not in shown
    assert "\n" not in shown
    assert len(shown) < 5000


@pytest.mark.parametrize(
    "chips", [(0, 0, 0, 0, 0, 0), (2, 2, 2, 2, 1, 0), (3, 3, 2, 1, 0, 1)], ids=["no return", "one over", "full"]
)
def test_every_legal_move_can_be_clicked_and_nothing_else(chips: tuple[int, ...]) -> None:
    game = new_game(2)
    hand(game, 0, *chips)
    own_bonuses(game, 0, 1, 0, 1, 1, 0)
    moves = legal_moves(game, 0)
    assert reachable("splendor", game, moves) == set(moves)


def test_a_secret_card_is_hidden_from_a_person_in_another_seat() -> None:
    game = new_game(2)
    turn(game, "3 -2")
    card = game.view()["players"][0]["reserve"][0]["id"]
    context = {"seats": [{"name": "a"}, {"name": "b"}], "turn": 1, "before": None, "moves": []}
    mine, hidden = run(
        "splendor", [{"view": game.view(), "context": {**context, "reveal": False, "person": seat}} for seat in (0, 1)]
    )
    assert f"card-{card}" in keyed(mine)
    assert f"card-{card}" not in keyed(hidden)
    assert not any(f"card {card}:" in text for text in texts(hidden))

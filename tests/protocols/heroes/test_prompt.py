"""The prompt, byte for byte."""

from __future__ import annotations

import json

from arbiter.game import Chance
from protocols.heroes import protocol
from protocols.heroes.game import HeroesGame
from protocols.heroes.rest import HeroesRest

from .table import arena, hero, new_game, ply

ROWS = ["@1##$-@4", "  []^^  ", "  $2    ", "@2    @3"]

OPENING = (
    '{"game":{"id":"local","turn":0,"maxTurns":1200,"heroes":['
    '{"id":1,"name":"hero 1","pos":{"x":0,"y":0},"life":100,"gold":0,"mineCount":0,"spawnPos":{"x":0,"y":0},"crashed":false},'
    '{"id":2,"name":"hero 2","pos":{"x":3,"y":0},"life":100,"gold":0,"mineCount":1,"spawnPos":{"x":3,"y":0},"crashed":false},'
    '{"id":3,"name":"hero 3","pos":{"x":3,"y":3},"life":100,"gold":0,"mineCount":0,"spawnPos":{"x":3,"y":3},"crashed":false},'
    '{"id":4,"name":"hero 4","pos":{"x":0,"y":3},"life":100,"gold":0,"mineCount":0,"spawnPos":{"x":0,"y":3},"crashed":false}'
    '],"board":{"size":4,"tiles":"@1##$-@4  []^^    $2    @2    @3"},"finished":false},'
    '"hero":{"id":1,"name":"hero 1","pos":{"x":0,"y":0},"life":100,"gold":0,"mineCount":0,"spawnPos":{"x":0,"y":0},"crashed":false},'
    '"token":"hero1","viewUrl":"http://arbiter.invalid/local","playUrl":"http://arbiter.invalid/api/local/hero1/play"}\n'
)


def small_game() -> HeroesGame:
    game = protocol.start(4, {}, {"map": ROWS}, Chance(0))
    assert isinstance(game, HeroesGame)
    return game


def test_the_opening_prompt_byte_for_byte() -> None:
    game = small_game()
    assert game.prompt(0) == OPENING
    assert game.briefing(0) == ""


def test_a_prompt_in_the_middle_of_a_game_byte_for_byte() -> None:
    game = small_game()
    hero(game, 4).life, hero(game, 4).gold = 58, 12
    for word in ("South", "Stay disconnect", "West", "West"):
        ply(game, word)
    ply(game, "South")
    assert game.prompt(2) == (
        '{"game":{"id":"local","turn":6,"maxTurns":1200,"heroes":['
        '{"id":1,"name":"hero 1","pos":{"x":2,"y":0},"lastDir":"South","life":73,"gold":0,"mineCount":0,"spawnPos":{"x":0,"y":0},"crashed":false},'
        '{"id":2,"name":"hero 2","pos":{"x":3,"y":0},"lastDir":"Stay","life":73,"gold":2,"mineCount":1,"spawnPos":{"x":3,"y":0},"crashed":true},'
        '{"id":3,"name":"hero 3","pos":{"x":3,"y":2},"lastDir":"West","life":99,"gold":0,"mineCount":0,"spawnPos":{"x":3,"y":3},"crashed":false},'
        '{"id":4,"name":"hero 4","pos":{"x":0,"y":3},"lastDir":"West","life":32,"gold":13,"mineCount":1,"spawnPos":{"x":0,"y":3},"crashed":false}'
        '],"board":{"size":4,"tiles":"  ##$4@4  []^^  @1$2    @2  @3  "},"finished":false},'
        '"hero":{"id":3,"name":"hero 3","pos":{"x":3,"y":2},"lastDir":"West","life":99,"gold":0,"mineCount":0,"spawnPos":{"x":3,"y":3},"crashed":false},'
        '"token":"hero3","viewUrl":"http://arbiter.invalid/local","playUrl":"http://arbiter.invalid/api/local/hero3/play"}\n'
    )


def test_it_is_one_line_of_ascii() -> None:
    for seed in range(5):
        text = new_game(seed).prompt(3)
        assert text.isascii()
        assert text.count("\n") == 1
        assert text.endswith("}\n")


def test_keys_stand_in_the_order_of_the_contest() -> None:
    game = small_game()
    ply(game, "South")
    state = json.loads(game.prompt(0))
    assert list(state) == ["game", "hero", "token", "viewUrl", "playUrl"]
    assert list(state["game"]) == ["id", "turn", "maxTurns", "heroes", "board", "finished"]
    assert list(state["game"]["board"]) == ["size", "tiles"]
    assert list(state["hero"]) == [
        "id", "name", "pos", "lastDir", "life", "gold", "mineCount", "spawnPos", "crashed",
    ]  # fmt: skip
    assert list(state["hero"]["pos"]) == list(state["hero"]["spawnPos"]) == ["x", "y"]


def test_x_is_the_row_and_y_the_column() -> None:
    state = json.loads(small_game().prompt(1))
    assert state["hero"]["pos"] == {"x": 3, "y": 0}
    ply(game := small_game(), "South")
    assert json.loads(game.prompt(1))["game"]["heroes"][0]["pos"] == {"x": 1, "y": 0}


def test_turn_counts_plies_from_0() -> None:
    game = small_game()
    turns = []
    for _ in range(6):
        turns.append(json.loads(game.prompt(game.to_move()[0]))["game"]["turn"])
        ply(game, "Stay")
    assert turns == [0, 1, 2, 3, 4, 5]


def test_last_dir_is_absent_before_the_first_move() -> None:
    game = small_game()
    ply(game, "Stay")
    state = json.loads(game.prompt(1))
    assert ["lastDir" in each for each in state["game"]["heroes"]] == [True, False, False, False]
    assert "lastDir" not in state["hero"]


def test_tiles_are_two_characters_a_cell_and_no_newlines() -> None:
    for seed in range(20):
        board = json.loads(new_game(seed).prompt(0))["game"]["board"]
        assert len(board["tiles"]) == 2 * board["size"] ** 2
        assert "\n" not in board["tiles"]


def test_a_hero_on_spikes_hides_them() -> None:
    game = arena("@1^^  @2\n\n\n@3    @4")
    assert json.loads(game.prompt(0))["game"]["board"]["tiles"].startswith("@1^^  @2")
    ply(game, "East")
    assert json.loads(game.prompt(1))["game"]["board"]["tiles"].startswith("  @1  @2")


def test_hero_is_the_one_who_reads() -> None:
    game = small_game()
    for seat in range(4):
        state = json.loads(game.prompt(seat))
        assert state["hero"] == state["game"]["heroes"][seat]
        assert state["token"] == f"hero{seat + 1}"


def test_a_server_puts_its_own_token_and_addresses() -> None:
    game = small_game()
    text = HeroesRest().addressed(game.prompt(2), 'a"b', "http://host:9000/x", "http://host:9000/api/x/é/play")
    state = json.loads(text)
    assert (state["token"], state["viewUrl"]) == ('a"b', "http://host:9000/x")
    assert state["playUrl"] == "http://host:9000/api/x/é/play"
    assert state["hero"]["id"] == 3
    assert text.split(',"token"')[0] == game.prompt(2).split(',"token"')[0]
    assert "\n" not in text

"""A protocol in a folder of its own brings the API of its contest's server: nothing in the arena knows of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.served import KEYS, Served
from tests.nullgame.place import BIDS, HERE, write

WIRE = """

from arbiter.game import BadSetup, RestWire


class MarketWire(RestWire):
    prefix = "Market: "
    training_path = "/v2/practice"
    join_path = "/v2/enter"
    play_path = "/v2/seats/{token}/of/{game}"
    id_key = "match"
    move_key = "bid"
    streams = {"events": "/v2/watch/{game}"}
    redirects = {"/v2/people/{team}": "/team?name={team}", "/v2/latest": "/newest"}
    drawings = ("/v2/prizes/{most}",)

    def options(self, wanted, pick):
        return {"rounds": int(wanted.get("length", 2))}

    def finished(self, options):
        return f"Market: all {options['rounds']} prizes are sold"

    def opening(self, setup, game_id, absent):
        return setup

    def addressed(self, prompt, token, view_url, play_url):
        return f'{{"text": "{prompt.splitlines()[-1]}", "next": "{play_url}"}}'

    def drawn(self, given, game):
        if not given["most"].isdecimal():
            raise BadSetup("not a number")
        return f"<p>{min(game().prize, int(given['most']))}</p>"

    def spectate(self, game, see):
        play = game.play

        def seen(moves):
            play(moves)
            see(f'{{"scores": {game.scores}}}')

        game.play = seen


AuctionProtocol.rest = MarketWire()
AuctionProtocol.season = {"season": [{"name": "fair", "points": [2, 0]}], "elimination": []}
"""


@pytest.fixture
def arena(make_arena: Callable[..., Served], tmp_path: Path) -> Served:
    source = (HERE / "auction" / "__init__.py").read_text().replace('name = "auction"', 'name = "market"')
    write(tmp_path / "games" / "market" / "__init__.py", source + WIRE)
    bot = write(tmp_path / "house" / "bot.sh", BIDS.format("echo 1"))
    toml = f"[protocols.market]\nfolder = '{tmp_path}/games/market'\n[protocols.market.agents]\nseller = 'sh {bot}'\n"
    return make_arena(toml=toml, house={"market": ["seller"], "heroes": ["random"]})


def enter(arena: Served, path: str, **params: str) -> tuple[str, str]:
    """Join, and return the text of the state and the path for the answer."""
    status, body = arena.call(path, {"key": KEYS["Team 1"], **params})
    assert status == 200, body
    state = json.loads(body)
    return state["text"], state["next"].removeprefix(arena.url)


def test_an_official_game_is_played_with_the_addresses_keys_and_sentences_of_the_wire(arena: Served) -> None:
    game = arena.create(protocol="market", seats="remote:Team 1,seller", rounds="2", map="")
    text, play = enter(arena, "/v2/enter", match=game)
    assert text.startswith("prize ")
    assert play.startswith("/v2/seats/")
    assert play.endswith(f"/of/{game}")
    assert arena.call(play, {"dir": "1"}) == (400, "Did you forget the bid parameter?")
    for last in (False, True):
        status, body = arena.call(play, {"bid": "9"})
        state = json.loads(body)
        assert (status, state["text"].startswith("sold, you have ")) == (200, last)
        again, play = play, state["next"].removeprefix(arena.url)
    assert arena.call(again, {"bid": "3"}) == (400, "Market: all 2 prizes are sold")
    record = arena.record(game)
    assert [(line.move, line.fault) for line in record.answers if line.seat == 0] == [("9", None)] * 2
    assert arena.call(f"/v2/watch/{game}")[1].count("data: ") == 2


def test_training_games_and_pages_are_those_of_the_wire_beside_those_of_another(arena: Served) -> None:
    _, play = enter(arena, "/v2/practice", length="1")
    assert json.loads(arena.call(play, {"bid": "9"})[1])["text"].startswith("sold")
    assert arena.call("/v2/prizes/0") == (200, "<p>0</p>")
    assert arena.call("/v2/prizes/x") == (404, "not a number")
    assert arena.call("/v2/latest")[1] == "No game has been created yet"
    assert arena.call("/v2/people/Team%201")[0] == 200
    assert arena.call("/api/training", {"key": KEYS["Team 1"], "turns": "1"})[0] == 200, "that of Heroes"


def test_a_contest_of_the_protocol_is_played_through_its_wire_by_its_own_season(arena: Served) -> None:
    match = "protocol: market\nseats: 2\nagents: ['remote:Team 1', seller]\nschedule: season\n"
    arena.begin(match)
    opened = arena.organise("/rounds")
    assert (opened["stage"], len(opened["games"])) == ("fair", 2)
    for _ in opened["games"]:
        _, play = enter(arena, "/v2/enter")
        for _ in range(3):
            play = json.loads(arena.call(play, {"bid": "9"})[1])["next"].removeprefix(arena.url)
    arena.until(lambda: not arena.lobby.live)
    rows = json.loads(arena.call("/standings")[1])
    assert [row["agent"] for row in rows] == ["Team 1", "seller"]

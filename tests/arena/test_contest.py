"""A contest of a match file, round by round, with teams that only know the server's address."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arbiter.arena.contest import ArenaContest, seats_by_name
from arbiter.contest.match_file import load_contest
from arbiter.errors import UserError
from tests.arena.clients import client
from tests.arena.served import KEYS, TOKEN, Served

FILE = """
protocol: heroes
seats: 4
options: {rounds: 1, map: m1}
sandbox: none
agents: ["remote:Team 1", "remote:Team 2", "remote:Team 3", "remote:Team 4", random]
schedule:
  kind: season
  house: [random]
  season:
    - {name: round 1, points: [3, 2, 1, 0]}
  elimination:
    - {name: final, takes: {season: [1, 4]}, tables: 1, games: 1}
"""


@pytest.fixture
def arena(make_arena: Callable[..., Served], tmp_path: Path) -> Served:
    file = tmp_path / "day.yaml"
    file.write_text(FILE)
    contest = load_contest(file, save=tmp_path / "unused")
    return make_arena(contest=contest, settings={"options": {"rounds": 1, "map": "m1"}})


def play_all(arena: Served) -> None:
    """Every team joins its games one after the other until none is left."""
    waiting = [game["id"] for game in json.loads(arena.call("/schedule")[1])]

    def play(team: str) -> None:
        for _ in waiting:
            with client("1", arena.port, KEYS[team]) as player:
                assert player.play_out(player.join(arena=True), lambda state: "Stay")["game"]["id"] in waiting

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, list(KEYS)[:4]))
    while arena.lobby.live:
        arena.turn()


def test_rounds_are_opened_one_by_one_and_lead_to_places(arena: Served) -> None:
    assert arena.call("/rounds", {}) == (401, "Unauthorized!")
    first = arena.organise("/rounds")
    assert first["stage"] == "round 1"
    listed = json.loads(arena.call("/schedule")[1])
    assert sorted(game["id"] for game in listed) == sorted(first["games"])
    assert all(sorted(game["seats"]) == list(KEYS)[:4] for game in listed)
    status, text = arena.call(f"/rounds?apiKey={TOKEN}", {})
    assert (status, "are not finished yet" in text) == (409, True)
    play_all(arena)
    annulled = first["games"][0]
    arena.organise(f"/games/{annulled}", "DELETE", because="test")
    again = arena.organise("/rounds")
    assert (again["stage"], len(again["games"])) == ("round 1", 1)
    play_all(arena)
    final = arena.organise("/rounds")
    assert (final["stage"], len(final["games"])) == ("final", 1)
    play_all(arena)
    assert arena.call(f"/rounds?apiKey={TOKEN}", {}) == (409, "the contest is over")
    standings = json.loads(arena.call("/standings")[1])
    assert sorted(row["agent"] for row in standings) == list(KEYS)[:4]
    assert [row["note"] for row in standings] == [f"final, place {place}" for place in range(1, 5)]


def test_a_team_that_comes_late_plays_from_the_next_round_of_the_season_on(
    make_arena: Callable[..., Served], tmp_path: Path
) -> None:
    file = tmp_path / "day.yaml"
    rounds = "    - {name: round 1, points: [3, 2, 1, 0]}\n"
    two = FILE.replace(rounds, rounds + rounds.replace("1,", "2,"))
    file.write_text(two.partition("  elimination")[0] + "  elimination: []\n")
    contest = load_contest(file, save=tmp_path / "unused")
    arena = make_arena(contest=contest)
    arena.organise("/rounds")
    assert arena.organise("/contest/teams", name="Team 5") == {"name": "Team 5", "at_once": True}
    assert arena.call(f"/contest/teams?apiKey={TOKEN}", {"name": "Team 5"}) == (409, "team 'Team 5' already takes part")
    play_all(arena)
    opened = arena.organise("/rounds")
    assert (opened["stage"], len(opened["games"])) == ("round 2", 5)
    assert sum("Team 5" in game["seats"] for game in json.loads(arena.call("/schedule")[1])) == 4
    again = ArenaContest(contest, arena.lobby, arena.lobby.store.schedule_seed)  # as after a restart
    assert [len(stage.games) for stage in again.progress().stages] == [4, 5]
    arena.organise("/register", name="Team 6")
    status, told = arena.call(f"/contest/teams?apiKey={TOKEN}", {"name": "Team 6"})
    assert (status, "the last round of the season has begun" in told) == (400, True)


def test_another_contest_waits_for_the_games_of_this_one(arena: Served) -> None:
    arena.organise("/rounds")
    status, told = arena.call(f"/contest?apiKey={TOKEN}", {"protocol: heroes": ""})
    assert (status, told) == (400, "4 official games still waiting or being played: end them before another contest")


def test_local_agents_of_a_contest_go_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "day.yaml"
    file.write_text(FILE.replace(", random]", ', "mine=random"]').replace("[random]", "[mine]"))
    with pytest.raises(UserError, match="agent 'mine': in the arena, local agents must be named"):
        seats_by_name(load_contest(file, save=tmp_path / "unused"))

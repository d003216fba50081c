"""A contest of a match file, round by round, with teams that only know the server's address."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError

import pytest

from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import current_result
from arbiter.contest.secret import load_secrets
from arbiter.records.reader import load_record
from tests.arena.clients import client
from tests.arena.served import KEYS, TOKEN, Served, served

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).parents[2] / "docs" / "arena-organiser.md"
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
    return make_arena(match_file=file, settings={"options": {"rounds": 1, "map": "m1"}})


def play_all(arena: Served) -> None:
    """Every team joins its games one after the other until none is left."""
    waiting = [game["id"] for game in json.loads(arena.call("/schedule")[1])]

    def play(team: str) -> None:
        for _ in waiting:
            with client("1", arena.port, KEYS[team]) as player:
                assert player.play_out(player.join(arena=True), lambda state: "Stay")["game"]["id"] in waiting

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, list(KEYS)[:4]))
    arena.until(lambda: not arena.lobby.live)


def test_rounds_are_opened_one_by_one_and_lead_to_places(arena: Served) -> None:
    assert arena.call("/rounds", {}) == (401, "Unauthorized!")
    first = arena.organise("/rounds")
    assert first["stage"] == "round 1"
    assert (
        "games of round 1 not finished yet"
        in json.loads(arena.call(f"/organiser/state?apiKey={TOKEN}")[1])["contest"]["closed"]
    )
    listed = json.loads(arena.call("/schedule")[1])
    assert sorted(game["id"] for game in listed) == sorted(first["games"])
    assert all(sorted(game["seats"]) == list(KEYS)[:4] for game in listed)
    status, text = arena.call(f"/rounds?apiKey={TOKEN}", {})
    assert (status, "not finished yet" in text) == (409, True)
    play_all(arena)
    annulled = first["games"][0]
    arena.organise(f"/games/{annulled}", "DELETE", because="test")
    again = arena.organise("/rounds")
    assert (again["stage"], len(again["games"])) == ("round 1", 1)
    play_all(arena)
    for method, path in (("POST", f"/games/{annulled}/again"), ("DELETE", f"/games/{annulled}")):
        status, text = arena.call(f"{path}?apiKey={TOKEN}", {}, method)
        assert (status, text) == (409, f"game {annulled} is played again already, as {again['games'][0]}")
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
    arena = make_arena(match_file=file)
    arena.organise("/rounds")
    assert arena.organise("/contest/teams", name="Team 5") == {"name": "Team 5"}
    assert arena.call(f"/contest/teams?apiKey={TOKEN}", {"name": "Team 5"}) == (409, "team 'Team 5' already takes part")
    play_all(arena)
    opened = arena.organise("/rounds")
    assert (opened["stage"], len(opened["games"])) == ("round 2", 5)
    assert sum("Team 5" in game["seats"] for game in json.loads(arena.call("/schedule")[1])) == 4
    arena.organise("/register", name="Team 6")
    status, told = arena.call(f"/contest/teams?apiKey={TOKEN}", {"name": "Team 6"})
    assert (status, "the last round of the season has begun" in told) == (400, True)


def test_another_contest_waits_for_the_games_of_this_one(arena: Served) -> None:
    arena.organise("/rounds")
    status, told = arena.call(f"/contest?apiKey={TOKEN}", {"protocol: heroes": ""})
    assert (status, told) == (409, "a round of 'day' is being played: end its games first")


def test_a_mistake_in_a_match_file_is_told_with_its_line(arena: Served) -> None:
    match = (
        "# the day\nprotocol: heroes\n\nagents: ['remote:*', random]\nseats: 4\nschedule:\n  kind: swiss\n  rounds: 0\n"
    )
    with pytest.raises(HTTPError) as error:
        arena.begin(match)
    assert error.value.read().decode() == "match file, line 8: swiss: rounds 0: must be a whole number, at least 1"


def test_the_ledger_the_secret_and_the_report_are_those_of_any_contest(arena: Served) -> None:
    arena.organise("/rounds")
    folder = arena.folder / "contests" / "day"
    (drawn,) = load_secrets(folder)
    assert not drawn.revealed
    play_all(arena)
    arena.organise("/rounds")
    play_all(arena)
    assert arena.call(f"/rounds?apiKey={TOKEN}", {}) == (409, "the contest is over")
    loaded = load_contest(folder, only_look=True)
    result = current_result(loaded)
    assert (result.complete, len(result.counted)) == (True, 5)
    assert [secret.revealed != "" for secret in load_secrets(folder)] == [True]
    status, page = arena.call("/report")
    assert (status, all(team in page for team in list(KEYS)[:4])) == (200, True)


def test_on_the_day_of_the_guide_no_game_starts_without_a_team_that_is_connected(
    make_arena: Callable[..., Served],
) -> None:
    """Twelve bots in a loop, and four games for each in a round, in the order in which their programs come."""
    arena = make_arena()
    keys = dict(KEYS)
    for number in range(6, 13):
        keys[f"Team {number}"] = arena.organise("/register", name=f"Team {number}")["key"]
    (match,) = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    arena.begin(match + "options: {rounds: 1, map: m1}\n")

    def play(team: str, games: int) -> None:
        for _ in range(games):
            with client("1", arena.port, keys[team]) as player:
                player.play_out(player.join(arena=True), lambda state: "Stay")

    for stage in ("round 1", "round 2", "final"):
        assert arena.organise("/rounds")["stage"] == stage
        games = json.loads(arena.call("/schedule")[1])
        wanted = Counter(team for game in games for team in game["seats"])
        assert set(wanted.values()) == {1 if stage == "final" else 4}
        with ThreadPoolExecutor(12) as pool:
            list(pool.map(play, wanted, wanted.values()))
        arena.until(lambda: not arena.lobby.live)
    assert arena.call(f"/rounds?apiKey={TOKEN}", {}) == (409, "the contest is over")
    records = [load_record(path) for path in (arena.folder / "games" / "contest").glob("*.jsonl")]
    assert len(records) == 12 + 12 + 1
    assert all("absent" not in record.header.setup and record.result for record in records)


def test_a_contest_that_was_cut_off_goes_on_with_the_same_games(tmp_path: Path) -> None:
    file = tmp_path / "day.yaml"
    file.write_text(FILE)
    with served(tmp_path / "arena", match_file=file) as arena:
        opened = arena.organise("/rounds")["games"]
    with served(tmp_path / "arena", match_file=file) as arena:
        listed = [game["id"] for game in json.loads(arena.call("/schedule")[1])]
        assert sorted(listed) == sorted(opened)
        play_all(arena)
        assert arena.organise("/rounds")["stage"] == "final"


def test_a_game_that_a_killed_server_was_playing_is_shown_as_waiting_and_played_again(
    arena: Served, tmp_path: Path
) -> None:
    arena.organise("/rounds")
    with ThreadPoolExecutor(4) as pool:
        wires = [client("1", arena.port, KEYS[team]) for team in list(KEYS)[:4]]
        joined = [pool.submit(wire.__enter__().join, arena=True) for wire in wires]
        (playing,) = arena.until(
            lambda: [row for row in arena.lobby.store.games(["official"], ["playing"]) if row.record]
        )
        left = tmp_path / "left" / "arena"
        shutil.copytree(arena.folder, left)  # as a killed server leaves it
        with served(left) as again:
            assert json.loads(again.call("/data/games?finished=no")[1])["games"] == []
            shown = {game["id"]: game["status"] for game in json.loads(again.call("/data/arena")[1])["games"]}
            assert shown == dict.fromkeys(shown, "waiting")
            assert playing.id in shown
        arena.organise("/games", "DELETE")
        assert [bool(each.exception(60) or each.result()) for each in joined] == [True] * 4
        for wire in wires:
            wire.__exit__(None, None, None)


def test_a_ladder_runs_on_by_itself_and_takes_in_teams(make_arena: Callable[..., Served], tmp_path: Path) -> None:
    house = tmp_path / "house" / "house.sh"
    arena = make_arena(toml="".join(f"{name} = '{house}'\n" for name in "abcd"))
    options = "options: {rounds: 1, map: m1}\nschedule: {kind: ladder, batch: 1}\n"
    arena.begin(f"protocol: heroes\nseats: 4\nagents: [a, b, c, d]\n{options}")
    assert arena.organise("/rounds")["stage"] == "batch 1"

    def stages() -> set[str]:
        return {game["stage"] for game in json.loads(arena.call("/data/arena")[1])["games"]}

    arena.until(lambda: "batch 3" in stages())
    assert "not finished yet" in arena.call(f"/rounds?apiKey={TOKEN}", {})[1]
    arena.organise("/contest/teams", name="Team 1")
    arena.until(lambda: any("Team 1" in game["seats"] for game in json.loads(arena.call("/schedule")[1])))
    assert {"a", "b", "c", "d", "Team 1"} == {row["agent"] for row in json.loads(arena.call("/standings")[1])}


def test_contests_have_nothing_in_common_but_the_teams_whose_names_are_data(arena: Served) -> None:
    arena.organise("/register", name="E=mc2")
    match = "protocol: heroes\nseats: 4\nagents: ['remote:E=mc2', random, 'remote:Team 1', 'remote:Team 2']\n"
    arena.begin(match)
    arena.begin(match + "name: other\n")
    status, told = arena.call(f"/contest?apiKey={TOKEN}", {match + "name": " other"})
    assert status == 400, told
    assert sorted(path.name for path in (arena.folder / "contests").iterdir()) == ["contest", "day", "other"]
    state = json.loads(arena.call("/data/arena")[1])
    seats = {name for stage in state["contest"]["stages"] for game in stage["games"] for name in game["seats"]}
    assert seats == {"E=mc2", "random", "Team 1", "Team 2"}


def test_a_team_whose_name_looks_like_an_agent_plays_a_contest_through_a_restart(tmp_path: Path) -> None:
    strange = "E=mc2"
    match = (
        f"protocol: heroes\nseats: 4\noptions: {{rounds: 1, map: m1}}\nagents: ['remote:{strange}', random, "
        "'remote:Team 1', 'remote:Team 2']\nschedule: {kind: season, season: [{name: all, points: [3, 2, 1, 0]}], "
        "elimination: []}\n"
    )
    with served(tmp_path / "arena") as arena:
        key = arena.organise("/register", name=strange)["key"]
        arena.begin(match)
        opened = arena.organise("/rounds")["games"]
    with served(tmp_path / "arena") as arena:
        listed = json.loads(arena.call("/schedule")[1])
        assert sorted(game["id"] for game in listed) == sorted(opened)
        assert all(strange in game["seats"] for game in listed)

        def play(own: str) -> None:
            for _ in opened:
                with client("1", arena.port, own) as player:
                    player.play_out(player.join(arena=True), lambda _: "Stay")

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(play, [key, KEYS["Team 1"], KEYS["Team 2"]]))
        arena.until(lambda: not arena.lobby.live)
        assert strange in [row["agent"] for row in json.loads(arena.call("/standings")[1])]
        assert arena.call(f"/rounds?apiKey={TOKEN}", {}) == (409, "the contest is over")

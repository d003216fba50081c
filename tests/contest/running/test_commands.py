"""Contests by flags: ``arbiter match`` and ``arbiter tournament`` do what a match file does, and show their progress."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.contest.match_file import load_contest
from tests.cli.terminal import printed_at_a_terminal
from tests.contest.running.around import records, varied
from tests.nullgame.command import Ran, arbiter
from tests.nullgame.place import bidder

pytestmark = pytest.mark.slow


def match(*words: str) -> Ran:
    return arbiter("match", "auction", "one.sh", "new=nine.sh", "-o", "rounds=1", "-w", "1", *words)


@pytest.fixture
def duel(place: Path) -> Path:
    """Where the games of a match of two agents go."""
    bidder(place, "one", 1)
    bidder(place, "nine", 9)
    return place / "matches" / "games" / "auction-one-new"


def test_a_match_says_who_is_better_and_goes_on_when_more_games_are_asked_for(place: Path, duel: Path) -> None:
    first = match("--games", "8")

    assert first.code == 0, first.err
    assert "one is better than new: no; new is" in first.out
    assert first.err.splitlines()[-1] == "8 of 8 games"
    assert len(records(duel)) == 8

    more = match("--games", "11", "--json")

    assert len(records(duel)) == 12  # every deal is played from both seats
    document = more.document
    assert (document["complete"], document["counts"]["counted"], document["verdict"]) == (True, 12, "no")
    assert [row["agent"] for row in document["rows"]] == ["new", "one"]


def test_a_match_of_one_agent_is_refused(place: Path) -> None:
    bidder(place, "one", 1)
    ran = arbiter("match", "auction", "one.sh")
    assert (ran.code, ran.err) == (2, "arbiter: a match needs at least two agents; only 'one.sh' was given\n")


def test_a_match_ends_when_the_question_is_settled(place: Path, duel: Path) -> None:
    ran = match("--until", "better(new,one,elo1=100)", "-q")
    assert (ran.code, ran.err) == (0, "")
    assert "new is better than one: yes" in ran.out
    assert 2 < len(records(duel)) < 100
    standings = arbiter("standings", duel)
    assert standings.out.startswith(ran.out)


def test_a_folder_for_a_match_is_all_its_agents_at_one_table(place: Path) -> None:
    varied(place / "bots", "a", "b", "c")
    ran = arbiter("match", "auction", "bots", "-n", "3", "-o", "rounds=1", "-w", "1", "--json", "--name", "three")
    assert ran.code == 0, ran.err
    assert ran.document["seats"] == 3
    assert {len(record.names) for record in records(place / "matches" / "games" / "three")} == {3}


def test_a_tournament_by_flags_is_the_contest_of_a_file(place: Path) -> None:
    varied(place, "a", "b", "c", "d")
    agents = [f"{name}.sh" for name in "abcd"]
    words = ["--kind", "knockout", "--set", "best_of=2", "--set", "third_place=true", "-o", "rounds=1", "-w", "1"]

    ran = arbiter("tournament", "auction", *agents, *words, "--name", "spring", "--save", "cups")

    assert ran.code == 0, ran.err
    contest = load_contest(place / "cups" / "spring")
    assert (contest.schedule.kind, contest.names) == ("knockout", ("a", "b", "c", "d"))
    assert {record.header.stage for record in records(contest.folder)} == {"semi-final", "third place", "final"}
    again = arbiter("run", "cups/spring", "-q")
    assert again.code == 0
    assert arbiter("standings", "cups/spring").out.startswith(again.out)


def test_in_a_terminal_there_is_a_bar_and_the_table_so_far(place: Path, duel: Path) -> None:
    words = ["match", "auction", "one.sh", "nine.sh", "-o", "rounds=1", "--games", "20", "-w", "1"]
    text = printed_at_a_terminal(100, *words, folder=place)
    for shown in ("auction-one-nine", "of 20 games", "━", "wins-draws-losses"):
        assert shown in text


def tournament(*words: str) -> Ran:
    return arbiter("tournament", "auction", *words, "-o", "rounds=1", "-w", "1", "-q")


def folders(place: Path) -> dict[str, int]:
    """The contests by name, each with its number of games."""
    return {path.name: len(records(path)) for path in sorted((place / "matches" / "games").iterdir())}


def test_tournaments_of_different_agents_get_folders_of_their_own(place: Path) -> None:
    for name in ("one", "two", "three"):
        bidder(place, name, len(name))
    assert tournament("one.sh", "two.sh").code == 0
    assert tournament("one.sh", "three.sh").code == 0
    assert folders(place) == {"auction-round_robin": 2, "auction-round_robin-2": 2}
    assert load_contest(place / "matches/games/auction-round_robin", only_look=True).names == ("one", "two")


def test_the_same_command_continues_its_contest_even_with_more_games_or_agents(place: Path) -> None:
    for name in ("one", "two", "three"):
        bidder(place, name, len(name))
    assert tournament("one.sh", "two.sh").code == 0
    assert tournament("one.sh", "two.sh", "--games", "4").code == 0
    assert folders(place) == {"auction-round_robin": 4}
    assert tournament("one.sh", "two.sh", "three.sh", "--games", "4").code == 0
    assert folders(place) == {"auction-round_robin": 12}


def test_a_folder_continues_its_contest_whatever_comes_and_goes_in_it(place: Path) -> None:
    bidder(place / "bots", "one", 1)
    bidder(place / "bots", "two", 2)
    assert tournament("bots").code == 0
    bidder(place / "bots", "three", 3)
    (place / "bots" / "one.sh").unlink()
    assert tournament("bots").code == 0
    assert list(folders(place)) == ["auction-round_robin"]


def test_matches_of_equal_names_in_different_folders_get_folders_of_their_own(place: Path) -> None:
    for folder in ("old", "new"):
        bidder(place / folder, "a", 1)
        bidder(place / folder, "b", 2)
        match = arbiter("match", "auction", f"{folder}/a.sh", f"{folder}/b.sh", "-n", "2", "-o", "rounds=1", "-w", "1")
        assert match.code == 0, match.err
    assert folders(place) == {"auction-a-b": 2, "auction-a-b-2": 2}

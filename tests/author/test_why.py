"""``arbiter why``: what lost a game, and where an agent loses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.author.why_contest import stories
from arbiter.author.why_game import where_behind
from arbiter.game import Fault, FaultKind
from arbiter.records.reader import Record
from tests.nullgame import count_up
from tests.nullgame.command import arbiter
from tests.nullgame.script import Said, Script, header_of, perform
from tests.records import games

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).resolve().parents[2] / "matches" / "samples"
LATE = Fault(FaultKind.LATE, "no answer within 5s")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_the_scores_part_where_the_agent_falls_behind_for_good(gains: list[tuple[int, int]]) -> None:
    scores: list[tuple[float, float]] = [(0, 0)]
    for own, other in gains:
        scores.append((scores[-1][0] + own, scores[-1][1] + other))
    found = where_behind(scores, 0, 1)
    if found is None:
        assert all(own == other for own, other in scores)
        return
    assert found.final == scores[-1][1] - scores[-1][0]
    if found.turn:
        assert all(other > own for own, other in scores[found.turn :])
        assert scores[found.turn - 1][1] <= scores[found.turn - 1][0]
    else:
        assert found.final <= 0
    assert found.worst_loss == max(0, *(other - own for own, other in gains))
    if found.worst_turn:
        own, other = gains[found.worst_turn - 1]
        assert other - own == found.worst_loss


def test_there_is_no_parting_without_scores_during_the_game() -> None:
    assert where_behind([(), (), (3.0, 5.0)], 0, 1) is None
    assert where_behind([(0.0, 0.0), (3.0, 5.0)], 1, None) is None


def test_a_lost_game_is_explained() -> None:
    ran = arbiter("why", SAMPLES / "rails.jsonl")
    assert ran.code == 0, ran.err
    assert "sensible (player 1), lost" in ran.out
    assert "behind strong since turn 28, by 257 in the end" in ran.out
    assert "strong (seat 0)" not in ran.out  # it won without a fault
    (seat,) = arbiter("why", SAMPLES / "rails.jsonl", "--json").document["seats"]
    assert (seat["fell_behind"]["turn"], seat["result"]) == (28, "lost")
    assert seat["slowest"][0]["charged_us"] == max(each["charged_us"] for each in seat["slowest"])
    limits = {each["turn"]: each["limit_us"] for each in seat["slowest"]}
    assert limits == {turn: 5_000_000 if turn == 1 else 250_000 for turn in limits}
    assert 1 in limits, "a first move is compared with the limit of first moves"
    assert "ms of 5s, turn" in ran.out


def test_what_it_says_to_try_works(tmp_path: Path) -> None:
    said = next(line for line in arbiter("why", SAMPLES / "splendor.jsonl").out.splitlines() if "try again" in line)
    words = said.split("arbiter ")[1].split()
    assert len(arbiter(*words, "--json").document["seats"][0]["answers"]) == 1


def test_faults_are_listed_with_what_was_played_instead(shelf: Path) -> None:
    ran = arbiter("why", "counted.jsonl", "--as", "bot 0", folder=shelf)
    assert ran.code == 0, ran.err
    assert "late: no answer within 5s; played instead: adds 0" in ran.out
    assert "bot 1 (seat" not in ran.out
    wrong = arbiter("why", "counted.jsonl", "--as", "bot 9", folder=shelf)
    assert (wrong.code, "--as: unknown agent 'bot 9'" in wrong.err) == (2, True)


def contest(folder: Path, answers: list[tuple[list[Said], list[Said]]]) -> list[Record]:
    """Two-turn games of 'bot 0' and 'bot 1' with these answers, which seat 0 begins."""
    header = header_of(count_up.protocol, 2, options={"turns": 4})
    header.setup = {"start": 0, "first": 0}
    return [
        perform(folder / f"{number}.jsonl", count_up.protocol, header, Script({0: first, 1: second}))
        for number, (first, second) in enumerate(answers)
    ]


def test_openings_and_faults_that_lose_are_found(tmp_path: Path) -> None:
    wins: tuple[list[Said], list[Said]] = (["3", "3"], ["1", "1"])
    loses: tuple[list[Said], list[Said]] = (["1", "1"], ["3", "3"])
    faulty: tuple[list[Said], list[Said]] = (["3", LATE], ["3", "3"])
    records = contest(tmp_path, [wins] * 12 + [loses] * 6 + [faulty] * 3)
    (story,) = stories(records, "bot 0")
    assert (story.games, story.won, story.lost) == (21, 12, 9)
    assert [(share.what, share.games, share.lost, share.notable) for share in story.openings] == [
        ("1 / 1", 6, 6, True), ("3 / 0", 3, 3, False), ("3 / 3", 12, 0, False),
    ]  # fmt: skip
    assert [(share.what, share.games, share.points) for share in story.faults] == [("late", 3, 0.0)]
    assert [share.what for share in story.opponents] == ["bot 1"]
    assert story.look_at[0].because == "lost with a fault: late"
    assert all(Path(game.record).exists() for game in story.look_at)


def test_games_of_two_protocols_are_not_counted_together(tmp_path: Path) -> None:
    games.counting(tmp_path / "counting.jsonl")
    games.bidding(tmp_path / "bidding.jsonl")
    found = arbiter("why", tmp_path, "--json", "--as", "bot 0").document["agents"]
    assert sorted((each["protocol"], each["games"]) for each in found) == [("auction", 1), ("count_up", 1)]
    assert "bot 0 in auction: 1 game, " in arbiter("why", tmp_path).out


def test_a_folder_is_explained_agent_by_agent(tmp_path: Path) -> None:
    contest(tmp_path, [(["3", "3"], ["1", "1"])] * 4)
    (tmp_path / "broken.jsonl").write_text("nonsense\n", encoding="utf-8")
    ran = arbiter("why", tmp_path)
    assert ran.code == 0, ran.err
    assert ran.out.index("bot 1: 4 games, 0 won, 0 drawn, 4 lost") < ran.out.index("bot 0: 4 games, 4 won")
    assert "left out: " in ran.err
    assert [each["name"] for each in arbiter("why", tmp_path, "--json", "--as", "bot 0").document["agents"]] == [
        "bot 0"
    ]


def test_unfinished_games_do_not_count(shelf: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes((shelf / "cut.jsonl").read_bytes())
    assert "no finished game among 2 saved games" in arbiter("why", tmp_path, folder=shelf).err
    assert "unfinished: the game was cut off" in arbiter("why", "cut.jsonl", folder=shelf).out

"""A series: seats rotate, seeds are paired, and the results are added up."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import UserError, play
from arbiter.game import Game
from arbiter.playing.report import add_up
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load_record
from arbiter.records.summary import FaultReport
from tests.nullgame.place import adder, bidder, write
from tests.records.games import summary
from tests.tools import refusal


def test_every_seed_is_played_with_every_rotation_before_the_next(place: Path) -> None:
    agents = [adder(place, name, number) for name, number in (("a", 1), ("b", 2), ("c", 3))]
    games = play("count_up", agents, games=7, seed=40, options={"turns": 3}).games
    assert [game.seed for game in games] == [40, 40, 40, 41, 41, 41, 42]
    assert ["".join(game.seats) for game in games] == ["abc", "bca", "cab", "abc", "bca", "cab", "abc"]


def test_paired_games_have_the_same_setup_and_are_numbered(place: Path) -> None:
    agents = [adder(place, "a", 1), adder(place, "b", 2)]
    headers = [load_record(Path(game.record)).header for game in play("count_up", agents, games=4, seed=1).games]
    assert headers[0].setup == headers[1].setup != headers[2].setup == headers[3].setup
    assert [header.game for header in headers] == [1, 2, 3, 4]


COUNTS_ITS_GAMES = """#!/bin/sh
cat > /dev/null
echo game >> games
echo "kibitz $(wc -l < games)" >&2
echo 0
"""


def test_files_persist_where_the_protocol_lets_them_but_not_between_games_of_one_deal(place: Path) -> None:
    agents = [str(write(place / name / "bot.sh", COUNTS_ITS_GAMES, executable=True)) for name in "ab"]
    games = play("splendor", agents, games=4, seed=1, options={"max_rounds": 1}, sandbox="rlimits").games
    notes = [{line.seat: line.kibitz for line in load_record(Path(game.record)).answers} for game in games]
    assert notes == [{0: [count], 1: [count]} for count in "1121"]


def test_totals_are_by_agent_whatever_its_seat(place: Path) -> None:
    agents = [adder(place, "a", 1), adder(place, "b", 3)]
    report = play("count_up", agents, games=2, seed=1)
    assert (report.totals["b"].games, report.totals["b"].wins, report.totals["b"].losses) == (2, 2, 0)
    assert (report.totals["a"].wins, report.totals["a"].losses) == (0, 2)
    assert (report.totals["a"].score, report.totals["b"].score) == (6.0, 18.0)
    assert report.totals["a"].answers == 6
    assert report.totals["a"].think_us >= report.totals["a"].slowest_us > 0


def test_faults_are_reported_with_turn_seat_kind_and_detail(place: Path) -> None:
    agents = [adder(place, "a", 1), adder(place, "b", "seven")]
    report = play("count_up", agents, games=2, seed=1, options={"turns": 2})
    seats = [game.seats.index("b") for game in report.games]
    assert [(fault.seat, fault.kind, fault.detail) for game in report.games for fault in game.faults] == [
        (seats[0], "garbled", "'seven' is not a number"),
        (seats[1], "garbled", "'seven' is not a number"),
    ]
    for game in report.games:
        turn = next(line.turn for line in load_record(Path(game.record)).answers if line.fault)
        assert game.faults[0].turn == turn
    assert (report.totals["a"].faults, report.totals["b"].faults) == (0, 2)


def test_a_shared_first_rank_is_a_draw_and_a_game_that_nobody_won_is_lost_by_all() -> None:
    times = {"think_us": [10, 20], "slowest_us": [7, 9], "answers": [2, 3]}
    late = FaultReport(turn=1, seat=0, kind="late", detail="")
    shared = summary("ab", [1, 1], [3, 3], **times)
    nobody = summary("ba", [2, 2], [0, 0], faults=[late], **times)
    won = summary("ab", [2, 1], [1.5, 9], **times)
    totals = add_up(["a", "b"], [shared, nobody, won])
    assert [(total.wins, total.draws, total.losses) for total in totals.values()] == [(0, 1, 2), (1, 1, 1)]
    assert (totals["a"].score, totals["b"].score) == (4.5, 12)
    assert (totals["a"].faults, totals["b"].faults) == (0, 1)
    assert (totals["a"].answers, totals["a"].think_us, totals["a"].slowest_us) == (7, 40, 9)


def test_an_agent_that_plays_alone_wins_or_loses() -> None:
    alone = summary("a", [2], [0])
    totals = add_up(["a"], [alone])
    assert (totals["a"].wins, totals["a"].draws, totals["a"].losses) == (0, 0, 1)


def test_agents_that_move_at_once_get_their_final_message_and_their_last_kibitz_is_kept(place: Path) -> None:
    heard = write(place / "ears.sh", "read -r a; read -r b; echo 5; cat > heard; echo kibitz goodbye >&2\n")
    report = play("auction", [str(heard), bidder(place, "b", 1)], seed=1, options={"rounds": 1})
    record = load_record(Path(report.games[0].record))
    assert (place / "heard").read_text() == f"sold, you have {record.header.setup['prize']}\n"
    assert record.result is not None
    assert record.result.afterwards == {0: ["goodbye"]}


def test_callbacks_get_every_answer_and_every_game(place: Path) -> None:
    seen: list[str] = []

    def watch(game: Game, line: AnswerLine) -> None:
        seen.append(line.move)

    agents = [adder(place, "a", 1), adder(place, "b", 2)]
    report = play(
        "count_up",
        agents,
        games=2,
        seed=2,
        options={"turns": 1},
        watch=watch,
        on_game=lambda game: seen.append(game.digest),
    )
    moves = [load_record(Path(game.record)).answers[0].move for game in report.games]
    assert seen == [moves[0], report.games[0].digest, moves[1], report.games[1].digest]


def test_without_a_seed_one_is_chosen_and_reported(place: Path) -> None:
    agents = [adder(place, "a", 1)]
    seeds = {play("count_up", agents, options={"turns": 1}).games[0].seed for _ in range(3)}
    assert len(seeds) == 3


def test_games_are_saved_where_asked(place: Path) -> None:
    agent = adder(place, "a", 1)
    elsewhere = play("count_up", [agent], save=place / "else where")
    default = play("count_up", [agent])
    assert Path(elsewhere.games[0].record).parent == place / "else where"
    assert Path(default.games[0].record).parent == place / "matches" / "games"


@pytest.mark.parametrize("games", [0, -1])
def test_fewer_games_than_one_is_the_callers_mistake(place: Path, games: int) -> None:
    with pytest.raises(UserError, match=f"^games {games}: must be a whole number, at least 1$"):
        play("count_up", [adder(place, "a", 1)], games=games)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"options": {"speed": 1}}, "command line: unknown count_up option 'speed'; choose from turns, bonus, pace"),
        ({"options": {"turns": 13}}, "invalid setup: 13 turns are unlucky"),
        ({"options": {"turns": "x"}}, "command line: option turns=x: must be a whole number"),
        ({"limits": {"move": "soon"}}, "command line: limit move 'soon': must be a duration such as 10s, 50ms or 2m"),
        ({"lifetime": "day"}, "unknown lifetime 'day'; choose from move, game"),
        ({"time_factor": -1.0}, "time factor -1: must be a number above 0, such as 3"),
        ({"setup": "nowhere"}, "nowhere: No such file or directory"),
    ],
)
def test_a_wrong_argument_is_one_line_before_any_game(place: Path, wrong: dict[str, object], message: str) -> None:
    assert refusal(lambda: play("count_up", [adder(place, "a", 1)], **wrong)) == message  # type: ignore[arg-type]
    assert not (place / "matches").exists()


def test_the_number_of_agents_must_fit_the_table(place: Path) -> None:
    with pytest.raises(UserError, match=r"^Auction needs 2 to 3 agents, not 1$"):
        play("auction", [bidder(place, "a", 1)])


@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_the_record_has_all_earlier_answers_while_an_agent_thinks(place: Path, lifetime: str) -> None:
    """The agent does not answer before the record has a line for every turn before, and the header."""
    wait = "until [ $(cat games/*.jsonl | wc -l) -ge $((4 - left)) ]; do :; done"
    agent = write(place / "patient.sh", f"read -r seat\nwhile read -r total left; do {wait}; echo 1; done\n")
    save, limits = place / "games", {"move": "20s"}
    report = play("count_up", [str(agent)], seed=1, options={"turns": 3}, lifetime=lifetime, save=save, limits=limits)
    assert report.games[0].faults == []

"""The sample agents play whole games without a fault, say why, and are as strong as their names.

They answer the same input the same way, so the games of a seed are the same on every machine, and a result here is a
fact and not a matter of luck.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter import PlayReport, play
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from arbiter.registry import find_protocol, protocol_names
from arbiter.config.workspace import Workspace
from tests.tools import ROOT

pytestmark = pytest.mark.slow

WORKSPACE = Workspace(ROOT)
SHORT: dict[str, dict[str, object]] = {
    "splendor": {"max_rounds": 5},
    "green_circle": {"max_phases": 60},
    "rails": {"turns": 15},
    "heroes": {"rounds": 15},
    "drones": {"rounds": 4},
}
"""Options that make a game of each protocol short."""
PATIENT = 20
"""Generous, because these tests measure strength, not the speed of a busy machine."""


def tables() -> Iterator[tuple[str, list[str]]]:
    """Every agent at a table of its protocol, as few tables as possible; the last one is filled up with the first agent."""
    for protocol in protocol_names(WORKSPACE):
        agents = list(WORKSPACE.agents(protocol))
        seats = max(2, find_protocol(protocol, WORKSPACE).seats[1])
        for start in range(0, len(agents), seats):
            table = agents[start : start + seats]
            yield protocol, table + agents[:1] * (seats - len(table))


def series(protocol: str, agents: list[str], tmp_path: Path, **more: object) -> PlayReport:
    more = {"time_factor": PATIENT, "save": tmp_path, "workspace": WORKSPACE, "seed": 900} | more
    return play(protocol, agents, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("protocol", "table"), list(tables()), ids=lambda name: name if isinstance(name, str) else "-".join(name)
)
def test_they_play_a_short_game_without_a_fault_and_say_why(protocol: str, table: list[str], tmp_path: Path) -> None:
    rules = find_protocol(protocol, WORKSPACE)
    options = {name: value for name, value in SHORT[protocol].items() if name in {each.name for each in rules.options}}

    report = series(protocol, table, tmp_path, options=options)

    assert report.games[0].faults == []
    record = load_record(Path(report.games[0].record))
    assert list(differences(record, rules)) == []
    assert {line.seat for line in record.answers if line.kibitz} == set(range(len(table)))


def test_the_agents_for_splendor_also_live_for_a_whole_game(tmp_path: Path) -> None:
    agents = ["greedy", "lookahead", "random", "greedy-cpp"]
    report = series("splendor", agents, tmp_path, options=SHORT["splendor"], lifetime="game")

    assert report.games[0].faults == []


@pytest.mark.parametrize(
    ("protocol", "strong", "weak", "games", "wins"),
    [
        ("splendor", "greedy-cpp", "random", 2, 2),
        ("splendor", "lookahead", "greedy-cpp", 4, 3),
        ("green_circle", "strong", "sensible", 4, 3),
        ("rails", "strong", "sensible", 4, 3),
        ("drones", "counter", "random", 2, 2),
    ],
)
def test_the_stronger_one_wins(protocol: str, strong: str, weak: str, games: int, wins: int, tmp_path: Path) -> None:
    report = series(protocol, [strong, weak], tmp_path, games=games, lifetime="game")

    assert all(game.faults == [] for game in report.games)
    assert report.totals[strong].wins >= wins


def test_the_strongest_hero_gets_rich(tmp_path: Path) -> None:
    report = series("heroes", ["strong", "sensible", "steady", "random"], tmp_path, games=2)

    assert report.totals["strong"].wins == 2
    assert report.totals["random"].wins == 0


def test_between_them_the_agents_for_splendor_use_every_kind_of_action(tmp_path: Path) -> None:
    report = series("splendor", ["greedy", "planner", "builder", "random"], tmp_path, games=2, lifetime="game")
    moves = [line.move.split() for game in report.games for line in load_record(Path(game.record)).answers]

    assert any(move[0] == "3" and int(move[1]) < 0 for move in moves), "a reservation from a deck"
    assert any(move[0] == "1" and len(move) > 2 + int(move[1]) for move in moves), "returned chips"
    reserved = {move[1] for move in moves if move[0] == "3"}
    assert any(move[0] == "4" and move[1] in reserved for move in moves), "a card bought from the reserve"


def test_the_agents_for_splendor_never_speak_of_1_points(tmp_path: Path) -> None:
    report = series("splendor", ["greedy-cpp", "planner"], tmp_path, lifetime="game")
    said = [line for answer in load_record(Path(report.games[0].record)).answers for line in answer.kibitz]

    assert [line for line in said if " buys " in line], "something that brings points is said"
    assert [line for line in said if re.search(r"\b1 (points|cards|chips)\b", line)] == []


def test_greedy_is_the_same_player_in_both_languages(tmp_path: Path) -> None:
    report = series("splendor", ["greedy", "greedy-cpp"], tmp_path, games=2, lifetime="game")
    first, second = ([line.move for line in load_record(Path(game.record)).answers] for game in report.games)

    assert first == second, "the same deal, with seats swapped"

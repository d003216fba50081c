"""The format for programs: the whole report, and nothing that is not valid JSON."""

from __future__ import annotations

import json as standard

import msgspec

from arbiter.contest.formats.json import json
from arbiter.contest.report import Report
from arbiter.contest.statistics.standings import compute_standings
from tests.contest.fake_game import in_order, play_all
from tests.contest.formats.making import contest, hostile, lively, made


def reject(constant: str) -> None:
    raise AssertionError(f"{constant} is not valid JSON")


def test_it_decodes_to_the_same_report() -> None:
    found = made({"kind": "knockout"}, "abcdefgh", in_order("abcdefgh"))
    assert msgspec.json.decode(json(found), type=Report) == found
    standard.loads(json(found), parse_constant=reject)


def test_its_numbers_are_those_of_the_standings() -> None:
    of = contest({"kind": "round_robin", "games": 6}, "abcd")
    games = play_all(of.schedule, "abcd", lively)
    rows = standard.loads(json(made({"kind": "round_robin", "games": 6}, "abcd")))["rows"]
    for row, standing in zip(rows, compute_standings(games.values(), "abcd").rows, strict=True):
        assert row["agent"] == standing.agent
        assert standing.score is not None
        interval = msgspec.structs.asdict(standing.score)
        assert row["score"] == {name: round(value, 4) for name, value in interval.items()}
        assert row["faults"] == standing.faults
        assert standing.think_us is not None
        assert row["think_us"] == round(standing.think_us, 4)


def test_names_come_back_as_they_were() -> None:
    found = hostile()
    decoded = standard.loads(json(found), parse_constant=reject)
    assert [row["agent"] for row in decoded["rows"]] == [row.agent for row in found.rows]
    assert decoded["not_played"] == {"7": found.not_played[7]}

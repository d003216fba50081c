"""The format for programs: the whole report, and nothing that is not valid JSON."""

from __future__ import annotations

import json as standard

import msgspec

from arbiter.contest.formats.json import json
from arbiter.contest.report import Report
from tests.contest.fake_game import in_order
from tests.contest.formats.making import hostile, made


def reject(constant: str) -> None:
    raise AssertionError(f"{constant} is not valid JSON")


def test_it_decodes_to_the_same_report() -> None:
    found = made({"kind": "knockout"}, "abcdefgh", in_order("abcdefgh"))
    assert msgspec.json.decode(json(found), type=Report) == found
    standard.loads(json(found), parse_constant=reject)


def test_names_come_back_as_they_were() -> None:
    found = hostile()
    decoded = standard.loads(json(found), parse_constant=reject)
    assert [row["agent"] for row in decoded["rows"]] == [row.agent for row in found.rows]
    assert decoded["not_played"] == {"7": found.not_played[7]}

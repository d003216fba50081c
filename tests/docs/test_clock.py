"""The page about the clock agrees with the code and with saved games."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from arbiter.agents.clock.charge import Readings, settle
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load_record
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "clock.md").read_text(encoding="utf-8")
SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))
MS = 1_000_000


def by_the_formula(line: AnswerLine) -> int:
    """Return what an answer is charged according to the first formula of the page."""
    return min(line.wall_us, max(line.cpu_us, line.wall_us - line.waited_us))


def test_the_table_has_every_reading_in_the_order_of_the_code() -> None:
    part = PAGE.split("## Every reading and its source", 1)[1].split("\n### ", 1)[0]
    listed = re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)
    assert listed == [name.removesuffix("_ns") for name in Readings.__struct_fields__]


def test_the_answer_on_the_page_is_that_of_the_sample() -> None:
    first = load_record(ROOT / "matches" / "samples" / "splendor.jsonl").answers[0]
    shown = msgspec.json.decode("{" + next(line for line in PAGE.splitlines() if '"wall_us"' in line) + "}")
    assert shown == {name: getattr(first, name) for name in shown}
    assert f"is {by_the_formula(first)}." in PAGE


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_charges_in_saved_games_follow_from_the_formula(sample: Path) -> None:
    for line in load_record(sample).answers:
        assert abs(line.charged_us - by_the_formula(line)) <= 1, "each figure is rounded for itself"


def test_the_example_of_a_program_that_works_sleeps_and_waits() -> None:
    assert "charged max(9, 82 − 53) = 29 ms" in PAGE
    readings = Readings(cpu_ns=9 * MS, agent_wait_ns=53 * MS)
    assert settle("fair", 82 * MS, readings).charged_ns == 29 * MS

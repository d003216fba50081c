"""The format for terminals."""

from __future__ import annotations

import re

import click
import pytest

from arbiter.contest.formats.html import html
from arbiter.contest.formats.markdown import markdown
from arbiter.contest.formats.text import text
from arbiter.contest.report import build_report
from arbiter.contest.statistics import elo, wording
from arbiter.contest.statistics.standings import compute_standings
from tests.contest.formats.making import HOSTILE, contest, ended, hostile, made
from tests.contest.statistics.making import pair


def plain(shown: str) -> list[str]:
    """Its lines without colours."""
    return click.unstyle(shown).split("\n")


def test_the_answer_comes_before_the_table() -> None:
    found = made({"kind": "round_robin", "games": 6}, "abc", title="Spring cup")
    lines = plain(text(found))
    assert lines[0] == "Spring cup  Rails, round robin of 3 agents, 18 games"
    assert lines[1] == found.answer
    rule = next(number for number, line in enumerate(lines) if line.startswith("---"))
    for word, line in zip(("wins-", "draws-", "losses"), lines[rule - 3 : rule], strict=True):
        assert word in line
    assert [line.split()[:2] for line in lines[rule + 1 : rule + 4]] == [["1", "a"], ["2", "b"], ["3", "c"]]


def test_a_table_has_rounded_figures_under_full_headings() -> None:
    match = contest({"kind": "round_robin", "games": 6}, ["new", "old"])
    games = [game for seed, first in enumerate([1.0, 1.0, 0.5]) for game in pair("new", "old", seed, first, 0.0)]
    lines = plain(text(build_report(match, ended(match, games))))
    new, seat = compute_standings(games).rows[1], compute_standings(games).seats[1]
    likely = 100 * elo.of_match(games, "new", "old").superiority
    assert re.split("  +", lines[3]) == [
        "place", "agent", "points / games", "wins-draws-losses", "score (95 % interval)", "Elo"
    ]  # fmt: skip
    assert lines[6].split()[:5] == ["2", "new", "2.5/6", "2-1-3", "42"]
    assert wording.score(new.score) in lines[6]
    assert f"duel     2-1-3 (wins-draws-losses) in 3 deals; {likely:.1f} % likely that new is better" in lines
    assert f", 1: {wording.score(seat.score)}" in "\n".join(lines)


def test_only_as_many_headings_are_broken_as_the_terminal_requires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    lines = plain(text(made({"kind": "round_robin", "games": 6}, "abc")))
    rule = next(number for number, line in enumerate(lines) if line.startswith("---"))
    assert re.split("  +", lines[rule - 3]) == [
        "place", "agent", "points / games", "wins-draws-losses", "score (95 % interval)", "Elo", "mean",
        "mean think time", "faults"
    ]  # fmt: skip
    assert [line.split() for line in lines[rule - 2 : rule]] == [["score", "in"], ["the", "game"]]


@pytest.mark.parametrize("until", ["", "better(new,old)"])
def test_nothing_is_said_about_who_is_better_before_the_first_game(until: str) -> None:
    match = contest({"kind": "round_robin", "games": 6}, ["new", "old"], until=until)
    found = build_report(match, ended(match, []))
    assert "duel     no game has been played yet" in plain(text(found))
    assert [shown for shown in (text(found), html(found), markdown(found)) if "50.0 %" in shown] == []


def test_ratings_of_a_ladder_are_whole_numbers_in_place_of_elo() -> None:
    found = made({"kind": "ladder", "rest_after": 8}, "abcd")
    lines = plain(text(found))
    assert "Elo" not in "\n".join(lines[3:5])
    row = next(line.split() for line in lines if line.split()[:1] == ["1"])
    assert row[2] == str(round(found.rows[0].figures["rating"]))


def test_the_crosstable_is_shown_if_most_agents_met() -> None:
    everybody = "\n".join(plain(text(made({"kind": "round_robin"}, "abcd"))))
    assert "against" in everybody
    knocked_out = "\n".join(plain(text(made({"kind": "knockout"}, "abcdefgh"))))
    assert "against  " not in knocked_out
    assert "quarter-final" in knocked_out


def test_a_crosstable_that_would_be_too_wide_is_in_percent() -> None:
    names = [f"agent number {number}" for number in range(10)]
    lines = plain(text(made({"kind": "round_robin"}, names)))
    assert "% of the points" in lines
    assert max(map(len, lines[3 : lines.index("% of the points")])) <= 80


def test_a_crosstable_that_is_wider_than_the_terminal_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"agent number {number}" for number in range(14)]
    shown = made({"kind": "round_robin"}, names)
    note = "the crosstable is left out, since it is wider than 80 columns: use --format html or csv-crosstable"
    assert note in plain(text(shown))
    monkeypatch.setenv("COLUMNS", "140")
    assert any("results against" in line for line in plain(text(shown)))


def test_standings_that_are_too_wide_go_on_in_a_second_table() -> None:
    names = ["a" * 40, "b" * 40, "c" * 40]
    lines = plain(text(made({"kind": "round_robin", "games": 6}, names)))
    heads = [line.split() for line in lines if line.split()[:2] == ["place", "agent"]]
    assert "Elo" in heads[0]
    assert "faults" in heads[1]
    tables = lines[2 : lines.index(next(line for line in lines if line.startswith("highlights")))]
    assert max(map(len, tables)) <= 80


def test_hostile_names_stay_on_their_lines() -> None:
    found = hostile()
    shown = click.unstyle(text(found))
    assert all(letter == "\n" or letter.isprintable() for letter in shown)
    rows = [line for line in shown.split("\n") if line.strip().startswith(tuple(f"{n} " for n in range(1, 13)))]
    assert len(rows) >= len(HOSTILE) - 1
    assert "line\\nbreak\\rand\\ttab\\x1b[31" in shown
    assert "x" * 41 not in shown.split("note  ")[0]


def test_notes_come_last() -> None:
    shown = click.unstyle(text(hostile()))
    assert "not complete: 1 game could not be played" in shown
    assert "same     games 1, 2, 3 and 4 have identical moves" in shown
    assert "missing  game 7 could not be played: line\\nbreak" in shown
    assert "terms    sandbox rlimits, clock fair" in shown
    assert "set aside after 5 games" in shown

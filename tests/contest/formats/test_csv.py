"""The formats for spreadsheets: they can be read back, and no cell is a formula."""

from __future__ import annotations

import csv
import io

from arbiter.contest.formats.csv import crosstable, games, standings
from tests.contest.formats.making import HOSTILE, hostile, made


def read(text: str) -> list[dict[str, str]]:
    """As a program would."""
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert all(None not in row and None not in row.values() for row in rows), "a line has more or fewer cells"
    assert text.count("\n") == len(rows) + 1, "a cell goes over two lines"
    return rows


def test_agents_are_read_back_with_all_digits() -> None:
    found = made({"kind": "swiss", "rounds": 3}, "abcdef")
    rows = read(standings(found))
    assert [row["agent"] for row in rows] == [row.agent for row in found.rows]
    for line, row in zip(rows, found.rows, strict=True):
        assert row.score is not None
        assert float(line["score"]) == row.score.value
        assert float(line["points"]) == row.points
        assert float(line["figures: buchholz"]) == row.figures["buchholz"]
        assert int(line["faults"]) == sum(row.faults.values())
        assert int(line["faults: late"]) == row.faults.get("late", 0)
        assert [int(line[name]) for name in ("games", "wins", "draws", "losses")] == [
            row.games,
            row.wins,
            row.draws,
            row.losses,
        ]


def test_games_have_a_line_for_every_seat() -> None:
    found = made({"kind": "round_robin", "seats": 3}, "abcd")
    rows = read(games(found))
    assert len(rows) == 3 * len(found.games)
    assert [row["agent"] for row in rows[:3]] == list(found.games[0].seats)
    assert [float(row["score"]) for row in rows[:3]] == list(found.games[0].scores)


def test_the_crosstable_has_both_sides_of_every_meeting() -> None:
    found = made({"kind": "round_robin", "games": 4}, "abc")
    met = {(row["agent"], row["opponent"]): row for row in read(crosstable(found))}
    assert len(met) == 6
    assert met["a", "b"]["wins"] == met["b", "a"]["losses"]
    assert float(met["a", "b"]["points"]) + float(met["b", "a"]["points"]) == 4


def test_hostile_names_are_text_on_one_line() -> None:
    found = hostile()
    for table in (standings, games, crosstable):
        for row in read(table(found)):
            for column in ("agent", "opponent", "note", "stage", "record"):
                assert row.get(column, "").isprintable()
                assert not row.get(column, "").startswith(("=", "+", "-", "@"))
    names = {row["agent"] for row in read(standings(found))}
    assert "'=1+1" in names
    assert len(names) == len(HOSTILE)

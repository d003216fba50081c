"""Maps as text."""

from __future__ import annotations

import pytest

from arbiter.game import BadSetup
from protocols.heroes.maps import FREE, MINE, SPIKES, TAVERN, WOOD, parse, parse_rows

from .table import tidy

FRAMED = """\
+--------+
|@1##$-@4|
|  []^^  |
|  $2    |
|@2    @3|
+--------+
"""

CONTEST = """
    +----------------------------------------+
    |######$-    $-############$-    $-######|
    |######        ##        ##        ######|
    |####[]    ####            ####    []####|
    |##      ####  ##        ##  ####      ##|
    |####            $-    $-            ####|
    |##########  @1    ^^^^    @4  ##########|
    |############  ####    ####  ############|
    |$-##$-        ############        $-##$-|
    |  $-      $-################$-      $-  |
    |        ########################        |
    |        ########################        |
    |  $-      $-################$-      $-  |
    |$-##$-        ############        $-##$-|
    |############  ####    ####  ############|
    |##########  @2    ^^^^    @3  ##########|
    |####            $-    $-            ####|
    |##      ####  ##        ##  ####      ##|
    |####[]    ####            ####    []####|
    |######        ##        ##        ######|
    |######$-    $-############$-    $-######|
    +----------------------------------------+
    """
MISALIGNED = CONTEST.replace("########################        |", "#########  #############        |", 1)


def test_every_kind_of_cell_is_read() -> None:
    board = parse(FRAMED)
    assert board.size == 4
    assert board.ground[:8] == (FREE, WOOD, MINE, FREE, FREE, TAVERN, SPIKES, FREE)
    assert board.starts == (0, 12, 15, 3)
    assert board.mines == {2: 0, 9: 2}
    assert board.rows == ("@1##$-@4", "  []^^  ", "  $2    ", "@2    @3")


def test_neighbours_are_north_east_south_west_and_outside_is_wood() -> None:
    board = parse(FRAMED)
    assert board.around[5] == (1, 6, 9, 4)
    assert board.around[0] == (16, 1, 4, 16)
    assert board.around[15] == (11, 16, 16, 14)
    assert board.ground[16] == WOOD


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(parse(FRAMED).rows),
        "\n\n" + "\n".join(parse(FRAMED).rows) + "\n\n",
        "\r\n".join(parse(FRAMED).rows) + "\r\n",
        FRAMED.replace("\n", "\r\n"),
        FRAMED.replace("|\n", "|  \n"),
        "@1##$-@4\n  []^^\n  $2\n@2    @3",
    ],
)
def test_frame_line_ends_and_blanks_at_the_end_of_rows_do_not_matter(text: str) -> None:
    assert parse(text) == parse(FRAMED)


def test_the_contest_s_map_is_one_run_of_wood_in_its_tenth_row() -> None:
    board = parse(tidy(CONTEST))
    assert board.rows[9] == board.rows[10]


def test_a_misaligned_cell_is_refused_with_row_and_column() -> None:
    with pytest.raises(BadSetup, match=r"^the map, row 10, column 9: unknown cell '# '$"):
        parse(tidy(MISALIGNED))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must have 2 to 48 rows, not 0"),
        ("\n\n", "must have 2 to 48 rows, not 0"),
        ("@1", "2 to 48 rows, not 1"),
        ("\n".join(["  "] * 49), "2 to 48 rows, not 49"),
        ("@1@2\n@3@5", "row 2, column 2: unknown cell '@5'"),
        ("@1@2\n@3$5", "row 2, column 2: unknown cell '$5'"),
        ("@1@2\n@3\t ", "row 2, column 2: unknown cell '\\t '"),
        ("@1@2\n@3\x1b[", "row 2, column 2: unknown cell '\\x1b['"),
        ("@1@2\n@3 @", "row 2, column 2: unknown cell ' @'"),
        ("@1@2\n@3٣٣", "unknown cell"),
        ("@1@2\n@3@4##", "row 2, column 3: a map must be square, and this one has 2 rows"),
        ("@1@2\n@3@4#", "row 2, column 3: a map must be square, and this one has 2 rows"),
        ("@1@2\n@3@4\n    ", "this one has 3 rows and 2 columns"),
        ("@1@2\n@3@3", "row 2, column 2: '@3' is already at row 2, column 1"),
        ("@1@2\n@3  ", "lacks hero '@4'"),
        ("    \n  \n", "lacks hero '@1'"),
        ("+----+\n|@1@2|\n|@3@4|", "frame of the map is not closed"),
        ("+----+", "frame of the map is not closed"),
        ("+----+\n|@1@2|\n|@3@4\n+----+", "row 2: in a frame, every row must begin and end with '|'"),
        ("+----+\n@1@2|\n|@3@4|\n+----+", "row 1: in a frame"),
        ("+----+\n|\n|@3@4|\n+----+", "row 1: in a frame"),
    ],
)
def test_a_bad_map_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        parse(text)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 160


def test_rows_come_back_with_all_their_blanks() -> None:
    board = parse_rows(["@1@2@3", "@4", ""])
    assert board.rows == ("@1@2@3", "@4    ", "      ")

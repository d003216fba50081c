"""The terminal drawing."""

from __future__ import annotations

import re

import pytest

from protocols.heroes.rules import DISCONNECT

from .table import arena, new_game, ply

PLACE = """
    +------------+
    |@1^^    $-@4|
    |$1          |
    |  ##[]      |
    |            |
    |$2          |
    |@2        @3|
    +------------+
    """

DRAWN = """\
Heroes  round 1 of 300, seat 2 to move
## wood  [] tavern  $- mine  ^^ spikes

+------------+    @1 seat 0
|  @1    $-@4|       gold     1  mines   1
|$1          |       ██████████████████░░  89 East
|  ##[]      |    @2 seat 1
|            |       gold    12  mines   1  disconnected
|$2          |       ████████████████████  99 Stay
|@2        @3|  ▶ @3 seat 2, you
+------------+       gold     0  mines   0
                     █░░░░░░░░░░░░░░░░░░░   3
                  @4 seat 3
                     gold     0  mines   0
                     ████████████████████ 100
"""


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_the_map_is_drawn_with_the_heroes_beside_it() -> None:
    game = arena(PLACE, gold={2: 11}, life={3: 3})
    ply(game, "East")
    ply(game, DISCONNECT)
    assert plain(game.display().board(2)) == DRAWN


def test_there_are_colours() -> None:
    drawn = arena(PLACE).display().board()
    assert "\x1b[31;1;7m@1\x1b[0m" in drawn
    assert "\x1b[34;1m$2\x1b[0m" in drawn


@pytest.mark.parametrize("size", [10, 18, 20, 28])
def test_the_layout_never_changes_in_a_game(size: int) -> None:
    game = new_game(3, size=size)
    display = game.display(["a", "b", "an agent with a long name", "d"])

    def layout() -> tuple[int, int]:
        """Return in which line the map begins, and in which the first hero is shown."""
        lines = plain(display.board()).splitlines()
        return (
            next(number for number, line in enumerate(lines) if line.startswith("+--")),
            next(number for number, line in enumerate(lines) if line.endswith(" a")),
        )

    first = layout()
    for answer in ("North", "East", DISCONNECT, "Stay", *["Stay"] * 20):
        ply(game, answer)
        assert layout() == first


def test_a_map_too_wide_for_two_columns_per_cell_has_one_and_says_what_is_left_out() -> None:
    wide = ["  " * 48 for _ in range(46)]
    game = arena("\n".join(["@1@2@3@4$-$3[]^^" + "  " * 39 + "##", *wide, "##" * 48]))
    lines = plain(game.display().board()).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1] == "# wood  T tavern  $ mine  ^ spikes  (owners of mines are left out)"
    assert lines[4].startswith(f"|1234$$T^{' ' * 39}#|")
    assert lines[53:56] == ["", "▶ @1 seat 0", "     gold     0  mines   0"]


def test_the_end_is_sent() -> None:
    game = arena(PLACE, rounds=1)
    for _ in range(4):
        ply(game, "Stay")
    assert plain(game.display().board()).startswith("Heroes  the game is over\n")
    assert "▶" not in game.display().board()

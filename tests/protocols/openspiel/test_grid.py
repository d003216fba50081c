"""A position that draws a board is shown as a grid."""

from __future__ import annotations

import pytest

from tests.protocols.openspiel.test_games import game_of, opened

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "rows", "columns", "first"),
    [
        ("tic_tac_toe", 3, 3, "..."),
        ("connect_four", 6, 7, "......."),
        ("chess", 8, 8, "rnbqkbnr"),
        ("shogi", 9, 9, "lnsgkgsnl"),
        ("leduc_poker", 0, 0, ""),
        ("backgammon", 0, 0, ""),
    ],
)
def test_the_grid_of_a_position(name: str, rows: int, columns: int, first: str) -> None:
    cells = opened(game_of(name)).view()["grid"]
    assert (len(cells), len(cells[0]) if cells else 0) == (rows, columns)
    assert "".join(cells[0] if cells else []) == first


def test_a_board_in_the_terminal_names_who_is_to_move() -> None:
    game = opened(game_of("chess"))
    assert game.display(["black (player 0)", "white (player 1)"]).board().splitlines()[:2] == [
        "white (player 1) to move",
        "r n b q k b n r",
    ]

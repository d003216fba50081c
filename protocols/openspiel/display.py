"""What people see of a game of OpenSpiel: its text, as a grid where the text draws one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from arbiter.game import Display, Json, wrapped

WIDTH = 80
MOST_LINES = 8
"""How many lines of legal moves a person is shown."""
_FEN = re.compile(r"(?:[\w+~\[\]]+/){3,}[\w+~\[\]]+")
"""The ranks of a board in Forsyth–Edwards notation, as in chess, shogi and xiangqi."""
_FRAME = "|/\\=:"
"""What a text draws between cells, which are then no grid."""
_LEAST = 3
"""Rows and columns of the smallest grid."""


def grid(text: str) -> list[list[str]]:
    """Return the cells of the board that a text draws: the ranks of a FEN, or else the longest block of lines that consist of the same
    number of single characters. Empty if it draws none."""
    if fen := _FEN.match(text):
        ranks = [_rank(rank) for rank in fen[0].split("/")]
        return ranks if len({len(rank) for rank in ranks}) == 1 else []
    best: list[list[str]] = []
    block: list[list[str]] = []
    for line in text.splitlines():
        cells = line.split() if " " in line.strip() else list(line.strip())
        if any(len(cell) != 1 or cell in _FRAME for cell in cells) or len(cells) < _LEAST:
            cells = []
        block = [*block, cells] if cells and block and len(cells) == len(block[0]) else [cells] if cells else []
        best = max(best, block, key=len)
    return best if len(best) >= _LEAST else []


def _rank(rank: str) -> list[str]:
    spread = re.sub(r"\d+", lambda empty: "." * min(int(empty[0]), WIDTH), rank.partition("[")[0])
    return re.findall(r"\+?[A-Za-z.]", spread)


class SpielDisplay(Display[Any]):
    """A game as people see it. Moves are words already."""

    def board(self, seat: int | None = None) -> str:
        game = self.game
        text = str(game.state) if seat is None else game.seen(seat)
        over = game.forfeited or game.state.is_terminal()
        mover = "game over" if over else f"{' and '.join(self.who(each) for each in game.to_move())} to move"
        cells = grid(text)
        rows = [" ".join(cell[-1] for cell in row) for row in cells] if "/" in text.partition(" ")[0] and cells else []
        lines = rows or text.rstrip().splitlines()
        shown = [line[at : at + WIDTH] for line in lines for at in range(0, len(line) or 1, WIDTH)]
        if seat is not None and not over and seat in game.to_move():
            moves = wrapped(f"legal moves: {', '.join(self.legal(seat))}", WIDTH, margin="  ")
            shown += moves if len(moves) <= MOST_LINES else [*moves[:MOST_LINES], "  …"]
        return "\n".join([mover[:WIDTH], *shown])

    def view_for(self, seat: int) -> Json:
        return self.game.shown(self.game.seen(seat))

    def legal(self, seat: int) -> Sequence[str]:
        return list(self.game.legal(seat))

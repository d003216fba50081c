"""Tron: riders leave walls behind them; all move at the same time, and the last one riding wins.

rules.py     the grid, the riders and one turn, with no text in it
game.py      the game as the arbiter drives it
corpus.py    random play for `arbiter check`
board.py     the position as text
"""

from .game import Tron, protocol

__all__ = ["Tron", "protocol"]

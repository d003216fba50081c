"""The games of OpenSpiel, each a protocol under its own name: `arbiter play connect_four ./a.py ./b.cpp`.

library.py   which games there are, which cannot be played here and why, and a protocol for each
game.py      a game as the arbiter drives it: prompts, answers, forfeits, chance
display.py   positions as text and as a grid, for people
wire.yaml    the wire format, from which `arbiter new connect_four LANGUAGE` generates first agents
drawing.js   a grid or a text as SVG, for the viewer
README.md    the guide for authors of agents
"""

from .library import library

__all__ = ["library"]

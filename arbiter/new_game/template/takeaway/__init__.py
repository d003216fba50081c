"""Take Away: two seats take stones from heaps; whoever takes the last stone wins.

rules.py     the position and what a move does to it, with no text in it
game.py      the game as the arbiter drives it: prompts, answers, faults, boards
wire.yaml    what agents read, from which `arbiter new takeaway LANGUAGE` makes first agents
drawing.js   a position as SVG, for the viewer
README.md    the guide for authors of agents
"""

from .game import TakeAway, protocol

__all__ = ["TakeAway", "protocol"]

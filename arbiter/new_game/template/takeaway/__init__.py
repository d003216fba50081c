"""Take Away: two seats take stones from heaps; whoever takes the last stone wins.

rules.py     the position and its moves, without any text
game.py      the game as the arbiter drives it: prompts, answers, faults, boards
wire.yaml    the wire format, from which `arbiter new takeaway LANGUAGE` generates first agents
drawing.js   a position as SVG, for the viewer
README.md    the guide for authors of agents
"""

from .game import TakeAway, protocol

__all__ = ["TakeAway", "protocol"]

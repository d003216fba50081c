"""Rails, the game of the contest Unleash the Geek 2025. README.md in this folder is the guide for authors of agents."""

from .protocol import Rails

protocol = Rails()

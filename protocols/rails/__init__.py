"""Rails, the game of the contest Unleash the Geek 2025. README.md beside this file is the page for agent authors."""

from .protocol import Rails

protocol = Rails()

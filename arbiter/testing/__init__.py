"""Tests for authors of protocols: does a protocol keep the contract of :mod:`arbiter.game`?

The whole suite, which the bundled protocols also pass, is three lines of pytest::

    from arbiter.testing import conformance
    from my_game import protocol
    test_conformance = conformance(protocol)

For tests of your own, ``playthrough`` plays one game in memory and asserts on every turn what the arbiter relies on,
``replay`` plays its moves again from the record alone, and ``transcript`` writes it as text for golden files.
"""

from arbiter.testing.conformance import CHECKS, BrokenPromiseError, ConformanceCheck, check_all, conformance
from arbiter.testing.playthrough import (
    Answers,
    PlayedTurn,
    Playthrough,
    defaults,
    playthrough,
    replay,
    transcript,
)
from arbiter.testing.subject import CheckedProtocol

__all__ = [
    "CHECKS",
    "Answers",
    "BrokenPromiseError",
    "CheckedProtocol",
    "ConformanceCheck",
    "PlayedTurn",
    "Playthrough",
    "check_all",
    "conformance",
    "defaults",
    "playthrough",
    "replay",
    "transcript",
]

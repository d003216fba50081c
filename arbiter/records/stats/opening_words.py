"""Openings in words, as the protocol describes their moves."""

from __future__ import annotations

from pathlib import Path

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay
from arbiter.records.stats.document import Opening


def opening_in_words(opening: Opening, turns: int, protocol: Protocol) -> list[str]:
    """Return the moves of an opening in words; empty if its games cannot be replayed.

    The words for a move may depend on the position. Where they differ between the examples, there are none either.
    """
    try:
        found = {_described(Path(path), turns, protocol) for path in opening.examples}
    except UserError:
        return []
    return list(found.pop()) if len(found) == 1 else []


def _described(path: Path, turns: int, protocol: Protocol) -> tuple[str, ...]:
    words: list[str] = []
    replay = Replay(load_record(path), protocol)
    for turn, lines in replay:
        if turn > turns:
            break
        words += map(replay.describe, lines)
    return tuple(words)

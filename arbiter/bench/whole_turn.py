"""The cost of a complete turn: null game, referee, table, clock and record."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from arbiter.agents.ask.table import Seat, Table
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.bench.null_game import NullGame
from arbiter.bench.programs import launch_for
from arbiter.config.limits import Limits, resolve_limits
from arbiter.game import Chance, Lifetime
from arbiter.playing.referee import play_out
from arbiter.records.format import Header
from arbiter.records.writer import RecordWriter


def turn_us(
    command: Sequence[str],
    line: str,
    turns: int,
    *,
    lifetime: Lifetime = "game",
    sandbox: Sandbox | None = None,
    limits: Limits | None = None,
) -> float:
    """Return the microseconds per turn in a null game of ``turns`` turns."""
    seat = Seat(launch_for(command, sandbox), limits or resolve_limits([])[0], lifetime, sandbox)
    game = NullGame(turns, line, each=lifetime == "move")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        with RecordWriter(path, throwaway_header()) as writer, Table([seat]) as table:
            play_out(game, Chance(0), table, writer)
    return game.turn_us


def throwaway_header() -> Header:
    """Return a header for a record that is thrown away."""
    return Header(arbiter="", protocol="null", version=1, options={}, seed=0, setup=None, seats=[], started="")

"""A game that was recorded on the contest site, played again: it must end with the site's scores, and every AUTOPLACE must run
out of paint at the cell where the site's did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arbiter.game import Json
from protocols.rails.game import RailsGame
from protocols.rails.orders import AUTOPLACE, parse
from protocols.rails.state import SEATS, State
from protocols.rails.turn import claim_cells, expand_autoplace

from .table import result_of, ruling, start, turn

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("site_game.json").read_text())


def as_setup(block: list[str]) -> Json:
    """Convert the first block that a seat reads into a setup."""
    lines = iter(block[1:])
    width, height = int(next(lines)), int(next(lines))
    cells = [next(lines).split() for _ in range(width * height)]
    rows = [cells[y * width : (y + 1) * width] for y in range(height)]
    towns = [next(lines).split() for _ in range(int(next(lines)))]
    return {
        "terrain": ["".join(kind for _, kind in row) for row in rows],
        "regions": [" ".join(region for region, _ in row) for row in rows],
        "towns": [
            {"x": int(x), "y": int(y), "wishes": [] if wishes == "x" else list(map(int, wishes.split(",")))}
            for _, x, y, wishes in towns
        ],
    }


def stops(state: State, seat: int, answer: str) -> list[tuple[int, int]]:
    """Return the cells at which an AUTOPLACE in this answer would run out of paint: one or none."""
    plan = expand_autoplace(state, seat, parse(answer).orders)
    claimed = claim_cells(state, seat, plan)
    left = [step.cell for step in plan if step.order.kind == AUTOPLACE and step.cell not in claimed]
    return [state.world.chart.place(cell) for cell in left[:1] if cell is not None]


def test_a_game_of_the_site_ends_with_the_same_scores() -> None:
    game = start(as_setup(RECORDED["init0"]), ink_threshold=4)
    assert isinstance(game, RailsGame)
    for number, recorded in enumerate(RECORDED["turns"], 1):
        assert game.result() is None, f"over before turn {number}"
        moves = [ruling(game, seat, recorded["out"][seat]) for seat in SEATS]
        stopped = [list(cell) for seat in SEATS for cell in stops(game.state, seat, moves[seat])]
        assert stopped == ([recorded["stop"]] if recorded["stop"] else []), f"turn {number}"
        turn(game, *recorded["out"])
    assert list(result_of(game).scores) == RECORDED["scores"]

"""A game of Rails in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Fault, Game, Json, Move, Result, ranks_from_scores

from . import words
from .chart import build_world
from .layout import to_plain
from .orders import parse, read_line, with_defeat
from .state import SEATS, opening
from .turn import play_turn
from .wire import CellLines, first_block

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .chart import Chart
    from .display import RailsDisplay


class RailsGame(Game):
    """Both seats move at once. Nothing is random once the map is generated."""

    def __init__(self, chart: Chart, ink_threshold: int, turns: int) -> None:
        self.chart = chart
        self.state = opening(build_world(chart), ink_threshold, turns)
        self._cells = CellLines(self.state)

    def to_move(self) -> Sequence[int]:
        return SEATS if not words.ending(self.state) else ()

    def briefing(self, seat: int) -> str:
        return first_block(self.chart, seat)

    def prompt(self, seat: int) -> str:
        scores = self.state.scores
        return self._cells.block(scores[seat], scores[1 - seat])

    def read(self, seat: int, answer: str) -> Move:
        return read_line(answer)

    def fallback(self, seat: int, fault: Fault) -> str:
        return with_defeat(fault.salvage, fault.kind.value)

    def play(self, moves: Mapping[int, str]) -> None:
        play_turn(self.state, {seat: parse(moves[seat]) for seat in SEATS})
        if self.state.log.changed_cells:
            self._cells.rewrite(self.state, self.state.log.changed_cells)

    def result(self) -> Result | None:
        state = self.state
        reason = words.ending(state)
        if not reason:
            return None
        return Result(
            ranks=ranks_from_scores(state.scores, defeated=[seat for seat in SEATS if state.defeats[seat]]),
            scores=tuple(map(float, state.scores)),
            reason=reason,
            data={
                "side_quest": list(state.quests),
                "tracks": [state.network.owner.count(seat) for seat in SEATS],
                "defeat": list(state.defeats),
            },
        )

    def view(self) -> Json:
        state = self.state
        width = self.chart.width
        owner = state.network.owner
        return {
            **to_plain(self.chart),
            "turn": state.turn,
            "turns": state.last_turn,
            "over": bool(words.ending(state)),
            "ink_threshold": state.ink_threshold,
            "scores": list(state.scores),
            "gains": list(state.gains),
            "side_quest": list(state.quests),
            "defeat": list(state.defeats),
            "tracks": ["".join(".012"[owner[cell] + 1] for cell in range(row, row + width))
                       for row in range(0, len(owner), width)],
            "instability": list(state.instability),
            "inked": list(state.inked),
            "connections": [
                {"from": wish.source, "to": wish.target, "path": [list(self.chart.place(cell)) for cell in route]}
                for wish, route in zip(state.world.wishes, state.routes, strict=True)
                if route
            ],
        }  # fmt: skip

    def display(self, names: Sequence[str] = ()) -> RailsDisplay:
        from .display import RailsDisplay

        return RailsDisplay(self, names)

"""The position of a game, and a log of its last turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .chart import PAINT_COST, World
from .network import Network, Route

if TYPE_CHECKING:
    from .orders import Order

SEATS = (0, 1)


@dataclass(slots=True)
class TurnLog:
    """What happened in a turn."""

    skipped: list[tuple[int, Order, str]] = field(default_factory=list)
    """Seat, order and why it was impossible."""
    shared: list[int] = field(default_factory=list)
    """Cells on which both seats laid a track."""
    inked: list[tuple[int, int]] = field(default_factory=list)
    """Regions that were inked out, and how many tracks vanished with each."""
    opened: list[int] = field(default_factory=list)
    """Wishes, by number, that are connected now and were not before."""
    broken: list[int] = field(default_factory=list)
    quests: list[tuple[int, int]] = field(default_factory=list)
    """Seats that fulfilled the side quest, and the place of interest they reached."""
    changed_cells: set[int] = field(default_factory=set)
    """Cells whose line on the wire may have changed."""


@dataclass(slots=True)
class State:
    """The position."""

    world: World
    ink_threshold: int
    last_turn: int
    network: Network
    prices: list[int]
    """By cell: its cost to AUTOPLACE; 0 under a track or a town, BARRED where inked out."""
    instability: list[int]
    """By region."""
    inked: list[int]
    """By region: 1 or 0."""
    routes: list[Route | None]
    """By wish: the active connection."""
    shown: dict[int, str]
    """By cell on active connections: their names as agents read them."""
    gains: tuple[int, int] = (0, 0)
    """What the active connections pay each seat every turn."""
    scores: list[int] = field(default_factory=lambda: [0, 0])
    quests: list[int] = field(default_factory=lambda: [0, 0])
    """By seat: 1 once the side quest is fulfilled."""
    defeats: list[str] = field(default_factory=lambda: ["", ""])
    """By seat: the fault that lost it the game, or empty."""
    turn: int = 0
    """Turns played."""
    hopeless: bool = False
    """Whether no wish can be fulfilled any longer."""
    log: TurnLog = field(default_factory=TurnLog)


def opening(world: World, ink_threshold: int, last_turn: int) -> State:
    """The position before the first turn."""
    prices = [PAINT_COST[kind] for kind in world.chart.terrain]
    for cell in world.town_at:
        prices[cell] = 0
    regions = len(world.region_cells)
    return State(
        world=world,
        ink_threshold=ink_threshold,
        last_turn=last_turn,
        network=Network(world),
        prices=prices,
        instability=[0] * regions,
        inked=[0] * regions,
        routes=[None] * len(world.wishes),
        shown={},
    )

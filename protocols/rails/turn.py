"""A turn in the order of the rulebook: the stages of :func:`play_turn` from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .autoplace import BARRED, Grid, unpaved_route
from .chart import PAINT_COST
from .network import NEUTRAL, NO_TRACK, Route, route_left
from .orders import AUTOPLACE, DISRUPT, PLACE_TRACKS, Order, Orders
from .state import SEATS, State, TurnLog

PAINT = 3
"""What each seat may spend on tracks per turn."""

TOO_DEAR = "not enough paint left"


@dataclass(frozen=True, slots=True)
class Step:
    """One track that a seat wants to lay."""

    cell: int | None
    """None off the map."""
    order: Order
    """The order it belongs to; if a step of an AUTOPLACE fails, the rest of its route is skipped."""


def play_turn(state: State, orders: Mapping[int, Orders]) -> None:
    """Advance by one turn with the orders of both seats."""
    state.log = TurnLog()
    plans = [expand_autoplace(state, seat, orders[seat].orders) for seat in SEATS]
    claims = [claim_cells(state, seat, plans[seat]) for seat in SEATS]
    laid = lay_tracks(state, claims)
    for seat in SEATS:
        disrupt_regions(state, seat, orders[seat].orders)
    inked = ink_regions(state)
    if laid or inked:
        find_connections(state)
    score_connections(state)
    if laid:
        award_side_quests(state)
    check_the_end(state, orders, inked)


def expand_autoplace(state: State, seat: int, orders: Sequence[Order]) -> list[Step]:
    """Return the tracks a seat wants, in written order, with its first AUTOPLACE replaced by the steps of its route
    over the board at the start of the turn."""
    chart = state.world.chart
    plan: list[Step] = []
    planned = False
    for order in orders:
        if order.kind == PLACE_TRACKS:
            plan.append(Step(chart.cell(*order.numbers), order))
        elif order.kind == AUTOPLACE:
            if planned:
                state.log.skipped.append((seat, order, "only the first AUTOPLACE of a line counts"))
            else:
                plan.extend(Step(cell, order) for cell in _unpaved_route(state, seat, order))
            planned = True
    return plan


def _unpaved_route(state: State, seat: int, order: Order) -> list[int]:
    from_x, from_y, to_x, to_y = order.numbers
    chart = state.world.chart
    start, goal = chart.cell(from_x, from_y), chart.cell(to_x, to_y)
    if start is None or goal is None:
        state.log.skipped.append((seat, order, "off the map"))
        return []
    route = unpaved_route(Grid(state.world.neighbours, chart.width), state.prices, start, goal)
    if route is None:
        state.log.skipped.append((seat, order, "ink bars every route"))
    return route or []


def claim_cells(state: State, seat: int, plan: Sequence[Step]) -> list[int]:
    """Return the cells a seat pays for. An impossible PLACE_TRACKS is skipped; after an impossible step of an
    AUTOPLACE the rest of its route is skipped."""
    paint = PAINT
    claimed: list[int] = []
    given_up: Order | None = None
    for step in plan:
        if step.order is given_up:
            continue
        obstacle = _obstacle(state, step.cell, claimed, paint)
        if not obstacle:
            assert step.cell is not None
            claimed.append(step.cell)
            paint -= PAINT_COST[state.world.chart.terrain[step.cell]]
            continue
        automatic = step.order.kind == AUTOPLACE
        if automatic:
            given_up = step.order
        if not automatic or obstacle != TOO_DEAR:
            state.log.skipped.append((seat, step.order, obstacle))
    return claimed


def _obstacle(state: State, cell: int | None, claimed: Sequence[int], paint: int) -> str:
    """Return why a seat cannot lay a track there, or an empty string."""
    if cell is None:
        return "off the map"
    if cell in state.world.town_at:
        return "a town stands there"
    if state.prices[cell] == BARRED:
        return "its region is inked out"
    if state.network.owner[cell] != NO_TRACK:
        return "there is a track already"
    if cell in claimed:
        return "laid already this turn"
    if PAINT_COST[state.world.chart.terrain[cell]] > paint:
        return TOO_DEAR
    return ""


def lay_tracks(state: State, claims: Sequence[Sequence[int]]) -> bool:
    """Lay the claimed tracks; a cell claimed by both seats is neutral. Return whether any track was laid."""
    for seat in SEATS:
        for cell in claims[seat]:
            both = cell in claims[1 - seat]
            if both and seat == 0:
                state.log.shared.append(cell)
            state.network.lay(cell, NEUTRAL if both else seat)
            state.prices[cell] = 0
            state.log.changed_cells.add(cell)
    return any(claims)


def disrupt_regions(state: State, seat: int, orders: Sequence[Order]) -> None:
    """Spend a seat's disruption point on the first region it names that can be disrupted."""
    spent = False
    for order in orders:
        if order.kind != DISRUPT:
            continue
        region = _region(state, order.numbers)
        obstacle = "disrupted already this turn" if spent else _immunity(state, region)
        if obstacle:
            state.log.skipped.append((seat, order, obstacle))
        else:
            assert region is not None
            spent = True
            state.instability[region] += 1
            state.log.changed_cells.update(state.world.region_cells[region])


def _region(state: State, numbers: tuple[int, ...]) -> int | None:
    if len(numbers) == 1:
        return numbers[0] if numbers[0] < len(state.instability) else None
    cell = state.world.chart.cell(*numbers)
    return None if cell is None else state.world.chart.region[cell]


def _immunity(state: State, region: int | None) -> str:
    """Return why a region cannot be disrupted, or an empty string."""
    if region is None:
        return "no such region"
    if state.inked[region]:
        return "inked out already"
    if region in state.world.safe_regions:
        return "a region with a town cannot be disrupted"
    return ""


def ink_regions(state: State) -> bool:
    """Ink out every region that has become too unstable. Return whether there was any."""
    for region, instability in enumerate(state.instability):
        if instability >= state.ink_threshold and not state.inked[region]:
            cells = state.world.region_cells[region]
            state.inked[region] = 1
            state.log.inked.append((region, len(state.network.lift(cells))))
            for cell in cells:
                state.prices[cell] = BARRED
            state.log.changed_cells.update(cells)
    return bool(state.log.inked)


def find_connections(state: State) -> None:
    """Find the active connection of every wish and log the changes."""
    routes = state.network.routes()
    for number, (before, now) in enumerate(zip(state.routes, routes, strict=True)):
        if now and not before:
            state.log.opened.append(number)
        elif before and not now:
            state.log.broken.append(number)
    if routes == state.routes:
        return  # nothing to rewrite: a track never changes its owner, so the gains are the same too
    state.routes = routes
    names: dict[int, list[str]] = {}
    for wish, route in zip(state.world.wishes, routes, strict=True):
        for cell in route or ():
            names.setdefault(cell, []).append(wish.name)
    shown = {cell: ",".join(wishes) for cell, wishes in names.items()}
    state.log.changed_cells.update(
        cell for cell in shown.keys() | state.shown.keys() if shown.get(cell) != state.shown.get(cell)
    )
    state.shown = shown
    state.gains = _gains(state.network.owner, routes)


def _gains(owner: Sequence[int], routes: Sequence[Route | None]) -> tuple[int, int]:
    """Return what each seat is paid: one point for each of its tracks on each connection."""
    owners = [owner[cell] for route in routes if route for cell in route]
    return owners.count(0), owners.count(1)


def score_connections(state: State) -> None:
    """Pay the owners of the tracks on every active connection."""
    for seat in SEATS:
        state.scores[seat] += state.gains[seat]


def award_side_quests(state: State) -> None:
    """Award the side quest, permanently, to a seat whose own or neutral tracks lead from a town onto a place of interest."""
    for seat in SEATS:
        mine = (seat, NEUTRAL)
        for place in state.world.places:
            if (
                not state.quests[seat]
                and state.network.owner[place] in mine
                and state.network.touches_town(place, mine)
            ):
                state.quests[seat] = 1
                state.log.quests.append((seat, place))


def check_the_end(state: State, orders: Mapping[int, Orders], inked: bool) -> None:
    """Count the turn; note defeats and whether any wish can still be fulfilled."""
    state.turn += 1
    for seat in SEATS:
        state.defeats[seat] = orders[seat].defeat
    if inked:
        state.hopeless = not route_left(state.world, state.inked)

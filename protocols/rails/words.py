"""Moves, events and results in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .orders import AUTOPLACE, DISRUPT, PLACE_TRACKS, Order, parse
from .state import SEATS, State

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LISTED = 4
"""How many items are listed one by one; the rest are counted."""


def describe(state: State, move: str) -> str:
    """Describe a canonical move, as the rest of a sentence that begins with the seat's name."""
    orders = parse(move)
    laid = [_place(order.numbers) for order in orders.orders if order.kind == PLACE_TRACKS]
    parts = [f"lays {_listed(laid)}"] if laid else []
    parts += [_automatic(order) for order in orders.orders if order.kind == AUTOPLACE][:1]
    parts += [f"disrupts {_target(state, order)}" for order in orders.orders if order.kind == DISRUPT][:1]
    if orders.defeat:
        parts.append(f"is defeated ({orders.defeat})")
    return ", ".join(parts) or "waits"


def events(state: State) -> list[str]:
    """Describe what happened in the last turn besides the orders themselves."""
    log, chart, wishes = state.log, state.world.chart, state.world.wishes
    happened = [f"both lay {_place(chart.place(cell))}: a neutral track" for cell in log.shared]
    happened += [f"region {region} is inked out, {_tracks(lost)}" for region, lost in log.inked]
    if log.opened:
        opened = [(wishes[number].name, state.routes[number] or ()) for number in log.opened]
        happened.append("newly connected: " + ", ".join(f"{name} (length {len(route) - 1})" for name, route in opened))
    if log.broken:
        happened.append("no longer connected: " + ", ".join(wishes[number].name for number in log.broken))
    for seat, place in log.quests:
        happened.append(f"seat {seat} reaches the place of interest at {_place(chart.place(place))}: side quest done")
    for seat in SEATS:
        happened += _skipped(seat, [(order, why) for who, order, why in log.skipped if who == seat])
    happened += [f"seat {seat} is defeated: {state.defeats[seat]}" for seat in SEATS if state.defeats[seat]]
    if state.hopeless:
        happened.append("no wish has a route left")
    return happened


def ending(state: State) -> str:
    """Return why the game is over, or an empty string while it goes on."""
    beaten = [seat for seat in SEATS if state.defeats[seat]]
    if len(beaten) == len(SEATS):
        return f"both seats are defeated: {state.defeats[0]} (seat 0), {state.defeats[1]} (seat 1)"
    if beaten:
        return f"seat {beaten[0]} is defeated: {state.defeats[beaten[0]]}"
    if state.hopeless:
        return f"no wish has a route left after turn {state.turn}"
    if state.turn >= state.last_turn:
        return f"all {state.turn} turns are played"
    return ""


def _skipped(seat: int, skipped: Sequence[tuple[Order, str]]) -> list[str]:
    happened = [f"seat {seat}: {_text(order)} is skipped: {why}" for order, why in skipped[:MOST_LISTED]]
    if len(skipped) > MOST_LISTED:
        happened.append(f"seat {seat}: {len(skipped) - MOST_LISTED} more orders are skipped")
    return happened


def _text(order: Order) -> str:
    return " ".join([order.kind, *map(str, order.numbers)])


def _automatic(order: Order) -> str:
    return f"builds from {_place(order.numbers[:2])} towards {_place(order.numbers[2:])}"


def _target(state: State, order: Order) -> str:
    if len(order.numbers) == 1:
        return f"region {order.numbers[0]}"
    cell = state.world.chart.cell(*order.numbers)
    return f"{_place(order.numbers)}" if cell is None else f"region {state.world.chart.region[cell]}"


def _place(numbers: Sequence[int]) -> str:
    return f"({numbers[0]}, {numbers[1]})"


def _listed(items: Sequence[str]) -> str:
    shown = list(items[:MOST_LISTED])
    if len(items) > MOST_LISTED:
        shown.append(f"{len(items) - MOST_LISTED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _tracks(count: int) -> str:
    return {0: "no track lost", 1: "1 track lost"}.get(count, f"{count} tracks lost")

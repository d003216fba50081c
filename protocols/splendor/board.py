"""The table as terminal text: nobles, three rows of cards, then bank and players in columns by colour.

At most 80 columns wide. Everything is also readable without terminal colours: a cost says 3g for three green (r g b w k, k being black), and
columns carry the numbers that moves are typed with. A tick marks cards that can be bought.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.game import columns, paint

from .cards import BONUS, COLOURS, COST, LEVEL, NOBLE_NEEDS, NOBLE_POINTS, POINTS
from .payment import affordable
from .rules import goal_reached
from .state import MOST_CHIPS
from .words import points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .state import Player, Position

_LETTERS: Final = "rgbwk"
_STYLES: Final = (("red",), ("green",), ("blue",), ("white",), ("grey",), ("yellow",))
_LABEL: Final = 9
_CARD: Final = 15
_NOBLE: Final = 11
_COLUMN: Final = 8
_WIDTH: Final = 80


def board(position: Position, seat: int | None, names: Sequence[str]) -> str:
    """Draw the position as this seat may see it; None shows everything. ``names`` are those of the seats."""
    buyer = seat if seat is not None else None if position.over else position.seat
    wallet = None if buyer is None else position.players[buyer]
    lines = [*_heading(position, names), ""]
    lines += _beside("nobles", "", [_noble_box(noble) for noble in position.nobles]) if position.nobles else []
    for level in (2, 1, 0):
        boxes = [_card_box(card, wallet) if card else _gap() for card in position.rows[level]]
        lines += _beside(f"level {level + 1}", f"{len(position.decks[level])} more", boxes)
    lines += ["", _column_heads(), _counts("bank", "", position.bank)]
    for place, name in enumerate(names):
        lines += _player_lines(position, place, seat, name)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading(position: Position, names: Sequence[str]) -> list[str]:
    if position.over:
        state = "the game is over"
    else:
        state = f"{names[position.seat]} to move"
        if goal_reached(position):
            state += ", last round"
    legend = "  ".join(
        paint(letter, *style) + paint(f" {name}", "dim")
        for letter, style, name in zip(_LETTERS, _STYLES, COLOURS, strict=False)
    )
    lines = [f"{paint('Splendor', 'bold')}  round {position.round}, {state}"]
    return [f"{lines[0]}    {legend}"] if columns(f"{lines[0]}    {legend}") <= _WIDTH else [*lines, legend]


def _beside(label: str, note: str, boxes: Sequence[Sequence[str]]) -> list[str]:
    margins = (" " * _LABEL, paint(label.ljust(_LABEL), "bold"), paint(note.ljust(_LABEL), "dim"))
    return [margin + " ".join(parts) for margin, *parts in zip(margins, *boxes, strict=True)]


def _box(left: str, right: str, inside: str, width: int, styles: Sequence[str]) -> list[str]:
    """Draw a box of three lines; ``inside`` must be ``width`` columns wide as printed."""
    rule = "─" * (width - len(left) - len(right))
    edge = paint("│", *styles)
    top = paint(f"╭{left}{rule}", *styles) + (paint(right, "bold") if right else "") + paint("╮", *styles)
    return [top, f"{edge}{inside}{edge}", paint(f"╰{'─' * width}╯", *styles)]


def _card_box(card: int, wallet: Player | None) -> list[str]:
    colour = BONUS[card]
    worth = f" {POINTS[card]} " if POINTS[card] else ""
    tick = "✓ " if wallet and affordable(wallet, card) else ""
    return _box(f" {card} {COLOURS[colour]} {tick}", worth, _slots(COST[card]), _CARD, _STYLES[colour])


def _noble_box(noble: int) -> list[str]:
    needs = _sum(NOBLE_NEEDS[noble])
    blank = " " * (_NOBLE - 1 - 3 * sum(map(bool, NOBLE_NEEDS[noble])))
    return _box(f" {noble} ", f" {NOBLE_POINTS} ", f" {needs} {blank}", _NOBLE, ("magenta",))


def _gap() -> list[str]:
    width = _CARD + 2
    return [" " * width, paint("empty".center(width), "dim"), " " * width]


def _slots(cost: Sequence[int]) -> str:
    """Write a cost with a fixed column per colour, so that the cards of a row can be compared."""
    return "".join(
        paint(f" {count}{_LETTERS[colour]}", *_STYLES[colour]) if count else "   " for colour, count in enumerate(cost)
    )


def _sum(cost: Sequence[int]) -> str:
    return " ".join(paint(f"{count}{_LETTERS[colour]}", *_STYLES[colour]) for colour, count in enumerate(cost) if count)


def _column_heads() -> str:
    heads = [paint(f"{number} {name}".rjust(_COLUMN), *_STYLES[number]) for number, name in enumerate(COLOURS)]
    return " " * (_LABEL + 1) + " ".join(heads)


def _counts(label: str, remark: str, counts: Sequence[int]) -> str:
    cells = [
        paint(str(count).rjust(_COLUMN), *_STYLES[colour], "bold") if count else paint("·".rjust(_COLUMN), "dim")
        for colour, count in enumerate(counts)
    ]
    cells += [" " * _COLUMN] * (len(COLOURS) - len(counts))
    return f"{label:<{_LABEL}} {' '.join(cells)}   {remark}"


def _player_lines(position: Position, place: int, seat: int | None, name: str) -> list[str]:
    player = position.players[place]
    mark = "▶" if place == position.seat and not position.over else " "
    standing = points(player.points)
    if player.nobles:
        standing += f", noble{'s' if len(player.nobles) > 1 else ''} {' '.join(map(str, player.nobles))}"
    you = ", you" if place == seat else ""
    lines = [
        f"{mark} {paint(name, 'bold')}{you}: {paint(standing, 'bold')}",
        _counts("    cards", "", player.bonuses),
        _counts("    chips", f"{sum(player.chips)} of {MOST_CHIPS}", player.chips),
    ]
    if player.reserve:
        hides = seat is not None and seat != place
        lines += _kept([_reserved(player, card, hides) for card in player.reserve])
    return lines


def _kept(cards: Sequence[str]) -> list[str]:
    """List reserved cards, on as many lines as they need."""
    lines, between = [f"    keeps {cards[0]}"], paint(" │ ", "dim")
    for card in cards[1:]:
        longer = f"{lines[-1]}{between}{card}"
        lines[-1:] = [longer] if columns(longer) <= _WIDTH else [lines[-1], f"          {card}"]
    return lines


def _reserved(player: Player, card: int, hides: bool) -> str:
    if card in player.secret and hides:
        return paint(f"a level {LEVEL[card]} card", "dim")
    tick = paint(" ✓", "green", "bold") if affordable(player, card) else ""
    worth = f" {POINTS[card]}p" if POINTS[card] else ""
    name = paint(f"{card} {COLOURS[BONUS[card]]}{worth}", *_STYLES[BONUS[card]])
    return f"{name} {_sum(COST[card])}{tick}"

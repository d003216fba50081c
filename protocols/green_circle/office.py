"""What both teams share (desks, pools and applications), and how cards move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arbiter.game import Chance

from .applications import Application
from .cards import BONUS, COPIES, NAMES, TECHNICAL_DEBT, a_card, counted, listed
from .levels import Level
from .setup import Opening
from .team import Team

HAND_SIZE = 4


@dataclass(slots=True)
class Office:
    """The position, except whose turn it is. Card movements that a player might miss are logged in ``news``."""

    level: Level
    chance: Chance
    teams: tuple[Team, Team]
    applications: list[Application]
    """Not yet released, by id."""
    stock: list[int]
    """Cards left on the board by type: the eight desks, the BONUS pool, the debt pool."""
    news: list[str] = field(default_factory=list)

    def return_card(self, card: int) -> None:
        """Put a card back on its desk or into its pool."""
        self.stock[card] += 1

    def take_card(self, team: Team, wanted: int) -> None:
        """Move a card of the wanted type from the board to the hand; a BONUS card if none is left; else nothing."""
        card = wanted if self.stock[wanted] else BONUS
        if not self.stock[card]:
            self.news.append(f"seat {team.seat} finds no {NAMES[wanted]} card and no BONUS card left")
            return
        self.stock[card] -= 1
        team.hand.append(card)
        instead = "" if card == wanted else f" (no {NAMES[wanted]} card is left)"
        self.news.append(f"seat {team.seat} takes {a_card(card)}{instead}")

    def add_to_discard(self, team: Team, card: int, number: int) -> int:
        """Move up to ``number`` cards from a pool to the team's discard pile; return how many were left to move."""
        taken = min(number, self.stock[card])
        self.stock[card] -= taken
        team.discard += [card] * taken
        return taken

    def charge_debt(self, team: Team, number: int, why: str) -> None:
        """Add technical debt to the team's discard pile."""
        taken = self.add_to_discard(team, TECHNICAL_DEBT, number)
        self.news.append(f"seat {team.seat} gets {counted(taken, 'technical debt card')} for {why}")

    def draw_cards(self, team: Team, number: int) -> None:
        """Draw cards into the hand, reshuffling whenever the draw pile is empty."""
        already = len(team.hand)
        for _ in range(number):
            if not team.draw:
                if not team.discard:
                    break
                self._reshuffle(team)
            team.hand.append(team.draw.pop())
        if drawn := team.hand[already:]:
            self.news.append(f"seat {team.seat} draws {listed(drawn)}")

    def _reshuffle(self, team: Team) -> None:
        pile, team.discard = team.discard, []
        on_top = team.orders.pop() if team.orders else ()
        beneath = _without(pile, on_top)
        if beneath is None:
            self.news.append(f"the order given for seat {team.seat} does not fit its discard pile: chance decides")
            beneath, on_top = pile, ()
        team.draw = self.chance.shuffled(beneath)
        team.draw += reversed(on_top)
        team.reshuffled.append(team.draw[::-1])
        self.news.append(f"seat {team.seat} reshuffles its {counted(len(pile), 'discarded card')}")


def open_office(level: Level, opening: Opening, chance: Chance) -> Office:
    """Return the office before the first move: both teams outside, both first hands drawn."""
    stock = list(COPIES)
    for pile in opening.piles:
        for card in pile:
            stock[card] -= 1
    first, second = (
        Team(seat, list(reversed(pile)), list(reversed(orders)))
        for seat, (pile, orders) in enumerate(zip(opening.piles, opening.draws, strict=True))
    )
    office = Office(level, chance, (first, second), list(opening.applications), stock)
    for team in office.teams:
        office.draw_cards(team, HAND_SIZE)
    return office


def _without(pile: Sequence[int], cards: Iterable[int]) -> list[int] | None:
    """Return the pile without these cards; None if it does not hold them all."""
    rest = list(pile)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return rest

"""One turn of a team, stage by stage, up to the next decision that the team has to make.

A stage returns the actions to choose from, or none if there is nothing to choose: it is then complete and
the next stage follows. After an answer the same stage is evaluated again, so a stage that still needs a
decision asks once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import actions
from .actions import NO_CHOICE, WAIT, Actions
from .cards import ARCHITECTURE_STUDY, DESKS, NAMES, a_card, counted
from .office import HAND_SIZE, Office
from .release import RELEASES_TO_END, missing
from .skills import play_skill
from .team import Team

CARDS_THROWN = 2
DEBT_WITHOUT_GIFT = 2
_SKILL_OF = {name: card for card, name in enumerate(NAMES[:DESKS])}


class Turn:
    """Whose turn it is, and at which stage."""

    __slots__ = ("_stage", "actions", "desk", "gives", "moved", "office", "over", "plays", "releases", "seat", "throws")

    def __init__(self, office: Office) -> None:
        self.office = office
        self.over = False
        self.seat = 0
        self.actions: Actions = NO_CHOICE
        """The answers that the seat may give, as they are sent to it; none once the game is over."""
        self._stage = 0
        self._begin()
        self._advance()

    def _begin(self) -> None:
        self.moved = False
        self.desk = -1
        """Where the card of this turn is taken, once the team has moved."""
        self.throws = 0
        """Cards still to be thrown."""
        self.gives = 0
        """Cards still to be given."""
        self.plays = 1
        """Skills that may still be played."""
        self.releases = 1
        """Applications that may still be released."""

    @property
    def phase(self) -> str:
        """The phase that the seat is asked about."""
        return _STAGES[self._stage][0]

    def answer(self, action: str) -> None:
        """Carry out an accepted action other than RANDOM, and go on to the next decision."""
        verb, *numbers = action.split(" ")
        _ANSWERS[self.phase](self, self.team, verb, [int(number) for number in numbers])
        self._advance()

    def accepts(self, action: str) -> bool:
        """Return whether an action can be carried out: one that is offered, or one that the contest's referee does not refuse."""
        if action in self.actions:
            return True
        verb, *numbers = action.split(" ")
        lenient = self.phase == "PLAY_CARD" and not self.office.level.strict_skills
        return lenient and actions.is_unlisted_play(self.team, verb, numbers)

    @property
    def team(self) -> Team:
        """The team whose turn it is."""
        return self.office.teams[self.seat]

    @property
    def opponent(self) -> Team:
        """The other team."""
        return self.office.teams[1 - self.seat]

    def _advance(self) -> None:
        while not self.over:
            self.actions = _STAGES[self._stage][1](self, self.team)
            if self.actions:
                return
            self._stage = (self._stage + 1) % len(_STAGES)

    # ---- the stages

    def _move(self, team: Team) -> Actions:
        return NO_CHOICE if self.moved else actions.moves(team)

    def _throw(self, team: Team) -> Actions:
        if not self.throws:
            return NO_CHOICE
        cards = team.skills_in_hand()
        if self.throws < CARDS_THROWN or (len(cards) > CARDS_THROWN and len(set(cards)) > 1):
            return actions.hand_overs("THROW", team)
        for card in cards[:CARDS_THROWN]:
            self._throw_card(team, card)
        if len(cards) < CARDS_THROWN:
            self.office.charge_debt(team, CARDS_THROWN - len(cards), "having too few cards to throw")
        self.throws = 0
        return NO_CHOICE

    def _give_card(self, team: Team) -> Actions:
        if not self.gives:
            return NO_CHOICE
        cards = team.skills_in_hand()
        if len(set(cards)) > 1:
            return actions.hand_overs("GIVE", team)
        if cards:
            self._hand_over(team, cards[0])
        else:
            self.office.charge_debt(team, DEBT_WITHOUT_GIFT, "having no card to give")
        self.gives = 0
        return NO_CHOICE

    def _take(self, team: Team) -> Actions:
        self.office.take_card(team, self.desk)
        return NO_CHOICE

    def _play(self, team: Team) -> Actions:
        return actions.plays(team, self.office.level) if self.plays > 0 else NO_CHOICE

    def _release(self, team: Team) -> Actions:
        return actions.releases(team, self.office.applications) if self.releases else NO_CHOICE

    def _end(self, team: Team) -> Actions:
        team.discard += team.hand
        team.discard += team.played
        team.hand, team.played = [], []
        self.office.draw_cards(team, HAND_SIZE + team.permanent.count(ARCHITECTURE_STUDY))
        self.seat = 1 - self.seat
        self.over = self.seat == 0 and any(each.score >= RELEASES_TO_END for each in self.office.teams)
        self._begin()
        return NO_CHOICE

    # ---- the answers

    def _to_desk(self, team: Team, _: str, desks: Sequence[int]) -> None:
        level = self.office.level
        target = desks[0]
        if level.throws and target < team.location:
            self.throws = CARDS_THROWN
        team.location = target
        self.gives = int(level.gives and _close(target, self.opponent.location))
        self.desk = desks[-1]
        self.moved = True

    def _to_throw(self, team: Team, _: str, cards: Sequence[int]) -> None:
        self._throw_card(team, cards[0])
        self.throws -= 1

    def _to_give(self, team: Team, _: str, cards: Sequence[int]) -> None:
        self._hand_over(team, cards[0])
        self.gives = 0

    def _to_play(self, team: Team, verb: str, types: Sequence[int]) -> None:
        if verb == WAIT:
            self.plays = 0
        else:
            self.plays += play_skill(self.office, team, _SKILL_OF[verb], types) - 1

    def _to_release(self, team: Team, verb: str, ids: Sequence[int]) -> None:
        self.releases = 0
        if verb == WAIT:
            return
        office = self.office
        application = next(each for each in office.applications if each.id == ids[0])
        cost = missing(team, application)
        office.applications.remove(application)
        team.score += 1
        team.discard += team.permanent
        team.permanent = []
        office.news.append(f"seat {team.seat} has released {counted(team.score, 'application')}")
        if cost > 0:
            office.charge_debt(team, cost, f"shoddy work on application {application.id}")

    # ---- helpers

    def _throw_card(self, team: Team, card: int) -> None:
        team.hand.remove(card)
        self.office.return_card(card)
        self.office.news.append(f"seat {team.seat} throws {a_card(card)}")

    def _hand_over(self, team: Team, card: int) -> None:
        team.hand.remove(card)
        self.opponent.hand.append(card)
        self.office.news.append(f"seat {team.seat} gives seat {self.opponent.seat} {a_card(card)}")


def _close(desk: int, other: int) -> bool:
    """Whether the other team is in the office, on this desk or next to it on the circle."""
    return other >= 0 and (desk - other) % DESKS in (0, 1, DESKS - 1)


_STAGES: tuple[tuple[str, Callable[[Turn, Team], Actions]], ...] = (
    ("MOVE", Turn._move),
    ("THROW_CARD", Turn._throw),
    ("GIVE_CARD", Turn._give_card),
    ("TAKE_CARD", Turn._take),
    ("PLAY_CARD", Turn._play),
    ("RELEASE", Turn._release),
    ("END", Turn._end),
)
_ANSWERS: dict[str, Callable[[Turn, Team, str, Sequence[int]], None]] = {
    "MOVE": Turn._to_desk,
    "THROW_CARD": Turn._to_throw,
    "GIVE_CARD": Turn._to_give,
    "PLAY_CARD": Turn._to_play,
    "RELEASE": Turn._to_release,
}

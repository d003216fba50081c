"""A game of Green Circle in progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from arbiter.game import Fault, Game, Json, Move, Result, ranks_from_scores

from . import answers, wire, words
from .actions import RANDOM
from .cards import ARCHITECTURE_STUDY, BONUS, DAILY_ROUTINE, DESKS, TECHNICAL_DEBT
from .office import Office
from .release import RELEASES_TO_END
from .team import Team
from .turn import Turn

if TYPE_CHECKING:
    from .display import GreenCircleDisplay


class GreenCircleGame(Game):
    """One turn of the arbiter is one phase: one prompt to one seat."""

    def __init__(self, office: Office, max_phases: int) -> None:
        self._office = office
        self._max_phases = max_phases
        self._phases = 0
        self._defeat: tuple[int, str] | None = None
        self.turn = Turn(office)
        office.news = []

    @property
    def office(self) -> Office:
        """The position."""
        return self._office

    def to_move(self) -> Sequence[int]:
        return () if self._over() else (self.turn.seat,)

    def prompt(self, seat: int) -> str:
        return wire.prompt(self.turn, seat)

    def read(self, seat: int, answer: str) -> Move:
        return answers.read(self.turn, answer)

    def fallback(self, seat: int, fault: Fault) -> str:
        return f"{words.DEFEAT} {fault.kind}"

    def play(self, moves: Mapping[int, str]) -> None:
        turn, office = self.turn, self._office
        action = moves[turn.seat]
        office.news = []
        self._phases += 1
        if action.startswith(words.DEFEAT):
            self._defeat = (turn.seat, action[len(words.DEFEAT) :].strip())
            return
        if action == RANDOM:
            action = office.chance.choice([each for each in dict.fromkeys(turn.actions) if each != RANDOM])
            office.news.append(f"chance picks {action}: seat {turn.seat} {words.describe(turn, action)}")
        turn.answer(action)

    def _over(self) -> bool:
        return self.turn.over or self._defeat is not None or self._phases >= self._max_phases

    def result(self) -> Result | None:
        if not self._over():
            return None
        first, second = self._office.teams
        debts = [first.debt(), second.debt()]
        data = {"technical_debt": debts, "phases": self._phases}
        scores = (float(first.score), float(second.score))
        standings = [(first.score, -debts[0]), (second.score, -debts[1])]
        if self._defeat is not None:
            loser, fault = self._defeat
            ranks = ranks_from_scores(standings, defeated=[loser])
            return Result(ranks, scores, f"seat {loser} is defeated: {fault}", data)
        return Result(ranks_from_scores(standings), scores, self._why_it_ended(standings), data)

    def _why_it_ended(self, standings: Sequence[tuple[int, int]]) -> str:
        champions = [team.seat for team in self._office.teams if team.score >= RELEASES_TO_END]
        if self.turn.over:
            who = "both seats" if len(champions) == 2 else f"seat {champions[0]}"
            ended = f"{who} released {RELEASES_TO_END} applications"
        else:
            ended = f"all {self._max_phases} phases are played"
        if standings[0][0] != standings[1][0]:
            return ended
        return f"{ended}; equal releases" + ("" if standings[0] == standings[1] else ", less technical debt wins")

    def view(self) -> Json:
        turn, office = self.turn, self._office
        return {
            "level": office.level.number,
            "phases": self._phases,
            "max_phases": self._max_phases,
            "over": self._over(),
            "defeated": None if self._defeat is None else self._defeat[0],
            "seat": turn.seat,
            "phase": turn.phase,
            "actions": list(turn.actions),
            "take_from": turn.desk,
            "throws_left": turn.throws,
            "plays_left": turn.plays,
            "applications": [
                {"id": each.id, "size": each.size, "needs": list(each.needed)} for each in office.applications
            ],
            "desks": office.stock[:DESKS],
            "bonus_pool": office.stock[BONUS],
            "debt_pool": office.stock[TECHNICAL_DEBT],
            "teams": [_team_view(team) for team in office.teams],
        }

    def display(self, names: Sequence[str] = ()) -> GreenCircleDisplay:
        from .display import GreenCircleDisplay

        return GreenCircleDisplay(self, names)


def _team_view(team: Team) -> Json:
    return {
        "location": team.location,
        "score": team.score,
        "daily_routine": team.permanent.count(DAILY_ROUTINE),
        "architecture_study": team.permanent.count(ARCHITECTURE_STUDY),
        "technical_debt": team.debt(),
        "hand": list(team.hand),
        "draw": team.draw[::-1],
        "discard": list(team.discard),
        "played": list(team.played),
        "automated": list(team.automated),
    }

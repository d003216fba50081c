"""Promotion: an agent that beats a boss meets the next one. Agents do not meet each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import FinalPlace, Schedule, Stage, at_least
from arbiter.contest.schedules.history import left_behind
from arbiter.errors import FieldError, UserError, unknown, wrong_value
from arbiter.game import ranks_from_scores


class Promotion(Schedule, frozen=True, kw_only=True, tag="promotion"):
    """A required number of wins out of a number of games against each boss, one boss after the other."""

    summary: ClassVar[str] = "against one boss after the other"
    bosses: tuple[str, ...]
    """Names of the agents to beat, in this order."""
    games: int = 5
    """Games against each boss. Seats change with every game, the seed with every second one."""
    wins: int = 3
    """Wins needed to advance. A draw does not count as a win."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seats != 2:
            raise FieldError(wrong_value("seats", self.seats, "2: a promotion is between an agent and a boss"), "seats")
        at_least("games", self.games, 1)
        at_least("wins", self.wins, 1)
        if self.wins > self.games:
            raise UserError(f"wins {self.wins}: there are only {self.games} games")
        if not self.bosses:
            raise FieldError("bosses: name at least one of the agents", "bosses")

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        for name in self.bosses:
            if name not in agents:
                raise unknown("agent", name, agents, where="bosses")
        if not self._contenders(agents):
            raise UserError("there are only bosses: add an agent that plays against them")

    def total(self, agents: Sequence[str], played: Played) -> int:
        """Count the games known so far: those against bosses that are certain to be met."""
        known = sum(len(stage.games) for stage in self.stages(agents, played))
        return known + left_behind(agents, played)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        contenders = self._contenders(agents)
        for boss in self.bosses:
            if boss not in agents or not contenders:
                return
            games = {agent: self._games(agent, boss) for agent in contenders}
            yield Stage(_stage(boss), [games[agent][number] for number in range(self.games) for agent in contenders])
            contenders = [agent for agent in contenders if self._won(agent, boss, played) >= self.wins]

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by bosses beaten, then by games won against the last boss met. Bosses have no place."""
        reached = {agent: self._reached(agent, played) for agent in self._contenders(agents)}
        ordered = sorted(reached, key=lambda agent: reached[agent][:2], reverse=True)
        figures = [reached[agent] for agent in ordered]
        places = ranks_from_scores([figure[:2] for figure in figures])
        return [
            FinalPlace(
                agent=agent,
                place=place,
                figures={"bosses beaten": beaten, "wins": won},
                note=note,
            )
            for agent, place, (beaten, won, note) in zip(ordered, places, figures, strict=True)
        ]

    def _reached(self, agent: str, played: Played) -> tuple[int, int, str]:
        """Return the bosses beaten, the games won against the last one met, and the note for the standings."""
        won = 0
        for beaten, boss in enumerate(self.bosses):
            won = self._won(agent, boss, played)
            if any(game not in played for game in self._games(agent, boss)):
                return beaten, won, f"playing {boss}"
            if won < self.wins:
                return beaten, won, f"failed against {boss}"
        return len(self.bosses), won, "passed"

    def _won(self, agent: str, boss: str, played: Played) -> int:
        outcomes = (played[game] for game in self._games(agent, boss) if game in played)
        return sum(
            outcome.ranks[outcome.game.seats.index(agent)] < outcome.ranks[outcome.game.seats.index(boss)]
            for outcome in outcomes
        )

    def _games(self, agent: str, boss: str) -> list[ScheduledGame]:
        return [
            ScheduledGame((boss, agent) if number % 2 else (agent, boss), self.seed + number // 2, _stage(boss))
            for number in range(self.games)
        ]

    def _contenders(self, agents: Sequence[str]) -> list[str]:
        return [agent for agent in agents if agent not in self.bosses]


def _stage(boss: str) -> str:
    return f"against {boss}"

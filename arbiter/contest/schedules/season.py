"""A season followed by an elimination, as data that the organiser edits. The default is that of the protocol.

In the season every agent plays the same number of games, equally often in every seat, and collects points by place. Ties
are broken by the games that the tied agents played against each other, and if that settles nothing, at the end by a lot drawn
from the seed. An agent that comes late plays from a later round on. The elimination is a list of stages, each of which takes agents
by their places in earlier stages and seats the best with the worst; ties there are broken by the season. House agents fill
tables for which there are too few teams; in the elimination they always come last, and they have no place of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import ClassVar

import msgspec

from arbiter.contest.scheduled import GameSummary, Played, ScheduledGame
from arbiter.contest.schedules import season_bracket, season_table
from arbiter.contest.schedules.base import BY_LOT, SEEDS_OF_A_ROUND, BracketStage, FinalPlace, Schedule, Stage
from arbiter.contest.schedules.points import lowest_shared_place
from arbiter.contest.schedules.season_bracket import DrawnStage, SeasonOrder
from arbiter.contest.schedules.season_format import (
    SEASON,
    EliminationStage,
    SeasonRound,
    check_season_format,
)
from arbiter.contest.schedules.seating import snake_order
from arbiter.contest.schedules.tables import even_tables
from arbiter.errors import UserError, unknown


class Season(Schedule, frozen=True, kw_only=True, tag="season"):
    """Rounds for all agents, then elimination stages for the best of them."""

    summary: ClassVar[str] = "league and elimination"
    seats: int = 4
    season: tuple[SeasonRound, ...] = ()
    elimination: tuple[EliminationStage, ...] = ()
    """The later the last stage that an agent reaches, the better its place."""
    house: tuple[str, ...] = ()
    """Agents of the list that fill up tables if there are too few teams: in the elimination, and if there are not enough for one
    table, in the season."""
    late: Mapping[str, str] = {}
    """Agents that came late: by agent, the round from which it plays."""

    agents_may_leave: ClassVar[bool] = False
    absent_play: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_season_format(self.season, self.elimination, self.seats)

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        for name in self.house:
            if name not in agents:
                raise unknown("agent", name, agents, where="house")
        rounds = [a_round.name for a_round in self.season]
        for name, first in self.late.items():
            if name not in agents:
                raise unknown("agent", name, agents, where="late")
            if first not in rounds:
                raise unknown("round", first, rounds, where="late")
        super().check(self._players_in(0, agents))
        wanted = max((stage.takes[SEASON][1] for stage in self.elimination if SEASON in stage.takes), default=0)
        if len(agents) < wanted:
            raise UserError(
                f"the elimination takes the first {wanted} agents of the season, and there are {len(agents)}: "
                "change 'elimination', or add agents and name those that only fill up tables under 'house'"
            )

    def total(self, agents: Sequence[str], played: Played) -> int:
        season = sum(
            len(self._players_in(number, agents)) * a_round.laps(self.seats)
            for number, a_round in enumerate(self.season)
        )
        return season + sum(stage.tables * stage.games for stage in self.elimination)

    def _teams(self, agents: Sequence[str]) -> list[str]:
        return [agent for agent in agents if agent not in self.house]

    def _players_in(self, number: int, agents: Sequence[str]) -> list[str]:
        """Return the agents that play in a round of the season, the first of which has the number 0: the teams that have come, and
        house agents if these are too few for a table."""
        later = {a_round.name for a_round in self.season[number + 1 :]}
        teams = [agent for agent in self._teams(agents) if self.late.get(agent) not in later]
        return [*teams, *self.house[: max(0, self.seats - len(teams))]]

    def admitting(self, agent: str, begun: Collection[str]) -> Season:
        first = next((a_round.name for a_round in self.season if a_round.name not in begun), None)
        if first is None:
            raise UserError(f"the last round of the season has begun: {agent!r} can only play games out of competition")
        late = {**self.late, agent: first} if begun else self.late
        return msgspec.structs.replace(self, late=late)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        self.check(agents)
        yield from self._season(agents)
        for wave in self._waves(agents, played):
            yield Stage(" and ".join(drawn.name for drawn in wave), [game for drawn in wave for game in drawn.games])

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by the last stage reached, then by the place at its table, then by the season. Ties can only remain while the
        season is being played."""
        standing = self._standing(agents, played)
        order = {agent: (0, 0, standing.place[agent]) for agent in standing.order}
        notes = {agent: SEASON + (f", {BY_LOT}" if agent in standing.by_lot else "") for agent in standing.order}
        depth = {stage.name: -number for number, stage in enumerate(self.elimination, 1)}
        for drawn in self._drawn_by_now(agents, played):
            for number, table in enumerate(drawn.tables, 1):
                for place, agent in enumerate(self._teams(table), 1):
                    order[agent] = (depth[drawn.name], place, standing.order.index(agent))
                    over = all(game in played for game in drawn.games)
                    at = f" at table {number}" if len(drawn.tables) > 1 else ""
                    notes[agent] = f"{drawn.name}, place {place}{at}" if over else drawn.name
        rounds = self._points_by_round(agents, played)
        return [
            FinalPlace(
                agent=agent,
                place=1 + sum(other < order[agent] for other in order.values()),
                figures={
                    "season points": sum(points[agent] for points in rounds.values()),
                    **({name: points[agent] for name, points in rounds.items()} if len(rounds) > 1 else {}),
                },
                note=notes[agent],
            )
            for agent in sorted(standing.order, key=lambda agent: order[agent])
        ]

    def bracket(self, agents: Sequence[str], played: Played) -> list[BracketStage]:
        """Return the season as one table, and every stage of the elimination whose agents are known."""
        standing = self._standing(agents, played)
        table = season_bracket.season_table(standing, self._season_points(agents, played), self.elimination)
        drawn = self._drawn_by_now(agents, played)
        return [table, *(season_bracket.bracket_stage(one, played, self.house, self.elimination) for one in drawn)]

    def _season_points(self, agents: Sequence[str], played: Played) -> dict[str, float]:
        rounds = self._points_by_round(agents, played)
        return {agent: sum(points[agent] for points in rounds.values()) for agent in self._teams(agents)}

    def _standing(self, agents: Sequence[str], played: Played) -> SeasonOrder:
        teams = self._teams(agents)
        over = self._season_is_over(agents, played)
        order: list[str] = []
        place: dict[str, int] = {}
        by_lot: set[str] = set()
        lot = self._lots(agents, played)
        for group in season_table.rank(teams, [gain for _, gain in self._gains(agents, played)]):
            drawn = sorted(group, key=lot)
            place |= {agent: len(order) + (number if over else 1) for number, agent in enumerate(drawn, 1)}
            order += drawn
            by_lot |= set(group) if over and len(group) > 1 else set()
        return SeasonOrder(order, place, frozenset(by_lot), over)

    def _season_is_over(self, agents: Sequence[str], played: Played) -> bool:
        return all(stage.is_finished(played) for stage in self._season(agents))

    def _lots(self, agents: Sequence[str], played: Played) -> Callable[[str], bytes]:
        """Return what separates agents that are still tied after the points of shared games: never their order in the file.

        A lot follows from the agent's name, the seed, and the commitment of the first game, so that nobody can choose a name
        that is lucky.
        """
        first = next((game for stage in self._season(agents) for game in stage.games if game in played), None)
        commitment = played[first].commitment if first else ""
        return lambda agent: sha256(f"{self.seed} {commitment} lot {agent}".encode()).digest()

    def _points_by_round(self, agents: Sequence[str], played: Played) -> dict[str, dict[str, float]]:
        gains = self._gains(agents, played)
        return {
            a_round.name: season_table.total(
                self._teams(agents), [gain for name, gain in gains if name == a_round.name]
            )
            for a_round in self.season
        }

    def _season(self, agents: Sequence[str]) -> Iterator[Stage]:
        """Yield the rounds of the season. All games of a lap have the same seed; every agent plays it once in every seat."""
        players: list[str] = []
        for number, a_round in enumerate(self.season):
            if (present := self._players_in(number, agents)) != players:
                players = present
                laps = even_tables(len(players), self.seats, sum(each.laps(self.seats) for each in self.season))
            first = self.seed + number * SEEDS_OF_A_ROUND
            games = [
                ScheduledGame(tuple([players[index] for index in table]), seed, a_round.name)
                for seed in range(first, first + a_round.laps(self.seats))
                for table in next(laps)
            ]
            yield Stage(a_round.name, games)

    def _gains(self, agents: Sequence[str], played: Played) -> list[tuple[str, dict[str, float]]]:
        """Return the points of every game of the season played so far, with the name of its round."""
        return [
            (a_round.name, self._gain(played[game], a_round.points))
            for a_round, stage in zip(self.season, self._season(agents), strict=True)
            for game in stage.games
            if game in played
        ]

    def _gain(self, outcome: GameSummary, points: Sequence[float]) -> dict[str, float]:
        places = zip(outcome.game.seats, lowest_shared_place(outcome.ranks), strict=True)
        return {agent: points[place - 1] for agent, place in places if agent not in self.house}

    def _waves(self, agents: Sequence[str], played: Played) -> Iterator[list[DrawnStage]]:
        """Yield groups of elimination stages that can be played at the same time. Advance only when all games before have
        been played."""
        tables = {SEASON: [[*self._standing(agents, played).order, *self.house]]}
        wave: list[DrawnStage] = []
        for number, stage in enumerate(self.elimination, len(self.season)):
            if any(drawn.name in stage.takes for drawn in wave):
                yield wave
                wave = []
            drawn = self._draw(stage, tables, self.seed + number * SEEDS_OF_A_ROUND, played)
            tables[stage.name] = drawn.tables
            wave.append(drawn)
        if wave:
            yield wave

    def _draw(
        self, stage: EliminationStage, tables: Mapping[str, list[list[str]]], seed: int, played: Played
    ) -> DrawnStage:
        standing = tables[SEASON][0]
        entrants = [
            agent
            for source, (first, last) in stage.takes.items()
            for place in range(first, last + 1)
            for agent in sorted([table[place - 1] for table in tables[source]], key=standing.index)
        ]
        groups = snake_order(entrants, stage.tables)
        games = [self._games(stage, group, seed) for group in groups]
        ordered = [
            self._ordered(group, standing, [played[game] for game in scheduled if game in played])
            for group, scheduled in zip(groups, games, strict=True)
        ]
        return DrawnStage(stage.name, ordered, [game for by_table in zip(*games, strict=True) for game in by_table])

    def _games(self, stage: EliminationStage, group: Iterable[str], seed: int) -> list[ScheduledGame]:
        lots = sorted(group, key=lambda agent: sha256(f"{seed} {stage.name} {agent}".encode()).digest())
        turns = [tuple(lots[turn:] + lots[:turn]) for turn in range(self.seats)]
        return [
            ScheduledGame(turns[number % self.seats], seed + number // self.seats, stage.name)
            for number in range(stage.games)
        ]

    def _ordered(self, group: Sequence[str], standing: Sequence[str], outcomes: Iterable[GameSummary]) -> list[str]:
        """Return the agents of a table, best first: by opponents beaten, then by the season; house agents come last."""
        behind = dict.fromkeys(group, 0)
        for outcome in outcomes:
            for agent, place in zip(outcome.game.seats, lowest_shared_place(outcome.ranks), strict=True):
                behind[agent] += place
        return sorted(group, key=lambda agent: (agent in self.house, behind[agent], standing.index(agent)))

    def _drawn_by_now(self, agents: Sequence[str], played: Played) -> Iterator[DrawnStage]:
        if not self._season_is_over(agents, played):
            return
        for wave in self._waves(agents, played):
            yield from wave
            if any(game not in played for drawn in wave for game in drawn.games):
                return

"""Ratings of versions of agents: each version, identified by its fingerprint, is rated as a separate agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.plackett_luce import fit
from arbiter.records.search.moments import moment_us

MOST_VERSIONS = 150
"""The most versions that are rated together: those with the most games. The time grows with the cube of their number."""
MOST_GAMES = 200_000

Version = tuple[str, str]
"""The name of an agent, and a fingerprint."""


class VersionRating(msgspec.Struct, kw_only=True):
    """The rating of one version of an agent."""

    protocol: str
    agent: str
    fingerprint: str
    first_us: int | None
    """When its first game was started, in microseconds since 1970."""
    games: int
    elo: float
    """Difference from the mean of all versions of its group."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    group: int
    """Only ratings of the same group can be compared."""


@dataclass(slots=True)
class _Games:
    played: list[tuple[tuple[Version, ...], tuple[int, ...], int]] = field(default_factory=list)
    first: dict[Version, int | None] = field(default_factory=dict)
    left_out: int = 0


class VersionGames:
    """Collects the games of agents that have several versions."""

    def __init__(self) -> None:
        self._protocols: dict[str, _Games] = {}

    @property
    def left_out(self) -> int:
        """Games that are not counted because there are more than :data:`MOST_GAMES`."""
        return sum(games.left_out for games in self._protocols.values())

    def add(self, game: GameSummary) -> None:
        """Add a game."""
        games = self._protocols.setdefault(game.protocol, _Games())
        versions, started_us = tuple(zip(game.seats, game.fingerprints, strict=True)), moment_us(game.started)
        for version in versions:
            known = [moment for moment in (games.first.get(version), started_us) if moment is not None]
            games.first[version] = min(known, default=None)
        if len(games.played) < MOST_GAMES:
            games.played.append((versions, tuple(game.ranks), game.seed))
        else:
            games.left_out += 1

    def ratings(self, agents: Collection[str] = ()) -> list[VersionRating]:
        """Rate the versions of all agents that have several, or of those named; by agent, oldest version first."""
        found: list[VersionRating] = []
        for protocol, games in sorted(self._protocols.items()):
            count = Counter(name for name, _ in games.first)
            several = {name for name in count if count[name] > 1 and (not agents or name in agents)}
            if several:
                found += self._rated(protocol, games, several)
        return sorted(found, key=lambda one: (one.protocol, one.agent, one.first_us is None, one.first_us or 0))

    def _rated(self, protocol: str, games: _Games, several: Collection[str]) -> list[VersionRating]:
        frequent = Counter(version for versions, _, _ in games.played for version in versions)
        kept = {version for version, _ in frequent.most_common(MOST_VERSIONS)}
        names = {version: f"{number}" for number, version in enumerate(sorted(kept))}
        outcomes = [
            GameSummary(
                protocol=protocol,
                seats=[names[version] for version in versions],
                seed=seed,
                ranks=list(ranks),
                scores=[0.0] * len(ranks),
            )
            for versions, ranks, seed in games.played
            if all(version in kept for version in versions)
        ]
        rated = {rating.name: rating for rating in fit(outcomes).ratings()}
        return [
            VersionRating(
                protocol=protocol, agent=agent, fingerprint=fingerprint, first_us=games.first[agent, fingerprint],
                games=rating.games, elo=rating.elo, low=rating.low, high=rating.high, group=rating.group,
            )
            for (agent, fingerprint), name in names.items()
            if agent in several and (rating := rated.get(name)) is not None
        ]  # fmt: skip

"""Versions of an agent are rated apart, oldest first."""

from __future__ import annotations

import pytest

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics import versions
from arbiter.contest.statistics.versions import VersionGames
from tests.contest.fake_game import finished

HOUR_US = 3_600_000_000
OLD, NEW, RIVAL = ("bot", "old"), ("bot", "new"), ("rival", "")


def game(one: tuple[str, str], ranks: tuple[int, int], seed: int, started: str = "") -> GameSummary:
    """A game of one version against the rival."""
    seats, prints = zip(one, RIVAL, strict=True)
    return finished(ScheduledGame(seats, seed), ranks, fingerprints=list(prints), started=started)


def played(better: int = 6) -> VersionGames:
    """The old version wins 2 of 8 games, the new one ``better``."""
    games = VersionGames()
    for seed in range(8):
        for hour, version, wins in ((2, NEW, better), (1, OLD, 2)):
            ranks = (1, 2) if seed < wins else (2, 1)
            games.add(game(version, ranks, seed, f"1970-01-01T{hour:02}:00:{seed:02}"))
    return games


def test_a_better_version_has_a_higher_rating() -> None:
    old, new = played().ratings()
    assert [(one.agent, one.fingerprint, one.first_us, one.games) for one in (old, new)] == [
        ("bot", "old", HOUR_US, 8),
        ("bot", "new", 2 * HOUR_US, 8),
    ]
    assert old.low < old.elo < old.high < new.high
    assert new.elo - old.elo > 300
    assert played(2).ratings()[0].elo == played(2).ratings()[1].elo


def test_agents_with_one_version_are_left_out() -> None:
    assert played().ratings(["rival"]) == []
    games = VersionGames()
    games.add(game(OLD, (1, 2), 1))
    assert games.ratings() == []


def test_the_rarest_versions_are_left_out_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    games = played()
    games.add(game(("bot", "rare"), (1, 2), 1))
    assert len(games.ratings()) == 3
    monkeypatch.setattr(versions, "MOST_VERSIONS", 3)
    assert [one.fingerprint for one in games.ratings()] == ["old", "new"]

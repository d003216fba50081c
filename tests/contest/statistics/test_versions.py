"""Versions of an agent are rated apart, oldest first."""

from __future__ import annotations

import pytest

from arbiter.contest.statistics import versions
from arbiter.contest.statistics.versions import VersionGames

OLD, NEW, RIVAL = ("bot", "old"), ("bot", "new"), ("rival", "")


def played(better: int = 6) -> VersionGames:
    """The old version wins 2 of 8 games, the new one ``better``."""
    games = VersionGames()
    for seed in range(8):
        for start, version, wins in ((2000, NEW, better), (1000, OLD, 2)):
            ranks = (1, 2) if seed < wins else (2, 1)
            games.add("p", (version, RIVAL), ranks, seed=seed, started_us=start + seed)
    return games


def test_a_better_version_has_a_higher_rating() -> None:
    old, new = played().ratings()
    assert [(one.agent, one.fingerprint, one.first_us, one.games) for one in (old, new)] == [
        ("bot", "old", 1000, 8),
        ("bot", "new", 2000, 8),
    ]
    assert old.low < old.elo < old.high < new.high
    assert new.elo - old.elo > 300
    assert played(2).ratings()[0].elo == played(2).ratings()[1].elo


def test_agents_with_one_version_are_left_out() -> None:
    assert played().ratings(["rival"]) == []
    games = VersionGames()
    games.add("p", (OLD, RIVAL), (1, 2), seed=1, started_us=None)
    assert games.ratings() == []


def test_the_rarest_versions_are_left_out_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    games = played()
    games.add("p", (("bot", "rare"), RIVAL), (1, 2), seed=1, started_us=None)
    assert len(games.ratings()) == 3
    monkeypatch.setattr(versions, "MOST_VERSIONS", 3)
    assert [one.fingerprint for one in games.ratings()] == ["old", "new"]

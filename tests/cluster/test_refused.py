"""A host that cannot play is refused with a line that names it and the reason, and gets no games."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.cluster import host
from arbiter.cluster.players import cluster_players
from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.making import make_contest
from arbiter.contest.runner import run_contest
from arbiter.errors import UserError
from arbiter.version import __version__
from tests.cluster.real import Cluster, play
from tests.contest.running.around import auction, records, varied
from tests.nullgame.place import BIDS, write

pytestmark = pytest.mark.slow

COMPILES = '#!/bin/sh\ncp "$1" "$2"\nchmod +x "$2"\n'
FAILS = "#!/bin/sh\necho cannot find libodd >&2\nexit 1\n"
INTERPRETED = '[languages.Odd]\nextensions = [".odd"]\nrun = ["oddtool", "{source}"]\n'
LANGUAGE = '[languages.Odd]\nextensions = [".odd"]\nbuild = ["oddc", "{source}", "{program}"]\nrun = ["{program}"]\n'


@pytest.fixture(scope="module")
def poor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of one host on which no sandbox works, and whose compiler for Odd fails."""
    folder = tmp_path_factory.mktemp("poor")
    write(folder / "bin" / "oddc", FAILS, executable=True)
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder / "cache")}
    with Cluster(folder) as made:
        made.start_worker("poor", "--preload", "tests.cluster.lacks_sandbox", environment=environment)
        yield made


def refusal(contest: Contest, cluster: Cluster) -> str:
    """Return why the only host is refused, and check that the line names it and that nothing was played."""
    with pytest.raises(UserError) as error, cluster_players(cluster.address, allow_uncontained=True) as players:
        run_contest(contest, players=players)
    head, line = str(error.value).splitlines()
    assert head == "no host of the cluster can play:"
    found = re.fullmatch(r"cluster: (\S+) \(tcp://\S+\) is refused: (.*)", line)
    assert found
    assert found[1] == os.uname().nodename
    assert records(contest.folder) == []
    return found[2]


def test_a_host_with_another_version(place: Path, poor: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "__version__", "9.9")
    contest = auction(place, varied(place, "ann", "bob"))
    assert refusal(contest, poor) == f"it has arbiter {__version__}, and the head has 9.9"


def test_a_host_without_the_interpreter_of_an_agent(
    place: Path, poor: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(place / "bin" / "oddtool", '#!/bin/sh\nexec sh "$@"\n', executable=True)
    monkeypatch.setenv("PATH", f"{place / 'bin'}:{os.environ['PATH']}")
    write(place / "arbiter.toml", (place / "arbiter.toml").read_text() + INTERPRETED)
    write(place / "one.odd", BIDS.format(3))
    contest = auction(place, [str(place / "one.odd"), *varied(place, "ann")])
    assert refusal(contest, poor).startswith("one.odd is Odd and needs oddtool")


def test_a_host_without_the_sandbox_level_of_the_head(place: Path, poor: Cluster) -> None:
    contest = auction(place, varied(place, "ann", "bob"), sandbox="rlimits")
    assert contest.plan
    level = contest.plan.sandbox.level
    assert level != "none"
    reason = refusal(contest, poor)
    assert reason.startswith(f"it lacks sandbox level '{level}', which the head has chosen (")
    assert f"the kernel of this host knows no {level}" in reason

    lower = auction(place, varied(place, "ann", "bob"), sandbox="none", name="lower")
    play(lower, poor.address)
    assert records(lower.folder), "with a lower level it plays"


def test_a_host_on_which_a_build_fails(place: Path, poor: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "bin" / "oddc", COMPILES, executable=True)
    monkeypatch.setenv("PATH", f"{place / 'bin'}:{os.environ['PATH']}")
    write(place / "arbiter.toml", (place / "arbiter.toml").read_text() + LANGUAGE)
    write(place / "one.odd", f"#!/bin/sh\n{BIDS.format(3)}")
    settings = GameSettings(options={"rounds": 1}, sandbox="none", allow_uncontained_build=True)
    agents = (str(place / "one.odd"), *varied(place, "ann"))
    definition = Definition(name="cup", protocol="auction", agents=agents, settings=settings, base=str(place))
    contest = make_contest(definition, {"kind": "round_robin"}, place / "games", workers=1)
    assert not contest.notes, "it is built here"

    reason = refusal(contest, poor)

    assert "one.odd" in reason
    assert "cannot find libodd" in reason

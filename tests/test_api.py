"""The arbiter from Python."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import arbiter
from arbiter import GameSummary, PlayReport, UserError, play
from tests.nullgame.place import adder, bidder, write
from tests.tools import ROOT


def test_a_report_has_games_and_totals(place: Path) -> None:
    report = play("count_up", [adder(place, "low", 1), adder(place, "high", 3)], games=2, seed=6)
    assert isinstance(report, PlayReport)
    assert all(isinstance(game, GameSummary) for game in report.games)
    assert report.totals["high"].wins == 2
    assert Path(report.games[0].record).is_file()


def test_every_argument_and_the_answer_are_typed() -> None:
    hints = get_type_hints(play)
    assert set(hints) == {*inspect.signature(play).parameters, "return"}
    assert hints["return"] is PlayReport
    assert (Path(arbiter.__file__).parent / "py.typed").is_file()


def test_the_interface_is_stable() -> None:
    """A name or parameter may be added at the end of its list here; none may go, change its place or get another default."""
    given = {name: inspect.signature(getattr(arbiter, name)).parameters.values() for name in ("play", "run", "load")}
    assert {name: [f"{each.name}={each.default!r}" if each.default is not each.empty else each.name for each in found]
            for name, found in given.items()} == {
        "play": ["protocol", "agents", "games=1", "seed=None", "options=None", "limits=None", "lifetime=None", "clock=None",
                 "sandbox=None", "ponder=None", "allow_uncontained_build=False", "time_factor=1.0", "log=None",
                 "keep_files=None", "no_limits=False", "setup=None", "save=None", "workspace=None", "watch=None",
                 "on_game=None"],
        "run": ["file", "save=None", "workers=None"],
        "load": ["path"],
    }  # fmt: skip
    assert {"header", "answers", "result", "names", "seed", "turns", "path", "annulled"} <= set(dir(arbiter.Record))


@pytest.mark.parametrize("name", ["run", "load"])
def test_the_other_functions_are_typed(name: str) -> None:
    function = getattr(arbiter, name)
    assert set(function.__annotations__) == {*inspect.signature(function).parameters, "return"}


def test_everything_but_protocol_and_agents_is_given_by_name() -> None:
    kinds = {name: parameter.kind for name, parameter in inspect.signature(play).parameters.items()}
    assert [name for name, kind in kinds.items() if kind is not inspect.Parameter.KEYWORD_ONLY] == [
        "protocol",
        "agents",
    ]


def test_what_the_module_names_is_there() -> None:
    assert all(hasattr(arbiter, name) for name in arbiter.__all__)
    with pytest.raises(AttributeError, match="no attribute 'referee_nobody_knows'"):
        _ = arbiter.referee_nobody_knows


def test_a_mistake_of_the_caller_is_a_user_error(place: Path) -> None:
    with pytest.raises(UserError, match="unknown protocol 'cuont_up'; did you mean 'count_up'"):
        play("cuont_up", [adder(place, "a", 1)])


def test_importing_the_package_imports_almost_nothing() -> None:
    code = "import sys, arbiter; print([m for m in ('msgspec', 'click', 'yaml', 'psutil') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_nothing_is_printed(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    play("count_up", [adder(place, "a", 1)], seed=1)
    assert capfd.readouterr() == ("", "")


def test_a_contest_is_run_from_its_file_and_continued(place: Path) -> None:
    agents = [bidder(place, name, bid) for name, bid in (("five", 5), ("six", 6))]
    file = write(
        place / "cup.yaml", f"protocol: auction\nagents: {agents}\nschedule: {{kind: round_robin, games: 2}}\n"
    )
    report = arbiter.run(file, save=place / "saved", workers=1)
    assert isinstance(report, arbiter.Report)
    assert (sorted(row.agent for row in report.rows), report.counts.played) == (["five", "six"], 2)
    again = arbiter.run(place / "saved" / "cup")
    assert again.counts.played == 2
    games = sorted((place / "saved" / "cup").glob("*.jsonl"))
    record = arbiter.load(games[0])
    assert isinstance(record, arbiter.Record)
    assert record.result is not None
    assert record.header.protocol == "auction"


def test_a_mistake_is_a_user_error(place: Path) -> None:
    with pytest.raises(arbiter.UserError, match="workers"):
        arbiter.run(ROOT / "matches" / "splendor-cup.yaml", workers=0, save=place)
    with pytest.raises(arbiter.UserError, match=r"no\.jsonl"):
        arbiter.load(place / "no.jsonl")

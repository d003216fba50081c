"""Every game setting can be given on the command line, in match files and from Python, with the same meaning."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import arbiter
from arbiter.cli.game_options import game_settings, take_settings
from arbiter.cli.match import command as match
from arbiter.cli.play import command as play
from arbiter.cli.tournament import command as tournament
from arbiter.config.game_settings import GameSettings
from arbiter.config.limits import LIMITS
from arbiter.contest.match_file import MatchFile, load_contest
from arbiter.contest.runner import run_contest
from tests.nullgame.place import bidder

FIELDS = GameSettings.__struct_fields__
CHOSEN = GameSettings(
    options={"rounds": "2"}, limits={"move": "3s"}, lifetime="game", clock="wall", sandbox="none", ponder=False,
    allow_uncontained_build=True, time_factor=2.5, log="all", keep_files="kept", no_limits=True,
)  # fmt: skip
"""Not one of them has its default."""
WORDS = [
    "-o", "rounds=2", "-l", "move=3s", "--lifetime", "game", "--clock", "wall", "--sandbox", "none", "--no-ponder",
    "--allow-uncontained-build", "--time-factor", "2.5", "--log", "all", "--keep-files", "kept", "--no-limits",
]  # fmt: skip


@pytest.mark.parametrize("command", [play, match, tournament], ids=lambda command: command.name)
@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_is_an_option_of_every_command_that_plays(command: click.Command, name: str) -> None:
    options = {option.name: option for option in command.params if isinstance(option, click.Option)}
    assert options[name].help


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_is_a_key_of_match_files_and_a_parameter_of_the_api(name: str) -> None:
    assert name in MatchFile.__struct_fields__
    parameter = inspect.signature(arbiter.play).parameters[name]
    assert parameter.default in (getattr(GameSettings(), name), None)
    assert f":param {name}:" in (arbiter.play.__doc__ or "")


def test_the_api_passes_every_setting_on(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[GameSettings] = []

    def make_plan(_: str, __: object, settings: GameSettings, **___: object) -> None:
        passed.append(settings)
        raise InterruptedError

    monkeypatch.setattr("arbiter.api.make_plan", make_plan)
    with pytest.raises(InterruptedError):
        arbiter.play("auction", [], **{name: getattr(CHOSEN, name) for name in FIELDS})
    assert passed == [CHOSEN]


def parsed(*words: str) -> GameSettings:
    """The settings that these words on a command line give."""
    found: list[GameSettings] = []

    def command(**asked: Any) -> None:
        found.append(take_settings(asked))
        assert asked == {}

    click.command()(game_settings(command)).main(list(words), standalone_mode=False)
    return found[0]


def test_the_command_line_gives_the_settings_and_nothing_more() -> None:
    assert all(getattr(CHOSEN, name) != getattr(GameSettings(), name) for name in FIELDS)
    assert parsed() == GameSettings()
    assert parsed(*WORDS) == CHOSEN


def test_everyday_limits_have_an_option_of_their_own() -> None:
    everyday = [name for name, limit in LIMITS.items() if limit.everyday]
    words = [word for name in everyday for word in (f"--{name}", "7")]
    assert parsed(*words).limits == dict.fromkeys(everyday, "7")


def test_a_match_file_gives_the_settings_and_its_contest_keeps_them(place: Path) -> None:
    agents = [bidder(place, "one", 1), bidder(place, "two", 2)]
    file = place / "cup.yaml"
    given = {name: getattr(CHOSEN, name) for name in FIELDS}
    file.write_text(yaml.safe_dump({"protocol": "auction", "agents": agents, **given}), encoding="utf-8")

    contest = load_contest(file)

    assert contest.definition.settings == CHOSEN
    run_contest(contest)
    assert load_contest(contest.folder).definition.settings == CHOSEN


def test_an_option_can_be_read_from_a_file(place: Path) -> None:
    (place / "deck.txt").write_text("a\nb\n", encoding="utf-8")
    assert parsed("-o", "deck=@deck.txt").options == {"deck": "a\nb\n"}

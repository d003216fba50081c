"""An agent in a folder of its own, described by agent.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.config.game_settings import GameSettings
from arbiter.config.limits import Source
from arbiter.errors import UserError
from arbiter.playing.planning import make_plan
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import arbiter_toml, write


def folder(place: Path, manifest: str, name: str = "my bot") -> Path:
    write(place / name / "agent.yaml", manifest)
    write(place / name / "bot.sh", "echo 2\n")
    return place / name


def test_the_run_command_is_enough(ready: Resolve, place: Path) -> None:
    where = folder(place, "run: sh bot.sh\n")
    agent = ready("my bot")
    assert (agent.name, agent.folder, agent.language, agent.lifetime) == ("my bot", where, "Shell", None)
    assert Path(agent.command[0]).name == "sh"
    assert agent.command[1:] == ("bot.sh",)


def test_every_field_of_an_agent_yaml(ready: Resolve, place: Path) -> None:
    folder(
        place,
        "name: Größter Bot\nauthor: Ada\nabout: adds two\nrun: [sh, bot.sh, two words]\nlifetime: game\n"
        "language: Bourne\nenvironment: {LEVEL: 3, SPEED: 0.5, MODE: fast}\nlimits: {memory: 64MB, processes: 2}\n",
    )
    agent = ready("my bot/")
    assert (agent.name, agent.lifetime, agent.language) == ("Größter Bot", "game", "Bourne")
    assert agent.command[1:] == ("bot.sh", "two words")
    assert agent.environment == {"LEVEL": "3", "SPEED": "0.5", "MODE": "fast"}
    assert agent.limits == (Source("agent.yaml", {"memory": "64MB", "processes": 2}, only_lower=True),)


def test_it_plays_in_its_folder_with_its_environment(place: Path) -> None:
    folder(place, "run: sh bot.sh\nenvironment: {NUMBER: 3}\n")
    write(place / "my bot" / "bot.sh", "cat > input\necho $NUMBER\n")
    report = play("count_up", ["my bot"], options={"turns": 1})
    assert report.games[0].scores == [3.0]
    assert (place / "my bot" / "input").read_text().startswith("seat 0 of 1\n")


def test_a_program_of_the_folder_comes_before_an_installed_one(ready: Resolve, place: Path) -> None:
    where = folder(place, "run: cat --fast\n")
    own = write(where / "cat", "#!/bin/sh\n", executable=True)
    assert ready("my bot").command == (str(own), "--fast")


def test_an_agent_yaml_lowers_limits_and_arbiter_toml_raises_them(place: Path) -> None:
    folder(place, "run: sh bot.sh\nlimits: {memory: 64MB, move: 1h}\n")
    arbiter_toml(place, '[agents.strong]\nagent = "my bot"\nlimits = { memory = "9GB" }\n')
    own, named = (make_plan("count_up", [text]).entrants[0].limits for text in ("my bot", "strong"))
    assert (own.memory_bytes, own.move_ns) == (64 << 20, 5_000_000_000)
    assert named.memory_bytes == 9 << 30


def test_the_command_line_overrides_the_lifetime_of_the_agent(place: Path) -> None:
    folder(place, "run: sh bot.sh\nlifetime: game\n")
    assert make_plan("count_up", ["my bot"]).entrants[0].lifetime == "game"
    assert make_plan("count_up", ["my bot"], GameSettings(lifetime="move")).entrants[0].lifetime == "move"
    assert make_plan("count_up", ["sh 'my bot/bot.sh'"]).entrants[0].lifetime == "move"


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("", ": must consist of 'name: value' lines, with at least 'run'"),
        ("name: x\n", ": 'run' is missing; it must be a string or a list, each item a string"),
        ("run: sh bot.sh\nspeed: 9\n", ", line 2: unknown key 'speed'; choose from run, name, "),
        ("run: sh bot.sh\nlifetme: game\n", ", line 2: unknown key 'lifetme'; did you mean 'lifetime'?"),
        ("run: sh bot.sh\n5: x\n", ", line 2: unknown key '5'; choose from run, "),
        ("run: 5\n", ", line 1: run 5: must be a string or a list, each item a string"),
        ("name: x\nrun: [sh, 5]\n", ", line 2: run, item 2: 5: must be a string"),
        ("run: sh bot.sh\nlifetime: day\n", ", line 2: unknown lifetime 'day'; choose from move, game"),
        ("run: sh bot.sh\nlimits: {cores: 2}\n", ", line 2: unknown limit 'cores'"),
        (
            "run: sh bot.sh\nlimits:\n  move: 1s\n  memry: 1GB\n",
            ", line 4: unknown limit 'memry'; did you mean 'memory'?",
        ),
        ("run: sh bot.sh\nlimits: {move: soon}\n", ", line 2: limit move 'soon': must be a duration"),
        ("run: sh bot.sh\nlimits: [1]\n", ", line 2: limits [1]: must be a mapping of names to values"),
        ("run: sh bot.sh\nthreads: 0\n", ", line 2: threads 0: must be a whole number, at least 1"),
        ("run: sh bot.sh\nthreads: two\n", ", line 2: threads 'two': must be a whole number"),
        ("run: sh bot.sh\nenvironment: {A: [1]}\n", ", line 2: environment.A [1]: must be a string or a number"),
        ("run: [unclosed\n", ", line 2: not YAML: expected ',' or ']'"),
        (
            "run: sh 'bot.sh\n",
            ', line 1: run: the command "sh \'bot.sh" cannot be split into words: No closing quotation',
        ),
        ('run: sh bot.sh\nbuild: "\'"\n', ', line 2: build: the command "\'" cannot be split into words'),
        ("run: ''\n", ", line 1: run: the command is empty"),
        ("run: ./nothing\n", ", line 1: run: './nothing' is neither a file in "),
        ("run: no-such-program bot\n", ", line 1: run: 'no-such-program' is neither a file in "),
        ("run: ./bot.sh\n", ", line 1: run: './bot.sh' is not executable: chmod +x it"),
        ('run: [sh, "a\\0b"]\n', ", line 1: run: the command ['sh', 'a\\x00b'] contains a null character"),
        ("run: sh bot.sh\nenvironment: {'A=B': 1}\n", ", line 2: environment 'A=B': '1' cannot be set"),
        ('run: sh bot.sh\nenvironment: {A: "\\0"}\n', ", line 2: environment 'A': '\\x00' cannot be set"),
        ("run: sh bot.sh\nabout: [2024-13-45]\n", ", line 2: about ['2024-13-45']: must be a string"),
        (f"run: sh bot.sh\nname: [{'x' * 9000}]\n", ", line 2: name ['xxxxxxxxx"),
        (f"run: sh bot.sh\nenvironment: {{A: {'9' * 5000}}}\n", ": Exceeds the limit"),
        ("- run\n", ": must consist of 'name: value' lines, with at least 'run'"),
    ],
)
def test_a_bad_agent_yaml_is_one_line_that_names_it(ready: Resolve, place: Path, manifest: str, reason: str) -> None:
    where = folder(place, manifest)
    with pytest.raises(UserError) as refused:
        ready("my bot")
    assert str(refused.value).startswith(f"{where / 'agent.yaml'}{reason if ' line ' in reason else ': '}")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < len(str(where)) + 400


def test_an_agent_yaml_that_is_not_utf8_is_one_line(ready: Resolve, place: Path) -> None:
    where = folder(place, "")
    (where / "agent.yaml").write_bytes(b"run: sh bot.sh\nname: \xff\n")
    with pytest.raises(UserError, match=r"agent\.yaml: not a text file in UTF-8"):
        ready("my bot")

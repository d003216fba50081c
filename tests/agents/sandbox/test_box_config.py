"""The configuration that both halves of a box share, and what the inner half may cost to start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox import _box
from arbiter.agents.sandbox._box.config import BoxConfig, LandlockRules, SpawnRequest, decode, encode
from arbiter.agents.sandbox.configure import configure
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.visible import visible_files
from tests.agents.sandbox.running import BOXED, limits, need


def config_of(level: Level, folder: Path) -> BoxConfig:
    bot = Agent("bot", "bot", (sys.executable, "bot.py"), folder, "Python")
    return configure(level, visible_files(bot, [], []), limits(), str(folder), None)


@pytest.mark.parametrize("level", BOXED)
def test_a_configuration_arrives_as_it_was_sent(level: Level, tmp_path: Path) -> None:
    need(level)
    config = config_of(level, tmp_path)
    received = decode(encode(config))
    assert received == config
    assert isinstance(received, BoxConfig)
    assert type(received.namespaces) is type(config.namespaces)
    assert type(received.landlock) is type(config.landlock)
    assert (received.namespaces is not None) == (level in ("namespace", "cgroup"))
    assert (received.landlock is not None) == (level != "rlimits")


def test_no_program_can_put_a_file_where_the_self_test_will_write(tmp_path: Path) -> None:
    """It would find that writing is not denied as it should be, and the level would not be used."""
    need("landlock")
    assert config_of("landlock", tmp_path).canary != config_of("landlock", tmp_path).canary


def test_fields_are_read_by_name_and_given_by_name_or_position() -> None:
    rules = LandlockRules(1, 2, scopes=3, attr_size=4, paths=(("/usr", 5),))
    assert (rules.files, rules.network, rules.scopes, rules.attr_size) == (1, 2, 3, 4)
    assert rules.paths == (("/usr", 5),)


@pytest.mark.parametrize("named", [{}, {"folder": "/"}, {"folder": "/", "brief": True, "more": 1}])
def test_a_field_that_is_missing_or_unknown_is_an_error(named: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="SpawnRequest takes argv, environment, folder, brief"):
        SpawnRequest([b"true"], {}, **named)  # type: ignore[arg-type]


def test_a_box_starts_without_the_arbiter_and_without_slow_imports() -> None:
    (package,) = _box.__path__
    source = "import sys\nsys.path.append(sys.argv[1])\nimport _box.main\nprint(*sys.modules)"
    command = [sys.executable, "-S", "-I", "-c", source, str(Path(package).parent)]
    loaded = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    slow = {"arbiter", "array", "collections", "contextlib", "dataclasses", "enum", "msgspec", "re", "signal", "socket", "subprocess", "typing"}  # fmt: skip
    assert slow.isdisjoint(loaded)

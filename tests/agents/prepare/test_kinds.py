"""What an AGENT may be: an executable, a source, a folder, a command line, a name, a person."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.prepare.resolve import resolve_all
from arbiter.config.limits import Source
from arbiter.config.workspace import Workspace
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import arbiter_toml, write


def test_an_executable_runs_as_it_is(ready: Resolve, place: Path) -> None:
    bot = write(place / "bots" / "bot", "#!/bin/sh\necho 1\n", executable=True)
    agent = ready("bots/bot")
    assert (agent.name, agent.command, agent.folder, agent.language) == ("bot", (str(bot),), bot.parent, "executable")


def test_a_compiled_program_is_an_executable(ready: Resolve) -> None:
    agent = ready(sys.executable)
    assert agent.command == (sys.executable,)


def test_an_executable_with_an_unknown_extension_runs_as_it_is(ready: Resolve, place: Path) -> None:
    write(place / "bot.v2", "#!/bin/sh\n", executable=True)
    assert ready("./bot.v2").language == "executable"


def test_a_source_file_runs_with_its_interpreter(ready: Resolve, place: Path) -> None:
    bot = write(place / "bot.sh", "echo 1\n")
    agent = ready("bot.sh")
    assert (agent.name, agent.source, agent.language, agent.folder) == ("bot", "bot.sh", "Shell", place)
    assert Path(agent.command[0]).name == "sh"
    assert agent.command[1:] == (str(bot),)


def test_a_link_to_a_shared_program_keeps_its_own_folder(ready: Resolve, place: Path) -> None:
    shared = write(place / "shared" / "bot.sh", "echo 1\n")
    (place / "mine").mkdir()
    (place / "mine" / "clone.sh").symlink_to(shared)
    agent = ready("mine/clone.sh")
    assert (agent.name, agent.folder) == ("clone", place / "mine")


def test_a_command_line_is_split_as_a_shell_would(ready: Resolve, place: Path) -> None:
    script = write(place / "my bot.sh", "echo 1\n")
    agent = ready("sh 'my bot.sh' --level 3")
    assert Path(agent.command[0]).name == "sh"
    assert agent.command[1:] == ("my bot.sh", "--level", "3")
    assert (agent.name, agent.folder, agent.language) == (script.stem, place, "command")


def test_no_path_leads_through_a_folder_and_back_out_of_it(place: Path) -> None:
    bot = write(place / "bots" / "bot.sh", "#!/bin/sh\necho 1\n", executable=True)
    (place / "bots" / "clone.sh").symlink_to(bot)
    base = place / "matches"
    base.mkdir()
    texts = ["../bots/bot.sh", "../bots/clone.sh", "sh ../bots/bot.sh ../x", "../bots/bot.sh --level 3"]
    source, link, command, program = resolve_all(texts, None, Workspace(), base)
    assert (source.command[1:], source.folder) == ((str(bot),), bot.parent)
    assert (link.command[1:], link.folder) == ((str(place / "bots" / "clone.sh"),), bot.parent)
    assert command.command[1:] == (str(bot), "../x"), "only files, which are certainly paths"
    assert program.command == (str(bot), "--level", "3")


def test_a_command_may_contain_words_longer_than_any_file_name(ready: Resolve) -> None:
    program = f"print(1)  # {'x' * 5000}"
    assert ready(f"python3 -c '{program}'").command[1:] == ("-c", program)


def test_a_single_word_may_be_an_installed_program(ready: Resolve) -> None:
    agent = ready("cat")
    assert Path(agent.command[0]).is_absolute()
    assert agent.name == "cat"


def test_a_command_may_begin_with_a_program_of_the_folder(ready: Resolve, place: Path) -> None:
    bot = write(place / "bin" / "bot", "#!/bin/sh\n", executable=True)
    assert ready("bin/bot --fast").command == (str(bot), "--fast")


def test_home_is_written_with_a_tilde(ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(place / "home"))
    bot = write(place / "home" / "bot.sh", "echo 1\n")
    assert ready("~/bot.sh").command[-1] == str(bot)


def test_a_person_is_human(ready: Resolve) -> None:
    agent = ready("human")
    assert agent.is_human
    assert (agent.name, agent.command) == ("human", ())
    assert ready("Ada=human").name == "Ada"


def test_any_agent_may_be_given_a_name(ready: Resolve, place: Path) -> None:
    bot = write(place / "bot.sh", "echo 1\n")
    for text, name in ((f"old={bot}", "old"), ("größer=bot.sh", "größer"), ("x=sh bot.sh --a=b", "x")):
        assert ready(text).name == name


def test_a_file_whose_name_contains_an_equals_sign_is_a_file(ready: Resolve, place: Path) -> None:
    write(place / "a=b.sh", "echo 1\n")
    assert ready("a=b.sh").name == "a=b"


def test_a_name_from_arbiter_toml(place: Path, ready: Resolve) -> None:
    write(place / "bots" / "bot.sh", "echo 1\n")
    arbiter_toml(
        place,
        '[agents]\nplain = "bots/bot.sh"\nwords = "sh bots/bot.sh"\n'
        '[agents.full]\nagent = "bots/bot.sh"\nlifetime = "game"\nlimits = { memory = "9GB" }\n'
        'environment = { LEVEL = "3" }\n[protocols.count_up.agents]\nspecial = "bots/bot.sh"\n',
    )
    assert (ready("plain").name, ready("plain").folder) == ("plain", place / "bots")
    assert ready("words").folder == place
    full = ready("full")
    assert (full.lifetime, dict(full.environment)) == ("game", {"LEVEL": "3"})
    assert full.limits == (Source("agent 'full' in arbiter.toml", {"memory": "9GB"}),)
    assert ready("special").name == "special"


def test_names_of_arbiter_toml_are_relative_to_its_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "bots" / "bot.sh", "echo 1\n")
    arbiter_toml(place, '[agents]\nplain = "bots/bot.sh"\n')
    (place / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(place / "deep" / "down")
    (agent,) = resolve_all(["plain"], None, Workspace())
    assert agent.command[-1] == str(place / "bots" / "bot.sh")


def test_equal_names_are_made_distinct(place: Path) -> None:
    write(place / "bot.sh", "echo 1\n")
    texts = ["bot.sh", "bot-2=bot.sh", "bot.sh", "human", "human", "bot.sh"]
    names = [agent.name for agent in resolve_all(texts, None, Workspace())]
    assert names == ["bot", "bot-2", "bot-3", "human", "human-2", "bot-4"]


def test_files_that_differ_in_their_extension_are_named_with_it(place: Path) -> None:
    write(place / "bot.sh", "echo 1\n")
    write(place / "bot.py", "print(1)\n")
    names = [agent.name for agent in resolve_all(["bot.sh", "bot.py", "mine=bot.sh"], None, Workspace())]
    assert names == ["bot.sh", "bot.py", "mine"]


def test_spaces_and_non_ascii_letters_in_paths_and_names(ready: Resolve, place: Path) -> None:
    bot = write(place / "ein Ordner" / "größter bot 世界.sh", "echo 1\n")
    agent = ready(bot.relative_to(place))
    assert (agent.name, agent.command[-1]) == ("größter bot 世界", str(bot))


def test_a_name_is_made_fit_for_tables(ready: Resolve, place: Path) -> None:
    bot = write(place / f"a\tb\x1b[31m{'c' * 60}.sh", "echo 1\n")
    name = ready(bot).name
    assert len(name) == 40
    assert name.isprintable()


def test_it_runs_in_its_own_folder_with_an_environment_of_its_own(
    ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_ORGANISER", "1")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "de_DE")
    monkeypatch.setenv("LC_ALL", "C")
    write(place / "deep" / "bot.sh", "echo 1\n")
    start = launch_spec(ready("deep/bot.sh"), "move")
    assert start.folder == str(place / "deep")
    assert start.environment["PWD"] == str(place / "deep")
    assert start.environment["PATH"] == os.environ["PATH"]
    assert start.environment["TZ"] == "UTC"
    assert (start.environment["LANG"], start.environment.get("LC_ALL")) == ("C.UTF-8", None)
    assert "SECRET_OF_THE_ORGANISER" not in start.environment
    assert "PYTHONUNBUFFERED" not in start.environment


def test_a_long_lived_python_agent_is_unbuffered(ready: Resolve, place: Path) -> None:
    write(place / "bot.py", "")
    assert launch_spec(ready("bot.py"), "game").environment["PYTHONUNBUFFERED"] == "1"


def test_a_remote_agent_has_a_name_and_no_command(ready: Resolve) -> None:
    agent = ready("remote:Les Pommes")
    assert (agent.name, agent.source, agent.command, agent.language) == (
        "Les Pommes", "remote:Les Pommes", (), "remote",
    )  # fmt: skip
    assert agent.is_outside
    assert not agent.is_human

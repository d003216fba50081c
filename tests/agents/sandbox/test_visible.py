"""The files an agent sees."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.prepare.tools import installation
from arbiter.agents.sandbox.visible import SYSTEM, VisibleFiles, notes, private_folders, visible_files
from arbiter.config.workspace import Workspace
from tests.tools import missing

PYTHON = "/usr/bin/python3"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Home of the user who runs the arbiter, in an environment without what is installed on this machine."""
    folder = tmp_path / "home" / "user"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in ("JAVA_HOME", "LD_LIBRARY_PATH", "PYTHONUSERBASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("site.USER_BASE", str(folder / ".local"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    return folder


def put(path: Path, text: str = "", *, executable: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if executable:
        path.chmod(0o755)
    return path


def script(path: Path, *command: str | Path) -> Agent:
    """An agent that is one file."""
    put(path)
    words = tuple(map(str, command)) or (PYTHON, str(path))
    return Agent(path.stem, str(path), words, path.parent, "Python", origin=path)


def packed(folder: Path, run: str) -> Agent:
    """An agent that is a folder with an agent.yaml, as its author submitted it."""
    put(folder / "agent.yaml", f"run: {run}\n")
    return resolve_agent(str(folder), None, Workspace(folder))


def below(view: VisibleFiles, folder: Path) -> set[str]:
    """Return what is visible of a folder, relative to it."""
    inside = [Path(path) for path in view.visible if Path(path).is_relative_to(folder)]
    return {str(path.relative_to(folder)) for path in inside}


def sees(view: VisibleFiles, path: Path) -> bool:
    """Return whether what this path leads to can be read from inside: the innermost rule decides."""
    text = os.path.realpath(path)
    rules = {**dict.fromkeys(view.visible, True), **dict.fromkeys(view.hidden, False)}
    assert len(rules) == len(view.visible) + len(view.hidden)
    return (
        rules[max((rule for rule in rules if is_in(text, rule)), key=len)]
        if any(is_in(text, r) for r in rules)
        else False
    )


def is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


# -- its own files


def test_an_agent_sees_its_folder_and_the_system_and_nothing_else(home: Path) -> None:
    put(home / "private")
    bot = script(home / "bots" / "one" / "bot.py")
    put(bot.folder / "book.txt")
    view = visible_files(bot, [], [])
    assert sees(view, bot.folder / "book.txt")
    assert sees(view, Path("/usr/bin/python3"))
    assert not sees(view, home / "private")
    assert not sees(view, home / "bots" / "two")
    assert not any(sees(view, Path(path)) for path in ("/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/proc"))
    assert below(view, home) == {"bots/one"}


def test_system_folders_that_are_links_stay_links(home: Path) -> None:
    view = visible_files(script(home / "bots" / "bot.py"), [], [])
    assert dict(view.links) == {path: os.readlink(path) for path in SYSTEM if Path(path).is_symlink()}  # noqa: PTH115
    assert not any(Path(path).is_symlink() for path in view.visible if path in SYSTEM)


def test_nothing_is_visible_twice(home: Path) -> None:
    bot = script(home / "bots" / "bot.py", PYTHON, home / "bots" / "bot.py", home / "bots" / "data")
    put(home / "bots" / "data" / "file")
    view = visible_files(bot, [], [], [str(home / "bots" / "data"), str(home / "bots"), "/usr/share"])
    assert below(view, home) == {"bots"}
    assert "/usr/share" not in view.visible
    assert list(view.visible) == sorted(set(view.visible))


def test_a_folder_whose_name_begins_the_same_is_not_visible(home: Path) -> None:
    put(home / "bots" / "one-more" / "secret")
    view = visible_files(script(home / "bots" / "one" / "bot.py"), [], [])
    assert not sees(view, home / "bots" / "one-more" / "secret")


def test_home_has_links_to_the_files_next_to_the_program(home: Path) -> None:
    bot = script(home / "bots" / "bot.py")
    put(bot.folder / "book.txt")
    put(bot.folder / "data" / "weights")
    view = visible_files(bot, [], [])
    assert dict(view.own_links) == {name: str(bot.folder / name) for name in ("bot.py", "book.txt", "data")}


def test_odd_names_are_handled(home: Path) -> None:
    folder = home / "a b,c:d\n" / os.fsdecode(b"\xff")
    bot = script(folder / "bot.py")
    put(folder / "x\ny,z")
    view = visible_files(bot, [], [])
    assert sees(view, folder)
    assert dict(view.own_links) == {"bot.py": str(folder / "bot.py"), "x\ny,z": str(folder / "x\ny,z")}


def test_a_program_behind_a_link_is_visible_with_the_target_of_the_link(home: Path) -> None:
    real = put(home / "real" / "bot.py")
    put(home / "real" / "beside")
    (home / "bots").mkdir()
    (home / "bots" / "bot.py").symlink_to(real)
    bot = Agent("bot", "bot", (PYTHON, str(home / "bots" / "bot.py")), home / "bots", "Python", origin=home / "bots" / "bot.py")  # fmt: skip
    view = visible_files(bot, [], [])
    assert sees(view, home / "bots" / "bot.py")
    assert sees(view, real)
    assert not sees(view, home / "real" / "beside")


def test_a_tool_that_cannot_be_looked_at_is_left_out(home: Path) -> None:
    # As a link into a folder that the user cannot enter, which root, who may run the tests, always can.
    (home / "bin").mkdir()
    (home / "bin" / "tool").symlink_to(f"/{'x' * 300}/tool")
    assert list(installation(str(home / "bin" / "tool"))) == []


def test_a_folder_behind_a_link_is_visible_under_both_paths(home: Path) -> None:
    bot = script(home / "real" / "bot.py")
    (home / "bots").symlink_to(home / "real")
    through = Agent("bot", "bot", (PYTHON, str(home / "bots" / "bot.py")), home / "bots", "Python", origin=home / "bots" / "bot.py")  # fmt: skip
    view = visible_files(through, [], [])
    assert below(view, home) == {"real"}
    assert (str(home / "bots"), str(home / "real")) in view.links
    assert below(visible_files(bot, [], []), home) == {"real"}


# -- folders that hold more than the agent


def test_an_agent_in_the_home_folder_sees_its_files_and_no_others(home: Path) -> None:
    put(home / ".ssh" / "id")
    put(home / "book.txt")
    put(home / "other.txt")
    put(home / "bot.py")
    bot = Agent("bot", "x", (PYTHON, "bot.py", "book.txt", f"--also={home / 'book.txt'}"), home, "command")
    view = visible_files(bot, [], [])
    assert below(view, home) == {"bot.py", "book.txt"}
    assert dict(view.own_links) == {"bot.py": str(home / "bot.py"), "book.txt": str(home / "book.txt")}


@pytest.mark.parametrize("folder", ["/", "/tmp"])
def test_shared_folders_are_not_shown(home: Path, folder: str) -> None:
    bot = Agent("true", "true", ("/usr/bin/true",), Path(folder), "command")
    view = visible_files(bot, [], [])
    assert folder not in view.visible
    assert not sees(view, home)
    assert view.own_links == ()


def test_folders_above_the_home_folder_are_not_shown(home: Path) -> None:
    view = visible_files(Agent("true", "true", ("/usr/bin/true",), home.parent, "command"), [], [])
    assert not sees(view, home)


def test_a_home_folder_behind_a_link_is_still_the_home_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = home.parent / "link"
    link.symlink_to(home)
    monkeypatch.setenv("HOME", str(link))
    put(home / ".ssh" / "id")
    assert not sees(visible_files(script(home / "bot.py"), [], []), home / ".ssh" / "id")


@pytest.mark.parametrize("folder", ["/dev/shm", "/var/tmp", "/home", "/dev", "/etc"])
def test_more_shared_folders_are_not_shown(home: Path, folder: str) -> None:
    view = visible_files(Agent("true", "true", ("/usr/bin/true",), Path(folder), "command"), [], [])
    assert folder not in view.visible


def test_a_user_without_a_home_folder_can_play(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = script(home / "bots" / "bot.py")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda _: (_ for _ in ()).throw(KeyError("nobody")))
    assert sees(visible_files(bot, [], []), bot.folder)


# -- other agents


def test_two_agents_in_one_folder_do_not_see_each_other(home: Path) -> None:
    bots = home / "bots"
    put(bots / "weights.two")
    built = put(cache_folder() / "two-0123" / "program")
    one, two = script(bots / "one.py"), script(bots / "two.c", built, f"--weights={bots / 'weights.two'}")
    view = visible_files(one, [two], [])
    assert sees(view, bots / "one.py")
    assert not any(sees(view, path) for path in (bots / "two.c", bots / "weights.two", built))
    assert "two.c" not in dict(view.own_links)
    assert "one.py" in dict(view.own_links)
    other = visible_files(two, [one], [])
    assert not sees(other, bots / "one.py")
    assert all(sees(other, path) for path in (bots / "two.c", bots / "weights.two", built))


def test_an_agent_sees_its_own_build_only(home: Path) -> None:
    mine, other = (put(cache_folder() / f"{name}-0123" / "program") for name in ("mine", "other"))
    view = visible_files(script(home / "bots" / "mine.c", mine), [], [])
    assert sees(view, mine)
    assert not sees(view, other)


def test_an_agent_in_a_subfolder_of_another_is_hidden_from_it(home: Path) -> None:
    outer, inner = script(home / "bots" / "outer.py"), script(home / "bots" / "inner" / "inner.py")
    view = visible_files(outer, [inner], [])
    assert not sees(view, inner.folder)
    assert "inner" not in dict(view.own_links)
    assert sees(view, home / "bots" / "outer.py")
    assert sees(visible_files(inner, [outer], []), inner.folder / "inner.py")
    assert not sees(visible_files(inner, [outer], []), home / "bots" / "outer.py")


def test_an_agent_that_plays_itself_sees_itself(home: Path) -> None:
    one, again = script(home / "bots" / "bot.py"), script(home / "bots" / "bot.py")
    view = visible_files(one, [again], [])
    assert view.hidden == ()
    assert sees(view, home / "bots" / "bot.py")


def test_an_opponent_behind_a_link_is_hidden_under_both_paths(home: Path) -> None:
    bots = home / "bots"
    real = put(bots / "hall" / "two.py")
    (bots / "two.py").symlink_to(real)
    two = Agent("two", "two", (PYTHON, str(bots / "two.py")), bots, "Python", origin=bots / "two.py")
    view = visible_files(script(bots / "one.py"), [two], [])
    assert not sees(view, real)
    assert not sees(view, bots / "two.py")


def test_saved_games_are_hidden_from_all_agents(home: Path) -> None:
    bot = script(home / "bots" / "bot.py")
    put(bot.folder / "games" / "1.jsonl")
    view = visible_files(bot, [], [bot.folder / "games"])
    assert not sees(view, bot.folder / "games" / "1.jsonl")
    assert "games" not in dict(view.own_links)
    assert visible_files(bot, [], [home / "elsewhere"]).hidden == ()


def test_the_organiser_can_make_folders_visible_to_all(home: Path) -> None:
    put(home / "shared" / "maps")
    assert sees(
        visible_files(script(home / "bots" / "bot.py"), [], [], [str(home / "shared")]), home / "shared" / "maps"
    )


@pytest.mark.parametrize("word", ["{secret}", "--keys={secret}", "../../.ssh", "/"])
def test_the_author_of_an_agent_cannot_reveal_the_organisers_files(home: Path, word: str) -> None:
    secret = put(home / ".ssh" / "id").parent
    put(home / "bots" / "evil" / "bot.py")
    evil = packed(home / "bots" / "evil", f"[python3, bot.py, '{word.format(secret=secret)}']")
    assert not sees(visible_files(evil, [], []), secret / "id")


@pytest.mark.parametrize("victim", ["book.txt", "helpers"])
def test_the_author_of_an_agent_cannot_hide_an_opponents_files(home: Path, victim: str) -> None:
    good = script(home / "bots" / "good" / "bot.py")
    put(good.folder / "book.txt")
    put(good.folder / "helpers" / "search.py")
    put(home / "bots" / "evil" / "bot.py")
    evil = packed(home / "bots" / "evil", f"[python3, bot.py, '../good/{victim}', '{good.folder / victim}']")
    view = visible_files(good, [evil], [])
    assert sees(view, good.folder / "book.txt")
    assert sees(view, good.folder / "helpers" / "search.py")


def test_files_named_in_a_typed_command_are_visible(home: Path) -> None:
    put(home / "weights")
    put(home / "bots" / "bot.py")
    bot = Agent("bot", "x", (PYTHON, "bot.py", str(home / "weights")), home / "bots", "command")
    assert sees(visible_files(bot, [], []), home / "weights")


# -- interpreters and tools


def test_an_interpreter_in_a_venv_is_visible_with_its_base_installation(home: Path) -> None:
    real = put(home / ".pyenv" / "versions" / "3.11" / "bin" / "python3.11", executable=True)
    put(real.parents[1] / "lib" / "python3.11" / "os.py")
    venv = home / "work" / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python3").symlink_to(real)
    (venv / "bin" / "python").symlink_to("python3")
    put(venv / "lib" / "site-packages" / "numpy.py")
    put(home / "work" / "private")
    view = visible_files(script(home / "bots" / "bot.py", venv / "bin" / "python", home / "bots" / "bot.py"), [], [])
    assert below(view, home) == {"bots", "work/venv", ".pyenv/versions/3.11"}


def test_a_relative_link_in_a_linked_folder_is_followed_as_the_kernel_does(home: Path) -> None:
    """As with a merged /usr: /bin is a link to /usr/bin, where a program is a link to ../share."""
    real = put(home / "usr" / "share" / "kotlin" / "bin" / "kotlin", executable=True)
    (home / "usr" / "bin").mkdir()
    (home / "usr" / "bin" / "kotlin").symlink_to("../share/kotlin/bin/kotlin")
    (home / "bin").symlink_to("usr/bin")
    program = home / "bin" / "kotlin"
    assert program.resolve() == real
    view = visible_files(script(home / "bots" / "bot.py", program, home / "bots" / "bot.py"), [], [])
    assert sees(view, real)
    assert not [path for path in view.visible if not os.path.lexists(path)]


def test_shims_are_visible_with_what_they_start_and_nothing_of_the_users_own(home: Path) -> None:
    for name in ("versions", "libexec", "cache"):
        (home / ".pyenv" / name).mkdir(parents=True)
    shim = put(home / ".pyenv" / "shims" / "python3", "#!/usr/bin/env bash\nexec pyenv\n", executable=True)
    view = visible_files(script(home / "bots" / "bot.py", shim, "bot.py"), [], [])
    assert sees(view, shim)
    assert sees(view, home / ".pyenv" / "versions")
    assert sees(view, home / ".pyenv" / "libexec")
    assert not sees(view, home / ".pyenv" / "cache")
    assert not sees(view, home)


def test_nothing_next_to_a_file_is_visible_where_another_agent_is_in_its_folder(home: Path) -> None:
    book = put(home / "bots" / "book.bin")
    one, two = (script(home / "bots" / name, Path("/usr/bin/env"), name) for name in ("one.py", "two.py"))
    assert sees(visible_files(one, [], []), book)
    view = visible_files(one, [two], [])
    assert sees(view, home / "bots" / "one.py")
    assert not sees(view, book)
    assert [name for name, _ in view.own_links] == ["one.py"]


def test_a_script_is_visible_with_the_interpreters_that_are_installed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lua = put(home / "opt" / "lua" / "bin" / "lua", executable=True)
    ruby = put(home / "opt" / "ruby" / "bin" / "ruby", executable=True)
    monkeypatch.setenv("PATH", f"{ruby.parent}:{lua.parent}:/usr/bin")
    for line in (f"#!{lua} -x", "#!/usr/bin/env ruby"):
        view = visible_files(executable(home / "bots" / "bot", line), [], [])
        assert sees(view, lua.parents[1] / "lib")
        assert sees(view, ruby.parents[1] / "lib")
        assert not sees(view, home / "opt" / "else")


def executable(path: Path, first_line: str) -> Agent:
    put(path, f"{first_line}\n", executable=True)
    return Agent("bot", str(path), (str(path),), path.parent, "executable", origin=path)


@pytest.mark.parametrize(
    "line",
    [
        "#!{0}",
        "#! {0} -x",
        "#!\v{0}",
        "#!\x0c{0}",
        "#!\t{0}",
        "#!\0{0}",
        "#!\x85{0}",
        "#!/usr/bin/env {0}",
        "#!\u2003{0}",
    ],
)
def test_nothing_is_visible_because_of_a_first_line(home: Path, line: str) -> None:
    secret = put(home / "secret" / "bin" / "program", executable=True)
    plain = visible_files(executable(home / "bots" / "bot", "#!/bin/sh"), [], [])
    for named in (secret, secret.parent, secret.parents[1]):
        assert visible_files(executable(home / "bots" / "bot", line.format(named)), [], []) == plain


def test_a_command_finds_tools_that_users_have_installed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = put(home / ".nvm" / "versions" / "v20" / "bin" / "node", "#!/bin/sh\n", executable=True)
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin")
    bot = Agent("sh", "sh -c node", ("/usr/bin/sh", "-c", "node bot.js"), home / "bots", "command")
    (home / "bots").mkdir()
    assert sees(visible_files(bot, [], []), node)


def test_a_tool_in_local_bin_does_not_reveal_the_rest_of_local(home: Path) -> None:
    tool = put(home / ".local" / "bin" / "lua", executable=True)
    put(home / ".local" / "share" / "keyrings" / "login")
    view = visible_files(script(home / "bots" / "bot.lua", tool, "bot.lua"), [], [])
    assert sees(view, tool)
    assert not sees(view, home / ".local" / "share" / "keyrings" / "login")


def test_a_tool_in_bin_of_the_home_folder_does_not_reveal_the_home_folder(home: Path) -> None:
    tool = put(home / "bin" / "lua", executable=True)
    view = visible_files(script(home / "bots" / "bot.lua", tool, "bot.lua"), [], [])
    assert below(view, home) == {"bots", "bin/lua"}


def test_packages_of_the_user_are_visible_to_python_agents_only(home: Path) -> None:
    packages = put(home / ".local" / "lib" / "python3.11" / "site-packages" / "numpy.py").parent
    put(home / ".local" / "lib" / "secret")
    assert sees(visible_files(script(home / "bots" / "bot.py"), [], []), packages)
    assert not sees(visible_files(script(home / "bots" / "bot.py"), [], []), home / ".local" / "lib" / "secret")
    assert not sees(visible_files(script(home / "bots" / "bot.sh", "/usr/bin/sh", "bot.sh"), [], []), packages)


def test_a_loop_of_links_is_not_an_installation(home: Path) -> None:
    (home / "bots").mkdir()
    (home / "bots" / "a").symlink_to("b")
    (home / "bots" / "b").symlink_to("a")
    bot = Agent("a", "a", (str(home / "bots" / "a"),), home / "bots", "executable")
    try:
        assert not sees(visible_files(bot, [], []), home)
    except (OSError, RuntimeError) as error:
        assert "loop" in str(error).lower()  # noqa: PT017 - either will do: such a file is refused long before


def test_the_interpreter_of_these_tests_is_visible(home: Path) -> None:
    view = visible_files(script(home / "bots" / "bot.py", sys.executable, "bot.py"), [], [])
    assert sees(view, Path(sys.executable).resolve())
    assert sees(view, Path(sys.executable))


@pytest.mark.parametrize("name", ["JAVA_HOME", "LD_LIBRARY_PATH"])
def test_a_tool_named_through_a_linked_system_folder_does_not_replace_the_link(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    link = next((path for path in SYSTEM if Path(path).is_symlink() and any(Path(path).iterdir())), None)
    if link is None:
        missing("a system folder that is a link")
    inside = next(path for path in Path(link).iterdir() if path.is_dir())
    monkeypatch.setenv(name, str(inside))
    assert not [path for path in visible_files(script(home / "bots" / "bot.py"), [], []).visible if is_in(path, link)]


# -- what an agent's author decides about, which is nothing


def test_a_java_class_named_after_a_file_does_not_reveal_it(home: Path) -> None:
    put(home / "secrets" / "key")
    bot = script(home / "Bot.java", "/usr/bin/java", "-cp", str(cache_folder() / "Bot-1"), "secrets")
    assert below(visible_files(bot, [], []), home) == {"Bot.java"}


def test_a_link_to_a_program_does_not_reveal_what_is_around_it(home: Path) -> None:
    secret = put(home / "secret" / "bin" / "tool", "#!/bin/sh\n", executable=True)
    put(home / "secret" / "key")
    (home / "bots").mkdir()
    link = home / "bots" / "bot"
    link.symlink_to(secret)
    for agent in (
        Agent("bot", "bots/bot", (str(link),), link.parent, "executable", origin=link),
        Agent("bot", "bots/bot x", (str(link), "x"), link.parent, "command"),
    ):
        assert not sees(visible_files(agent, [], []), home / "secret" / "key")


def test_an_agent_yaml_cannot_unhide_saved_games(home: Path) -> None:
    record = put(home / "bots" / "evil" / "games" / "1.jsonl")
    put(home / "bots" / "evil" / "bot.py")
    evil = packed(home / "bots" / "evil", "[python3, bot.py, games, games/1.jsonl]")
    assert not sees(visible_files(evil, [], [record.parent]), record)


def test_a_typed_command_does_not_reveal_folders_that_hold_more(home: Path) -> None:
    put(home / "bots" / "bot.py")
    bot = Agent("bot", "x", (PYTHON, "bot.py", "/", "/tmp", str(home), "--in=/etc"), home / "bots", "command")
    assert not {"/", "/tmp", str(home), "/etc"} & set(visible_files(bot, [], []).visible)


def test_the_organiser_cannot_make_saved_games_visible_by_accident(home: Path) -> None:
    record = put(home / "data" / "games" / "1.jsonl")
    bot = script(home / "bots" / "bot.py")
    for more in (home / "data", record.parent):
        assert not sees(visible_files(bot, [], [record.parent], [str(more)]), record)


def test_temporary_folders_of_other_agents_are_hidden(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = script(home / "bots" / "bot.py")
    other = put(home / "bots" / "tmp" / "arbiter-own-1" / "notes")
    monkeypatch.setattr("tempfile.tempdir", str(home / "bots" / "tmp"))
    assert not sees(visible_files(bot, [], []), other)


# -- tools that are installed next to something personal


def test_a_toolchain_does_not_reveal_the_credentials_next_to_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rustup = put(home / ".cargo" / "bin" / "rustup", executable=True)
    (rustup.parent / "rustc").symlink_to("rustup")
    credentials = put(home / ".cargo" / "credentials.toml")
    registry = put(home / ".cargo" / "registry" / "index")
    toolchain = put(home / ".rustup" / "toolchains" / "stable" / "lib" / "std")
    monkeypatch.setenv("PATH", f"{rustup.parent}:/usr/bin")
    monkeypatch.delenv("RUSTUP_HOME", raising=False)
    (home / "bots").mkdir()
    view = visible_files(executable(home / "bots" / "bot", "#!/bin/sh"), [], [])
    assert sees(view, rustup)
    assert sees(view, toolchain)
    assert not sees(view, credentials)
    assert not sees(view, registry)


@pytest.mark.parametrize("folder", ["go", "work/project", ".gem"])
def test_a_tool_in_a_personal_folder_is_visible_without_the_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    tool = put(home / folder / "bin" / "lua", executable=True)
    library = put(home / folder / "lib" / "lua.so")
    secrets = [put(home / folder / name) for name in (".git/config", "src/secret.go", "credentials")]
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin")
    view = visible_files(script(home / "bots" / "bot.lua", tool, "bot.lua"), [], [])
    assert sees(view, tool)
    assert sees(view, library)
    assert not any(sees(view, path) for path in secrets)


def test_a_tool_on_a_relative_path_is_not_known(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be in an agent's folder."""
    planted = put(home / "secret" / "bin" / "lua", executable=True)
    monkeypatch.chdir(planted.parents[1])
    monkeypatch.setenv("PATH", "bin:/usr/bin")
    view = visible_files(executable(home / "bots" / "bot", "#!/bin/sh"), [], [])
    assert not sees(view, planted.parents[1])


# -- notes for the organiser


def test_a_program_that_mentions_files_it_will_not_see_is_noted(home: Path) -> None:
    put(home / "helper.py")
    put(home / "book.txt")
    put(home / "other.txt")
    bot = script(home / "bot.py")
    put(home / "bot.py", "import helper\nopen('book.txt')\n")
    (note,) = notes(bot, visible_files(bot, [], []))
    assert note == (
        f"bot: does not see the files next to it, since '{home}' holds more than this agent; it mentions book.txt, helper.py: "
        "move it and its files to a folder of their own"
    )
    put(home / "bot.py", "import sys\n")
    assert list(notes(bot, visible_files(bot, [], []))) == []
    apart = script(home / "bots" / "bot.py")
    put(home / "bots" / "helper.py")
    put(apart.folder / "bot.py", "import helper\n")
    assert list(notes(apart, visible_files(apart, [], []))) == []


def test_what_cannot_be_shown_is_noted(home: Path) -> None:
    bot = script(home / "bots" / "bot.py")
    view = visible_files(bot, [], [], [str(home / "gone\x1b")])
    assert list(notes(bot, view)) == [f"bot: cannot be read, so it is not shown to the agent: {home}/gone\\x1b"]


# -- private folders


def test_contests_next_to_this_one_and_saved_games_are_private(home: Path) -> None:
    games = home / "work" / "games"
    put(games / "this" / "contest.yaml")
    put(home / "cups" / "other" / "contest.yaml")
    put(home / "cups" / "bots" / "bot.py")
    bot = script(home / "bots" / "bot.py")
    assert private_folders(home / "cups" / "new", games, [bot]) == (
        str(home / "cups" / "new"),
        str(home / "cups" / "other"),
        str(games),
    )


def test_a_folder_of_games_with_an_agent_in_it_is_not_private_as_a_whole(home: Path) -> None:
    bot = script(home / "games" / "bots" / "bot.py")
    found = private_folders(home / "games" / "cup", home / "games", [bot])
    assert found == (str(home / "games" / "cup"),)


def test_an_opponent_that_was_deleted_is_not_made_again(home: Path) -> None:
    one, two = script(home / "bots" / "one.py"), script(home / "bots" / "two.py")
    (home / "bots" / "two.py").unlink()
    assert visible_files(one, [two], []).hidden == ()


def test_a_folder_that_cannot_be_listed_has_no_links(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = script(home / "bots" / "bot.py")
    really_scan = os.scandir

    def denied(path: str | Path) -> object:
        if Path(path) == bot.folder:
            raise PermissionError(13, "Permission denied")
        return really_scan(path)

    monkeypatch.setattr(os, "scandir", denied)  # root may list everything
    assert visible_files(bot, [], []).own_links == ()

"""Agents that cannot play are refused before any game starts, with one clear message."""

from __future__ import annotations

import errno
import os
import platform
from pathlib import Path

import pytest

from arbiter import play
from arbiter.errors import UserError
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import arbiter_toml, write


def refusal(ready: Resolve, text: object) -> str:
    with pytest.raises(UserError) as refused:
        ready(text)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_file_that_does_not_exist(ready: Resolve) -> None:
    assert refusal(ready, "./bots/bot.py") == "no such file './bots/bot.py'"
    assert refusal(ready, "bot.cpp") == "no such file 'bot.cpp'"


@pytest.mark.parametrize("name", ["a b", "../evil", "x/y", ""])
def test_a_wrong_name_for_an_agent_that_exists(ready: Resolve, name: str) -> None:
    text = f"{name}={__file__}"
    assert refusal(ready, text) == f"name {name!r}: must be one word without '/' in {text!r}"
    assert "must be one word" not in refusal(ready, f"{name}=./nothing")
    assert refusal(ready, "~nobody-of-that-name/bot.py") == "no such file '~nobody-of-that-name/bot.py'"


def test_an_unknown_name_gets_a_suggestion(ready: Resolve, place: Path) -> None:
    arbiter_toml(place, '[agents]\ngreedy = "bot.sh"\nlazy = "bot.sh"\n')
    assert refusal(ready, "gredy") == "unknown agent 'gredy'; did you mean 'greedy'?"
    assert refusal(ready, "humam").endswith("did you mean 'human'?")
    assert refusal(ready, "xyzzy-4711").startswith("unknown agent 'xyzzy-4711'; choose from greedy, lazy, ")


def test_something_that_is_neither_a_file_nor_a_folder(ready: Resolve) -> None:
    assert refusal(ready, "/dev/null") == "'/dev/null' is neither a file nor a folder, but a device, a pipe or a socket"


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_an_empty_text(ready: Resolve, text: str) -> None:
    assert refusal(ready, text) == (
        f"agent {text!r}: must be a file, a folder, a command, a name from arbiter.toml or 'human'"
    )


def test_a_text_longer_than_any_path(ready: Resolve) -> None:
    assert "unknown agent 'xxxx" in refusal(ready, "x" * 5000)
    assert "is neither a file in" in refusal(ready, f"{'x' * 5000} --fast")


def test_a_folder_without_agent_yaml(ready: Resolve, place: Path) -> None:
    (place / "empty").mkdir()
    assert refusal(ready, "empty") == (
        "empty is a folder without agent.yaml: add one with a line such as 'run: python3 bot.py'"
    )


def test_a_file_that_is_not_executable(ready: Resolve, place: Path) -> None:
    write(place / "bot", "#!/bin/sh\n")
    write(place / "bot.xyz", "#!/bin/sh\n")
    advice = ": chmod +x it, or add the language to arbiter.toml"
    assert refusal(ready, "./bot") == f"./bot is not executable and it has no extension{advice}"
    assert refusal(ready, "bot.xyz") == (
        f"bot.xyz is not executable and its extension '.xyz' is not a known language{advice}"
    )


@pytest.mark.parametrize(
    ("first_line", "reason"),
    [
        (
            "#!/no/such/python3",
            "the interpreter '/no/such/python3' in its first line does not exist or is not executable",
        ),
        ("#!", "the interpreter '' in its first line does not exist or is not executable"),
        ("#!/usr/bin/env no-such-python", "the interpreter 'no-such-python' in its first line is not installed"),
    ],
)
def test_a_script_whose_interpreter_does_not_exist(ready: Resolve, place: Path, first_line: str, reason: str) -> None:
    write(place / "bot", f"{first_line}\necho 1\n", executable=True)
    assert refusal(ready, "./bot").startswith(f"./bot: {reason}")


def test_a_program_for_another_architecture(ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    program = write(place / "bot", "", executable=True)
    program.write_bytes(b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x02\x00" + (183).to_bytes(2, "little") + b"\0" * 44)
    assert refusal(ready, "./bot") == "./bot was compiled for another architecture (this machine is x86_64)"
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert ready("./bot").language == "executable"


def test_an_executable_that_is_neither_program_nor_script(ready: Resolve, place: Path) -> None:
    write(place / "bot", "echo 1\n", executable=True)
    write(place / "nothing", "", executable=True)
    for text in ("./bot", "./nothing"):
        assert refusal(ready, text).startswith(f"{text} is neither a binary nor a script with a first line such as ")


def test_the_program_of_a_command_without_a_first_line(ready: Resolve, place: Path) -> None:
    write(place / "bot", "echo 1\n", executable=True)
    assert refusal(ready, "./bot --fast").startswith("./bot --fast: ./bot is neither a binary nor a script with ")


def test_windows_line_endings_and_a_byte_order_mark_before_the_interpreter(ready: Resolve, place: Path) -> None:
    write(place / "bot", "", executable=True).write_bytes(b"#!/usr/bin/env python3\r\nprint(2)\r\n")
    for text, said in (("./bot", "./bot"), ("./bot --fast", "./bot --fast: ./bot")):
        assert refusal(ready, text).startswith(f"{said} has Windows line endings (CRLF), with which its interpreter")
    write(place / "bot", "", executable=True).write_bytes(b"#!/bin/sh\r\necho 2\r\n")
    assert refusal(ready, "./bot").startswith("./bot has Windows line endings (CRLF)")
    write(place / "bot", "", executable=True).write_bytes(b"\xef\xbb\xbf#!/usr/bin/env python3\nprint(2)\n")
    assert refusal(ready, "./bot").startswith("./bot begins with a byte-order mark (BOM) before its '#!'")


def test_a_language_that_is_not_installed(ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "bot.pl", "print 1;\n")
    monkeypatch.setenv("PATH", str(place))
    assert refusal(ready, "bot.pl") == (
        "bot.pl is Perl and needs perl, which is not installed "
        "(or set another command under [languages] in arbiter.toml)"
    )


def test_a_command_whose_program_does_not_exist(ready: Resolve, place: Path) -> None:
    assert refusal(ready, "no-such-program --fast") == (
        f"no-such-program --fast: 'no-such-program' is neither a file in {place} nor an installed program"
    )


def test_a_script_that_does_not_exist_is_refused_in_a_command_and_in_an_agent_yaml(ready: Resolve, place: Path) -> None:
    assert refusal(ready, "sh gone.sh") == f"sh gone.sh: no such file 'gone.sh' in {place}"
    file = write(place / "bot" / "agent.yaml", "name: bot\nrun: sh gone.sh\n")
    assert refusal(ready, "bot") == f"{file}, line 2: run: no such file 'gone.sh' in {place / 'bot'}"
    assert refusal(ready, "sh " + "x" * 300 + ".sh").endswith(f".sh' in {place}")


@pytest.mark.parametrize("script", ["../gone.sh", "../there.sh", "link.sh"])
def test_an_agent_yaml_reveals_nothing_about_files_outside_its_folder(ready: Resolve, place: Path, script: str) -> None:
    write(place / "there.sh", "echo 1\n")
    write(place / "bot" / "agent.yaml", f"run: sh {script}\n")
    (place / "bot" / "link.sh").symlink_to(place / "gone.sh")
    assert ready("bot").command[1:] == (script,)


def test_a_command_with_an_open_quote(ready: Resolve) -> None:
    assert refusal(ready, "sh 'bot.sh") == (
        'the command "sh \'bot.sh" cannot be split into words: No closing quotation'
    )


@pytest.mark.parametrize(
    "text", ["cd bots && sh bot.sh", "sh bot.sh | cat", "sh bot.sh 2> log", "sh bot.sh 2>/dev/null"]
)
def test_a_command_for_a_shell_is_told_how_to_get_one(ready: Resolve, text: str) -> None:
    assert refusal(ready, text).endswith(f" is an argument; write  sh -c '{text}'")
    write(Path("bot") / "agent.yaml", f"run: {text}\n")
    assert f"agent.yaml, line 1: run: no shell runs this command, so {text.split()[2]!r}" in refusal(ready, "bot")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('"nowhere.sh"', "no such file or program 'nowhere.sh' in "),
        ('{ agent = "bot.sh", environment = { "A=B" = "1" } }', "environment 'A=B': '1' cannot be set"),
    ],
)
def test_a_bad_entry_of_arbiter_toml_is_named(ready: Resolve, place: Path, entry: str, reason: str) -> None:
    write(place / "bot.sh", "echo 1\n")
    file = arbiter_toml(place, f"[agents]\nother = 'bot.sh'\nmine = {entry}\n")
    line = file.read_text().splitlines().index(f"mine = {entry}") + 1
    assert refusal(ready, "mine").startswith(f"{file}, line {line}: agent 'mine': {reason}")


def test_an_agent_of_a_protocol_in_arbiter_toml_is_refused_with_its_line(ready: Resolve, place: Path) -> None:
    file = arbiter_toml(place, "[agents]\nmine = 'bot.sh'\n[protocols.count_up.agents]\nmine = 'gone.sh'\n")
    assert refusal(ready, "mine").startswith(f"{file}, line 9: agent 'mine': no such file or program 'gone.sh'")


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("name: x\nrun: ./gone\n", "line 2: run: './gone' is neither a file in"),
        ("name: x\n\nrun: [sh, 'a\\0b']\n", "line 3: run: the command ['sh', 'a\\x00b'] contains a null character"),
        ("name: x\nrun: sh 'bot\n", 'line 2: run: the command "sh \'bot" cannot be split into words'),
        ("run: ./bot\nbuild: make 'x\n", 'line 2: build: the command "make \'x" cannot be split into words'),
        ("run: ./bot\nbuild: [./gone, x]\n", "line 2: build: './gone' is neither a file in"),
        ("build: make\nname: x\nrun: sh 'bot\n", 'line 3: run: the command "sh \'bot" cannot be split into words'),
    ],
)
def test_build_and_run_of_a_manifest_are_refused_with_their_line(
    ready: Resolve, place: Path, manifest: str, reason: str
) -> None:
    file = write(place / "bot" / "agent.yaml", manifest.replace("'a\\0b'", '"a\\0b"'))
    assert refusal(ready, "./bot").startswith(f"{file}, {reason}")
    arbiter_toml(place, "[agents]\nmine = './bot'\n")
    assert refusal(ready, "mine").startswith(f"{file}, {reason}"), "the line of the mistake, not that of the name"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('{ agent = "bot.sh", lifetime = "day" }', "unknown lifetime 'day'; choose from move, game"),
        ('{ agent = "bot.sh", limits = { cores = 1 } }', "unknown limit 'cores'"),
        ('{ agent = "bot.sh", limits = { move = 1 } }', "limit move '1': must be a duration"),
    ],
)
def test_a_bad_setting_of_an_entry_is_located(ready: Resolve, place: Path, entry: str, reason: str) -> None:
    write(place / "bot.sh", "echo 1\n")
    file = arbiter_toml(place, f"[agents]\nmine = {entry}\n")
    line = len(file.read_text().splitlines())
    assert refusal(ready, "mine").startswith(f"{file}, line {line}: {reason}")


@pytest.mark.parametrize("entry", ["extensions = []\nrun = ['sh']", "extensions = ['.x']\nrun = []"])
def test_a_language_without_extensions_or_command(ready: Resolve, place: Path, entry: str) -> None:
    write(place / "bot.sh", "echo 1\n")
    arbiter_toml(place, f"[languages.Odd]\n{entry}\n")
    assert refusal(ready, "bot.sh").endswith(" []: must be a list with at least one item")


def test_a_source_that_may_not_be_read(ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "bot.sh", "echo 1\n")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.R_OK)  # root may read everything
    assert refusal(ready, "bot.sh") == "bot.sh: permission denied"


def test_one_bad_agent_stops_everything_before_the_first_move(place: Path) -> None:
    write(place / "good.sh", "echo ran > ran; echo 1\n")
    with pytest.raises(UserError, match=r"no such file 'bad\.sh'"):
        play("count_up", ["good.sh", "bad.sh"])
    assert not (place / "ran").exists()
    assert not (place / "matches").exists()


def test_a_language_that_requires_an_invalid_version(ready: Resolve, place: Path) -> None:
    arbiter_toml(place, '[languages.Toy]\nextensions = ["toy"]\nrun = ["node>=new"]\n')
    write(place / "bot.toy", "")
    with pytest.raises(
        UserError, match=r"language 'Toy': requirement 'node>=new': must be a version such as node>=22\.6"
    ):
        ready("bot.toy")


def test_a_folder_whose_manifest_cannot_be_read_is_not_run_as_a_command(
    ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = write(place / "bot" / "agent.yaml", "run: sh bot.sh\n")
    really_open = os.open

    def denied(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == manifest:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return really_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(UserError, match=f"bot: Permission denied .{manifest}."):
        ready("bot")


def test_a_folder_that_cannot_be_searched_is_not_said_to_have_no_manifest(
    ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "bot").mkdir()
    manifest = place / "bot" / "agent.yaml"
    really_lstat = os.lstat

    def denied(path: str | Path, *, dir_fd: int | None = None) -> os.stat_result:
        if path == manifest:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return really_lstat(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "lstat", denied)
    with pytest.raises(UserError, match=f"bot: Permission denied .{manifest}."):
        ready("bot")


def test_a_manifest_nested_too_deeply(ready: Resolve, place: Path) -> None:
    manifest = write(place / "bot" / "agent.yaml", f"run: {'[' * 5000}\n")
    with pytest.raises(UserError, match=f"^{manifest}, line 1: nested too deeply$"):
        ready("bot")

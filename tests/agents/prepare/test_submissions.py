"""Whatever a stranger submits, resolving it ends soon: with an agent, or with one sentence about what is wrong with it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from arbiter.agents.prepare import build, folder_limits, manifest
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.agents.prepare.first_line import interpreter_words
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.prepare.source_text import main_class
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import resolve_limits
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.playing import plan
from arbiter.playing.plan import Entrant
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

ONCE_PER_FOLDER = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def checked(where: Path, text: str) -> Agent | None:
    """Resolve an agent, and check that the next steps work, too, or that the error is fit to print."""
    try:
        agent = resolve_agent(text, None, Workspace(where), where)
    except UserError as error:
        said = str(error)
        assert said.replace("\n", "").replace("\t", "").isprintable()
        assert len(said) < 2000
        return None
    limits, explained = resolve_limits(agent.limits)
    plan.encode_plan(Entrant(agent, "game", limits, tuple(explained), fingerprint(agent)))
    visible_files(agent, [], [])
    assert agent.name.isprintable()
    assert agent.language.isprintable()
    return agent


# -- agent.yaml


FIELDS = (
    "run",
    "name",
    "build",
    "lifetime",
    "environment",
    "limits",
    "threads",
    "language",
    "author",
    "about",
    "<<",
    "x",
)
VALUES = (
    "sh bot.sh", "'", "2001-01-01", "yes", "~", "1e999", ".nan", "0b" + "1" * 9000, "1" * 5000, "1:1:1", "!!python/name:os",
    '"\\ud800"', '"\\0"', '"\\e[2J"', "[sh, bot.sh]", "[1, 2]", "{a: 1}", "{1: 1, yes: no, 2001-01-01: 2}", "*a", "&a [*a]",
    "{move: 1s}", "{disk: 1e9}", "{A: 0xffff}", "-1", "99999999999999999999", "|\n  x", "/bin/sh -c 'x'", "[]", "''", "../../etc",
)  # fmt: skip
LINES = st.builds("{}: {}\n".format, st.sampled_from(FIELDS), st.sampled_from(VALUES))
CARDS = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda text: text.encode(errors="surrogatepass")),
    st.lists(LINES, max_size=6).map(lambda lines: "".join(lines).encode(errors="surrogatepass")),
    st.lists(LINES, max_size=5).map(lambda lines: f"run: sh bot.sh\n{''.join(lines)}".encode()),
)


@ONCE_PER_FOLDER
@given(CARDS)
@example(b"run: sh bot.sh\nenvironment: {A: " + b"1" * 5000 + b"}\n")
@example(b"run: sh bot.sh\nthreads: 99999999999999999999999999\n")
@example(b'run: sh bot.sh\nname: "\\ud800"\n')
@example(b"run: sh bot.sh\n2001-01-01: 1\nyes: 2\n")
@example(b"a: &a [" + b"x," * 100 + b"]\n" + b"b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n" * 3)
@example(b"a: &a {b: 1}\n<<: [" + b"*a, " * 1000 + b"*a]\n")
@example(b"run: " + b"[" * 30_000)
@example(b"{" * 30_000)
@example(b"? " * 10_000)
@example(b"- " * 16_000)
@example(b"run: sh bot.sh\n" + b"#" * 40_000)
def test_any_agent_yaml_gives_an_agent_or_a_sentence(place: Path, data: bytes) -> None:
    write(place / "bot" / "bot.sh", "echo 1\n")
    (place / "bot" / "agent.yaml").write_bytes(data)
    checked(place, "bot")


@pytest.mark.parametrize(
    ("card_text", "reason"),
    [
        ("run: &a sh\nname: *a\n", "anchors and aliases are not supported"),
        ("run: !!str sh\n", "tags are not supported"),
        ("run: sh bot.sh\nlimits: [[[[[[[[[[1]]]]]]]]]]\n", "nested too deeply"),
        ('run: sh bot.sh\nabout: "\\ud800"\n', "half of a surrogate pair is not text"),
        ("run: sh bot.sh\nrun: sh other.sh\n", "duplicate key 'run'"),
        ("run: sh bot.sh\n? [a]\n: 1\n", "the name of a field must be text"),
        ("run: sh bot.sh\nyes: 1\n", "unknown key 'yes'"),
        ("run: sh bot.sh\n2001-01-01: 1\n", "unknown key '2001-01-01'"),
        ("run: sh bot.sh\nthreads: 5000\n", "threads 5000: must be a whole number from 1 to 1024"),
        (f"run: sh bot.sh\nabout: {'x' * manifest.MOST_BYTES}\n", "is larger than "),
        ("run: sh bot.sh\nenvironment: {A: 0x" + "f" * 5000 + "}\n", "agent.yaml: "),
    ],
)
def test_what_a_manifest_must_not_contain_is_named(ready: Resolve, place: Path, card_text: str, reason: str) -> None:
    write(place / "bot" / "agent.yaml", card_text)
    with pytest.raises(UserError) as refused:
        ready("bot")
    assert reason in str(refused.value)
    assert str(place / "bot" / "agent.yaml") in str(refused.value)


def test_text_that_looks_like_something_else_is_text(ready: Resolve, place: Path) -> None:
    write(place / "bot" / "bot.sh", "echo 1\n")
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\nname: 2024-13-45\nenvironment: {NO: 1, on: x}\n")
    agent = ready("bot")
    assert agent.name == "2024-13-45"
    assert agent.environment == {"NO": "1", "on": "x"}


def test_a_manifest_that_is_not_a_file_is_never_waited_for(ready: Resolve, place: Path) -> None:
    (place / "bot").mkdir()
    file = place / "bot" / "agent.yaml"
    os.mkfifo(place / "fifo")
    secret = write(place / "secret", "run: 'token'\n")
    for target in ("/dev/zero", "/dev/stdin", place / "fifo", secret, "/etc/shadow", "loop"):
        file.symlink_to(target)
        with pytest.raises(UserError, match=r"is a link out of the agent's folder|must be a regular file|No such file"):
            ready("bot")
        file.unlink()
    os.mkfifo(file)
    with pytest.raises(UserError, match="must be a regular file"):
        ready("bot")
    file.unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("bot/agent.yaml")  # the whole path may be too long
        with pytest.raises(UserError, match="bot: No such device or address"):
            ready("bot")


def test_a_manifest_may_link_to_a_file_next_to_it(ready: Resolve, place: Path) -> None:
    write(place / "bot" / "bot.sh", "echo 1\n")
    write(place / "bot" / "card.yaml", "run: sh bot.sh\n")
    (place / "bot" / "agent.yaml").symlink_to("card.yaml")
    assert ready("bot").command[1:] == ("bot.sh",)


# -- first lines


@ONCE_PER_FOLDER
@given(st.one_of(st.binary(max_size=300), st.binary(max_size=80).map(lambda data: b"#!" + data)))
@example(b"#!/bin/\0sh\n")
@example(b"#!\0\n")
@example(b"#!/usr/bin/env \0\n")
@example(b"#!/usr/bin/env " + b"x" * 240)
@example(b"#!" + b"/" * 254)
@example(b"#!\xff\xfe\n")
def test_any_first_line_gives_an_agent_or_a_sentence(place: Path, data: bytes) -> None:
    file = place / "bot"
    file.write_bytes(data)
    file.chmod(0o755)
    checked(place, "./bot")


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"#!/bin/sh\n", ["/bin/sh"]),
        (b"#! \t /bin/sh  -x  y \n", ["/bin/sh", "-x  y"]),
        (b"#!\v/root\n", ["\v/root"]),
        (b"#!/bin/sh\r\n", ["/bin/sh\r"]),
        (b"#!/bin/sh\0/root -x\n", ["/bin/sh"]),
        (b"#!/bin/sh -x\0y\n", ["/bin/sh", "-x"]),
        (b"#!\xff\n", ["\udcff"]),
        (b"#!\n", [""]),
        (b"#! /bin/" + b"x" * 300, ["/bin/" + "x" * 248]),
        (b"/bin/sh\n", []),
    ],
)
def test_a_first_line_is_read_as_the_kernel_reads_it(start: bytes, words: list[str]) -> None:
    assert interpreter_words(start) == words


def without_spaces(folder: Path) -> None:
    """Skip the test where the temporary folder has a space in its path: the path of an interpreter cannot have one."""
    if " " in str(folder):
        pytest.skip(f"a space in the path of an interpreter: {folder}")


@pytest.mark.parametrize(
    "line", ["#!{0}/bin/python3", "#!/usr/bin/env {0}/bin/python3", "#!/usr/bin/env -S {0}/bin/python3 -u"]
)
def test_an_interpreter_that_nobody_installed_is_refused(ready: Resolve, place: Path, line: str) -> None:
    without_spaces(place)
    write(place / "secret" / "bin" / "python3", "#!/bin/sh\n", executable=True)
    write(place / "bots" / "bot", line.format(place / "secret") + "\n", executable=True)
    with pytest.raises(UserError) as refused:
        ready("bots/bot")
    assert str(refused.value).startswith(
        f"bots/bot: the interpreter '{place}/secret/bin/python3' in its first line is not one that agents of other authors may use; "
    )


@pytest.mark.parametrize("line", ["#!\v{0}", "#!\x0c{0}", "#!\xa0{0}", "#!secret", "#!./bot"])
def test_an_interpreter_is_an_absolute_path(ready: Resolve, place: Path, line: str) -> None:
    write(place / "secret", "#!/bin/sh\n", executable=True)
    write(place / "bots" / "bot", line.format(place / "secret") + "\n", executable=True)
    with pytest.raises(UserError, match="in its first line does not exist or is not executable"):
        ready("bots/bot")


def test_an_interpreter_in_the_agents_own_folder_is_checked_like_the_agent(ready: Resolve, place: Path) -> None:
    without_spaces(place)
    own = write(place / "bots" / "own", "#!/bin/sh\n", executable=True)
    write(place / "bots" / "bot", f"#!{own}\n", executable=True)
    assert ready("bots/bot").language == "executable"
    own.write_text("#!/no/such\n", encoding="utf-8")
    with pytest.raises(UserError, match="the interpreter '/no/such' in its first line does not exist"):
        ready("bots/bot")


@pytest.mark.parametrize("run", ["'{0}/bot' x", "../outside/bot x", "./link x"])
def test_a_program_outside_the_agents_folder_is_refused(ready: Resolve, place: Path, run: str) -> None:
    program = write(place / "outside" / "bot", "#!/bin/sh\n", executable=True)
    write(place / "bot" / "agent.yaml", f"run: {json.dumps(run.format(program.parent))}\n")
    (place / "bot" / "link").symlink_to(program)
    with pytest.raises(UserError, match="is neither in the agent's folder nor an interpreter in a system folder"):
        ready("bot")


def test_a_source_that_is_a_link_to_something_else_is_refused(ready: Resolve, place: Path) -> None:
    write(place / "id_rsa", "secret\n")
    (place / "bot.sh").symlink_to(place / "id_rsa")
    with pytest.raises(UserError, match=r"bot\.sh is a link to '.*id_rsa', which is not a \.sh file"):
        ready("bot.sh")


EVIL = (
    "/*",
    "final ",
    "class a ",
    '"\\',
    "static ",
    "static void main ",
    "package ",
    "package a.",
    "'",
    "{",
    "public\t",
    "//",
)


@pytest.mark.parametrize("word", EVIL)
def test_the_main_class_is_found_in_linear_time(word: str) -> None:
    """With quadratic work, a million letters would take hours."""
    assert main_class(f"{word * (1_000_000 // len(word))}\n") in (None, "a")


# -- folders


@pytest.fixture
def deep(place: Path) -> Iterator[Path]:
    """A folder with 1600 levels of folders in it, which only rm can remove."""
    levels = "/".join("d" * 400)
    (place / "bot" / levels).mkdir(parents=True)
    for _ in range(3):  # one into the other: no path may be longer than the kernel allows
        (place / "bot" / "d").rename(place / "rest")
        (place / "bot" / levels).mkdir(parents=True)
        (place / "rest").rename(place / "bot" / levels / "d")
    yield place / "bot"
    subprocess.run(["rm", "-rf", place / "bot"], check=True)


def test_a_folder_nested_too_deeply(ready: Resolve, deep: Path) -> None:
    write(deep / "agent.yaml", "run: sh bot.sh\n")
    with pytest.raises(
        UserError, match="bot: folders are nested too deeply: the folder of an agent may have 64 levels"
    ):
        ready("bot")


@pytest.mark.parametrize(
    ("name", "most", "reason"), [("MOST_FILES", 5, "too many files"), ("MOST_BYTES", 40, "too large")]
)
def test_a_folder_that_is_too_large(
    ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int, reason: str
) -> None:
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\n")
    for number in range(4):
        write(place / "bot" / f"{number}.sh", "echo 1\n")
    write(place / "bot" / "bot.sh", "echo 1\n")
    (place / "bot" / "to itself").symlink_to(".")
    assert ready("bot").name == "bot"
    monkeypatch.setattr(folder_limits, name, most)
    with pytest.raises(UserError, match=f"^bot: {reason}: "):
        ready("bot")


def test_a_file_that_cannot_be_read_is_named(ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\n")
    write(place / "bot" / "bot.sh", "echo 1\n")
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("bot.sh"))  # root may read everything
    with pytest.raises(UserError, match=r"bot: permission denied \(bot\.sh\)"):
        ready("bot")


@pytest.mark.parametrize("folder", ["/", "/tmp", "home"])
def test_a_folder_that_holds_more_than_an_agent(
    ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    write(place / "home" / "agent.yaml", "run: sh .ssh/id\n")
    monkeypatch.setenv("HOME", str(place / "home"))
    with pytest.raises(UserError, match=f"{folder} is a folder that holds more than an agent"):
        ready(folder)


@pytest.mark.parametrize("name", [b"\xff.sh", b"a\x1b[2Jb.sh", b"a\nb.sh", "a\u202eb.sh".encode()])
def test_odd_file_names_are_not_shown_as_they_are(place: Path, name: bytes) -> None:
    path = place / os.fsdecode(name)
    path.write_text("echo 1\n", encoding="utf-8")
    agent = checked(place, path.name)
    assert agent is not None
    path.unlink()
    assert checked(place, path.name) is None


def test_a_huge_source_is_not_read_into_memory(tmp_path: Path) -> None:
    source = tmp_path / "Huge.java"
    with source.open("wb") as file:
        file.write(b"public class Huge { public static void main(String[] a) {} }\n")
        file.truncate(1 << 40)
    assert build._class_file(source) == "Huge.java"


@pytest.mark.parametrize("name", ["bot secrets", "cat secrets", "x=sh -c id", "x=human", "a b"])
def test_the_name_of_a_broken_link_is_not_taken_for_a_command(tmp_path: Path, name: str) -> None:
    """A shell passes it on from ``submissions/*``. What a command names is visible to it, since the user typed it."""
    write(tmp_path / "bot", "#!/bin/sh\n", executable=True)
    write(tmp_path / "secrets" / "key", "secret")
    (tmp_path / name).symlink_to("nowhere")
    with pytest.raises(UserError, match="is a link that leads nowhere"):
        resolve_agent(name, None, Workspace(tmp_path), tmp_path)

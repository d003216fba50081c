"""Builds are cached: the compiler runs again only if something that the build depends on has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter.agents.prepare import build
from arbiter.errors import UserError
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import arbiter_toml, write

COMPILER = """#!/bin/sh
echo run >> "$(dirname "$0")/runs"
grep -q broken "$1" && { echo "line 1: this is broken"; echo "and so is line 2" >&2; exit 3; }
cp "$1" "$2" && chmod +x "$2"
"""
LANGUAGE = """
[languages.Toy]
extensions = [".toy"]
build = ["{compiler}", "{{source}}", "{{program}}"]
run = ["{{program}}", "--as", "{{source}}"]
reads = [".inc"]
"""
Runs = Callable[[], int]


@pytest.fixture
def runs(place: Path, own_cache: Path) -> Runs:
    """Return a function that counts the runs of a toy compiler in a workspace."""
    compiler = write(place / "tools" / "toycc", COMPILER, executable=True)
    arbiter_toml(place, LANGUAGE.format(compiler=compiler))
    log = place / "tools" / "runs"
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0


def toy(place: Path, text: str = "#!/bin/sh\necho 1\n", name: str = "bot.toy") -> Path:
    return write(place / "bots" / name, text)


def test_a_source_is_built_into_the_cache_and_run_from_there(
    ready: Resolve, place: Path, own_cache: Path, runs: Runs
) -> None:
    source = toy(place)
    agent = ready(source)
    program = Path(agent.command[0])
    assert program.is_relative_to(own_cache / "arbiter")
    assert program.read_text() == source.read_text()
    assert agent.command[1:] == ("--as", str(source))
    assert (agent.language, agent.folder) == ("Toy", source.parent)
    assert list(source.parent.iterdir()) == [source]
    assert runs() == 1


def test_a_cached_build_is_not_repeated(ready: Resolve, place: Path, runs: Runs) -> None:
    first = ready(toy(place))
    os.utime(place / "bots" / "bot.toy", (1, 1))
    assert ready(place / "bots" / "bot.toy") == first
    assert runs() == 1


def test_the_same_source_in_another_folder_is_not_built_again(ready: Resolve, place: Path, runs: Runs) -> None:
    one = ready(toy(place))
    other = ready(write(place / "copies" / "bot.toy", "#!/bin/sh\necho 1\n"))
    assert one.command[0] == other.command[0]
    assert runs() == 1


def test_a_changed_source_is_rebuilt_and_changed_back_is_not(ready: Resolve, place: Path, runs: Runs) -> None:
    before = ready(toy(place)).command[0]
    assert ready(toy(place, "#!/bin/sh\necho 2\n")).command[0] != before
    assert runs() == 2
    assert ready(toy(place)).command[0] == before
    assert runs() == 2


def test_a_changed_a_new_and_a_removed_header_trigger_a_rebuild(ready: Resolve, place: Path, runs: Runs) -> None:
    source = toy(place)
    header = write(place / "bots" / "tables.inc", "1")
    seen = {ready(source).command[0]}
    header.write_text("2")
    seen.add(ready(source).command[0])
    write(place / "bots" / "more.inc", "1")
    seen.add(ready(source).command[0])
    assert (len(seen), runs()) == (3, 3)
    (place / "bots" / "more.inc").unlink()
    ready(source)
    assert runs() == 3


def test_an_unrelated_file_does_not_trigger_a_rebuild(ready: Resolve, place: Path, runs: Runs) -> None:
    ready(toy(place))
    write(place / "bots" / "notes.txt", "better than yesterday")
    ready(place / "bots" / "bot.toy")
    assert runs() == 1


def test_another_build_command_and_another_compiler_trigger_a_rebuild(ready: Resolve, place: Path, runs: Runs) -> None:
    source = toy(place)
    ready(source)
    settings = place / "arbiter.toml"
    settings.write_text(settings.read_text().replace('"{program}"]\nrun', '"{program}", "-O3"]\nrun'))
    ready(source)
    assert runs() == 2
    write(place / "tools" / "toycc", COMPILER + "# version 2\n", executable=True)
    ready(source)
    assert runs() == 3


def test_a_build_that_fails_shows_the_compilers_output(ready: Resolve, place: Path, runs: Runs) -> None:
    with pytest.raises(UserError) as refused:
        ready(toy(place, "broken\n"))
    assert str(refused.value).splitlines() == [
        "bot.toy does not build (exit status 3):",
        "line 1: this is broken",
        "and so is line 2",
    ]


def test_a_build_that_failed_is_tried_again(ready: Resolve, place: Path, own_cache: Path, runs: Runs) -> None:
    for _ in range(2):
        with pytest.raises(UserError):
            ready(toy(place, "broken\n"))
    assert runs() == 2
    assert list((own_cache / "arbiter" / "builds").iterdir()) == []


def test_long_compiler_output_is_cut(ready: Resolve, place: Path, runs: Runs) -> None:
    write(place / "tools" / "toycc", "#!/bin/sh\nseq 1 100\nexit 1\n", executable=True)
    with pytest.raises(UserError) as refused:
        ready(toy(place))
    words = str(refused.value).splitlines()
    assert (words[1], words[30], words[31], len(words)) == ("1", "30", "… and 70 more lines", 32)


def test_a_missing_compiler_is_named(ready: Resolve, place: Path, own_cache: Path) -> None:
    arbiter_toml(place, LANGUAGE.format(compiler="toycc|tcc2"))
    with pytest.raises(UserError) as refused:
        ready(toy(place))
    assert str(refused.value).startswith("bot.toy is Toy and needs toycc or tcc2, which is not installed ")


def test_a_compiler_that_the_system_cannot_start(ready: Resolve, place: Path, runs: Runs) -> None:
    write(place / "tools" / "toycc", "#!/no/such/shell\n", executable=True)
    with pytest.raises(UserError, match=r"^bot\.toy does not build: .*toycc: No such file or directory$"):
        ready(toy(place))


def test_two_builders_at_once_end_with_one_build(
    ready: Resolve, place: Path, own_cache: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one compiles, another finishes the same build."""
    source, compile_ = toy(place), build._compile

    def interrupted(command: list[str], folder: Path, failed: str) -> None:
        compile_(command, folder, failed)
        monkeypatch.setattr(build, "_compile", compile_)
        ready(source)

    monkeypatch.setattr(build, "_compile", interrupted)
    assert Path(ready(source).command[0]).is_file()
    assert runs() == 2
    assert len(list((own_cache / "arbiter" / "builds").iterdir())) == 1


def test_without_a_setting_the_cache_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ada")
    assert build.cache_folder() == Path("/home/ada/.cache/arbiter/builds")


def test_a_changed_c_header_changes_the_program(ready: Resolve, place: Path, own_cache: Path) -> None:
    source = write(place / "bots" / "bot.c", '#include "n.h"\nint main(void) { return N; }\n')
    header = write(place / "bots" / "n.h", "#define N 3\n")
    first = ready(source).command[0]
    header.write_text("#define N 4\n")
    second = ready(source).command[0]
    assert [os.waitstatus_to_exitcode(os.system(f"'{program}'")) for program in (first, second)] == [3, 4]


def test_a_cache_that_cannot_be_written_is_named(
    ready: Resolve, place: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    with pytest.raises(UserError, match="cannot cache builds in '/dev/null/cache/arbiter/builds': Not a directory"):
        ready(toy(place))
    write(place / "folder" / "agent.yaml", "run: sh bot.sh\nbuild: touch built\n")
    with pytest.raises(UserError, match="cannot cache builds in"):
        ready(place / "folder")
    assert runs() == 0


def test_a_build_that_leaves_no_program_is_found_before_any_game(ready: Resolve, place: Path, own_cache: Path) -> None:
    arbiter_toml(place, '[languages.Toy]\nextensions = ["toy"]\nbuild = ["true"]\nrun = ["{program}"]\n')
    with pytest.raises(
        UserError, match=r"bot\.toy is Toy: its program '.*/program' does not exist or is not executable"
    ):
        ready(toy(place))

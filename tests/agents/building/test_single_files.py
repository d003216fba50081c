"""A single source file is built from a copy, once: the compiler runs again only if something that goes in has changed."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from arbiter.agents.prepare import cache as caching
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.errors import UserError
from tests.agents.building.conftest import Builds
from tests.agents.prepare.conftest import Resolve
from tests.agents.prepare.test_languages import need
from tests.nullgame.place import arbiter_toml, write

pytestmark = pytest.mark.slow

COMPILER = """#!/bin/sh
grep -q broken "$1" && { echo "line 1: this is broken"; echo "and so is line 2" >&2; exit 3; }
cat "$1" *.inc > "$2" 2> /dev/null
chmod +x "$2"
"""
LANGUAGE = """
[languages.Toy]
extensions = [".toy"]
build = ["{compiler}", "{{source}}", "{{program}}"]
run = ["{{program}}", "--as", "{{source}}"]
reads = [".inc"]
"""
TOY = "#!/bin/sh\necho 1\n"


@pytest.fixture
def compiler(place: Path, own_cache: Path) -> Path:
    """Return a toy compiler that the workspace knows."""
    program = write(place / "tools" / "toycc", COMPILER, executable=True)
    arbiter_toml(place, LANGUAGE.format(compiler=program))
    return program


def toy(place: Path, text: str = TOY, name: str = "bot.toy") -> Path:
    return write(place / "bots" / name, text)


@pytest.mark.usefixtures("compiler")
class TestCaching:
    """Results are kept and found again."""

    def test_a_source_is_built_into_the_cache_and_run_from_there(
        self, ready: Resolve, place: Path, own_cache: Path, builds: Builds
    ) -> None:
        source = toy(place)
        agent = ready(source)
        program = Path(agent.command[0])
        assert program.is_relative_to(own_cache / "arbiter")
        assert program.read_text() == source.read_text()
        assert agent.command[1:] == ("--as", str(source))
        assert (agent.language, agent.folder) == ("Toy", source.parent)
        assert list(source.parent.iterdir()) == [source]
        assert builds() == 1

    def test_a_cached_build_is_not_repeated(self, ready: Resolve, place: Path, builds: Builds) -> None:
        first = ready(toy(place))
        os.utime(place / "bots" / "bot.toy", (1, 1))
        assert ready(place / "bots" / "bot.toy") == first
        assert builds() == 1

    def test_the_same_source_in_another_folder_is_not_built_again(
        self, ready: Resolve, place: Path, builds: Builds
    ) -> None:
        one = ready(toy(place))
        other = ready(write(place / "copies" / "bot.toy", TOY))
        assert one.command[0] == other.command[0]
        assert builds() == 1

    def test_a_changed_source_is_rebuilt_and_changed_back_is_not(
        self, ready: Resolve, place: Path, builds: Builds
    ) -> None:
        before = ready(toy(place)).command[0]
        assert ready(toy(place, "#!/bin/sh\necho 2\n")).command[0] != before
        assert builds() == 2
        assert ready(toy(place)).command[0] == before
        assert builds() == 2

    def test_a_changed_a_new_and_a_removed_header_trigger_a_rebuild(
        self, ready: Resolve, place: Path, builds: Builds
    ) -> None:
        source = toy(place)
        header = write(place / "bots" / "tables.inc", "1")
        seen = {ready(source).command[0]}
        header.write_text("2")
        seen.add(ready(source).command[0])
        write(place / "bots" / "more.inc", "1")
        seen.add(ready(source).command[0])
        assert (len(seen), builds()) == (3, 3)
        (place / "bots" / "more.inc").unlink()
        ready(source)
        assert builds() == 3

    def test_an_unrelated_file_does_not_trigger_a_rebuild(self, ready: Resolve, place: Path, builds: Builds) -> None:
        ready(toy(place))
        write(place / "bots" / "notes.txt", "better than yesterday")
        ready(place / "bots" / "bot.toy")
        assert builds() == 1

    def test_another_build_command_and_another_compiler_trigger_a_rebuild(
        self, ready: Resolve, place: Path, compiler: Path, builds: Builds
    ) -> None:
        source = toy(place)
        ready(source)
        settings = place / "arbiter.toml"
        settings.write_text(settings.read_text().replace('"{program}"]\nrun', '"{program}", "-O3"]\nrun'))
        ready(source)
        assert builds() == 2
        write(compiler, COMPILER + "# version 2\n", executable=True)
        ready(source)
        assert builds() == 3

    def test_agents_with_equal_sources_and_different_headers_are_different(self, ready: Resolve, place: Path) -> None:
        agents = []
        for number in (1, 2):
            source = write(place / str(number) / "bot.toy", TOY)
            write(source.with_name("tables.inc"), f"{number}")
            agents.append(ready(source))
        one, other = agents
        assert one.command[0] != other.command[0]
        assert fingerprint(one) != fingerprint(other)
        assert [Path(agent.command[0]).read_text() for agent in agents] == [f"{TOY}1", f"{TOY}2"]

    def test_two_builders_at_once_end_with_one_build(
        self, ready: Resolve, place: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """While one stores its result, another has stored the same."""
        source, new_folder = toy(place), caching.Cache.new_folder

        def interrupted(cache: caching.Cache) -> object:
            monkeypatch.setattr(caching.Cache, "new_folder", new_folder)
            ready(source)
            return new_folder(cache)

        monkeypatch.setattr(caching.Cache, "new_folder", interrupted)
        assert Path(ready(source).command[0]).is_file()
        assert builds() == 2
        assert len(list(cache_folder().glob("[!.]*"))) == 1


@pytest.mark.usefixtures("compiler")
class TestFailing:
    """What the user reads about a build that fails."""

    def test_the_compilers_output_is_shown(self, ready: Resolve, place: Path) -> None:
        with pytest.raises(UserError) as refused:
            ready(toy(place, "broken\n"))
        assert str(refused.value).splitlines() == [
            "bot.toy does not build (exit status 3):",
            "line 1: this is broken",
            "and so is line 2",
        ]

    def test_a_build_that_failed_is_tried_again(self, ready: Resolve, place: Path, builds: Builds) -> None:
        for _ in range(2):
            with pytest.raises(UserError):
                ready(toy(place, "broken\n"))
        assert builds() == 2
        assert list(cache_folder().glob("[!.]*")) == []

    def test_long_output_is_cut(self, ready: Resolve, place: Path, compiler: Path) -> None:
        write(compiler, "#!/bin/sh\nseq 1 100\nexit 1\n", executable=True)
        with pytest.raises(UserError) as refused:
            ready(toy(place))
        words = str(refused.value).splitlines()
        assert (words[1], words[30], words[31], len(words)) == ("1", "30", "… and 70 more lines", 32)

    def test_escape_sequences_are_shown_as_text(self, ready: Resolve, place: Path, compiler: Path) -> None:
        write(compiler, "#!/bin/sh\nprintf 'a\\033[2Jb\\r\\x9b31mc\\u202e\\n'\nexit 1\n", executable=True)
        with pytest.raises(UserError) as refused:
            ready(toy(place))
        _, *shown = str(refused.value).splitlines()
        assert shown[0].startswith("a\\x1b[2Jb")
        assert all(line.isprintable() for line in shown)

    def test_long_lines_and_megabytes_are_cut(self, ready: Resolve, place: Path, compiler: Path) -> None:
        write(compiler, "#!/bin/sh\nhead -c 20000000 /dev/zero | tr '\\0' x\nexit 1\n", executable=True)
        with pytest.raises(UserError) as refused:
            ready(toy(place))
        assert 300 < len(str(refused.value)) < 500

    def test_a_missing_compiler_is_named(self, ready: Resolve, place: Path) -> None:
        arbiter_toml(place, LANGUAGE.format(compiler="toycc|tcc2"))
        with pytest.raises(UserError) as refused:
            ready(toy(place))
        assert str(refused.value).startswith("bot.toy is Toy and needs toycc or tcc2, which is not installed ")

    def test_a_compiler_that_the_system_cannot_start(self, ready: Resolve, place: Path, compiler: Path) -> None:
        write(compiler, "#!/no/such/shell\n", executable=True)
        with pytest.raises(UserError, match=r"^bot\.toy does not build: .*toycc: No such file or directory$"):
            ready(toy(place))

    def test_a_cache_that_cannot_be_written_is_named(
        self, ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
        with pytest.raises(UserError, match="cannot cache builds in '/dev/null/cache/arbiter/builds': Not a directory"):
            ready(toy(place))
        write(place / "folder" / "agent.yaml", "run: sh bot.sh\nbuild: touch built\n")
        with pytest.raises(UserError, match="cannot cache builds in"):
            ready(place / "folder")

    def test_a_build_that_leaves_no_program_is_found_before_any_game(self, ready: Resolve, place: Path) -> None:
        arbiter_toml(place, '[languages.Toy]\nextensions = ["toy"]\nbuild = ["true"]\nrun = ["{program}"]\n')
        with pytest.raises(
            UserError, match=r"bot\.toy is Toy: its program '.*/program' does not exist or is not executable"
        ):
            ready(toy(place))


@pytest.mark.parametrize("setting", ["", "relative"])
def test_without_a_setting_the_cache_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", setting)
    monkeypatch.setenv("HOME", "/home/ada")
    assert cache_folder() == Path("/home/ada/.cache/arbiter/builds")


@pytest.mark.parametrize("home", ["~", "relative", ""])
def test_the_cache_is_never_in_the_current_folder(monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    """What ``expanduser`` returns for a user whom nobody knows, and for odd values of HOME."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda _: home)
    assert cache_folder().is_absolute()


@pytest.mark.usefixtures("own_cache")
class TestNeighbours:
    """What is next to a single file: headers go in, programs do not."""

    def test_a_changed_c_header_changes_the_program(self, ready: Resolve, place: Path) -> None:
        source = write(place / "bots" / "bot.c", '#include "n.h"\nint main(void) { return N; }\n')
        header = write(place / "bots" / "n.h", "#define N 3\n")
        first = ready(source).command[0]
        header.write_text("#define N 4\n")
        second = ready(source).command[0]
        assert [subprocess.run([program], check=False).returncode for program in (first, second)] == [3, 4]

    @pytest.mark.parametrize(
        ("name", "text", "neighbour"),
        [
            ("bot.c", '#include "opponent.c"\nint main(void) { return 0; }\n', "opponent.c"),
            ("bot.c", '#include "tables.inc"\nint main(void) { return 0; }\n', "tables.inc"),
            ("bot.rs", "mod tables;\nfn main() {}\n", "tables.rs"),
            ("Bot.java", "public class Bot { public static void main(String[] a) { new Helper(); } }", "Helper.java"),
        ],
    )
    def test_a_file_that_needs_another_is_told_to_be_a_folder(
        self, ready: Resolve, place: Path, name: str, text: str, neighbour: str
    ) -> None:
        source = write(place / "bots" / name, text)
        need(source)
        write(source.with_name(neighbour), "class Helper {}\n")
        with pytest.raises(UserError) as refused:
            ready(source)
        assert str(refused.value).splitlines()[-1] == (
            f"{name} is built alone, without {neighbour!r} next to it: put both in a folder with an agent.yaml that has the "
            "lines 'build: …' and 'run: …'"
        )

    def test_headers_in_the_home_folder_do_not_go_in(
        self, ready: Resolve, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(place / "home"))
        source = write(place / "home" / "bot.c", '#include "n.h"\nint main(void) { return N; }\n')
        write(place / "home" / "n.h", "#define N 3\n")
        with pytest.raises(UserError, match=r"without 'n\.h' next to it"):
            ready(source)

    def test_a_name_with_braces_or_a_leading_dash_is_a_name(self, ready: Resolve, place: Path) -> None:
        for name in ("{program}.c", "-o.c", "a b;c.c"):
            agent = ready(write(place / "bots" / name, "int main(void) { return 7; }\n"))
            assert subprocess.run(agent.command, check=False).returncode == 7, name


HELLO = "#include <iostream>\nint main() { std::cout << 2 << std::endl; }\n"
WITHOUT_ARCHIVES = """#!/bin/sh
case "$*" in *-static-*) echo "cannot find -lstdc++" >&2; exit 1;; esac
exec {compiler} "$@"
"""


@pytest.mark.usefixtures("own_cache")
class TestExtraArguments:
    """C++ programs contain their runtime library, where the compiler has it in that form."""

    def test_a_cpp_program_is_not_linked_with_the_shared_library_at_every_start(
        self, ready: Resolve, place: Path
    ) -> None:
        source = write(place / "bots" / "bot.cpp", HELLO)
        need(source)
        (program,) = ready(source).command
        shared = subprocess.run(["readelf", "--dynamic", program], capture_output=True, text=True, check=True).stdout
        assert "libc.so" in shared
        assert "libstdc++" not in shared
        assert subprocess.run([program], capture_output=True, check=True).stdout == b"2\n"

    def test_without_such_a_library_it_is_built_all_the_same(
        self, ready: Resolve, place: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source = write(place / "bots" / "bot.cpp", HELLO)
        need(source)
        compiler = shutil.which("g++") or shutil.which("clang++")
        write(place / "tools" / "g++", WITHOUT_ARCHIVES.format(compiler=compiler), executable=True)
        monkeypatch.setenv("PATH", f"{place / 'tools'}:{os.environ['PATH']}")
        (program,) = ready(source).command
        assert subprocess.run([program], capture_output=True, check=True).stdout == b"2\n"
        assert builds() == 1

    def test_a_source_with_an_error_is_reported_once(self, ready: Resolve, place: Path) -> None:
        source = write(place / "bots" / "bot.cpp", "int main() { return nothing; }\n")
        need(source)
        with pytest.raises(UserError) as refused:
            ready(source)
        assert str(refused.value).count("error:") == 1


def test_a_cache_without_room_is_one_line_that_names_it(
    compiler: Path, place: Path, ready: Resolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write(place / "bot.toy", TOY)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(UserError) as refused:
        ready("bot.toy")
    assert str(refused.value) == f"bot.toy cannot be built: {cache_folder()}: No space left on device"

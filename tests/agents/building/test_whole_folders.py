"""A folder with a build line in its agent.yaml is copied, built there, and run from the built copy."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.limits import Source
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.agents.building.conftest import Builds
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_cache")]

PROGRAM = "printf '#!/bin/sh\\necho 1\\n' > program; chmod +x program\n"


def folder(place: Path, manifest: str = "build: sh make.sh\nrun: ./program\n", make: str = PROGRAM) -> Path:
    write(place / "my bot" / "agent.yaml", manifest)
    write(place / "my bot" / "make.sh", make)
    return place / "my bot"


def contents(where: Path) -> dict[str, bytes]:
    return {str(path.relative_to(where)): path.read_bytes() for path in where.rglob("*") if path.is_file()}


def test_it_is_built_in_a_copy_and_runs_there(ready: Resolve, place: Path) -> None:
    where = folder(place, make=f"echo changed > agent.yaml; mkdir sub; touch sub/data\n{PROGRAM}")
    before = contents(where)
    agent = ready("my bot")
    assert contents(where) == before
    assert agent.folder.parent == cache_folder()
    assert agent.command == (str(agent.folder / "program"),)
    assert agent.origin == where
    assert (agent.folder / "sub" / "data").exists()


@pytest.mark.parametrize("line", ['"make && strip bot"', "[make, bot]"])
def test_a_build_line_is_a_shell_command_and_a_list_is_a_program_with_arguments(
    ready: Resolve, place: Path, line: str
) -> None:
    where = folder(place, f"build: {line}\nrun: ./bot\n")
    write(where / "Makefile", "bot: bot.c\n\tcc -o bot bot.c\n")
    write(where / "bot.c", '#include "n.h"\nint main(void) { return N; }\n')
    write(where / "n.h", "#define N 5\n")
    assert subprocess.run(ready("my bot").command, check=False).returncode == 5


def test_a_program_of_the_folder_may_build_it(ready: Resolve, place: Path) -> None:
    where = folder(place, "build: [./make.sh, two words]\nrun: cat log\n", '#!/bin/sh\necho "$1" > log\n')
    (where / "make.sh").chmod(0o755)
    assert (ready("my bot").folder / "log").read_text() == "two words\n"


def test_it_plays_from_the_built_copy_at_every_level(place: Path) -> None:
    folder(place, "build: 'echo 3 > number'\nrun: sh bot.sh\n")
    write(place / "my bot" / "bot.sh", "cat number\n")
    for level in ("auto", "none"):
        report = play("count_up", ["my bot"], options={"turns": 1}, sandbox=level)
        assert report.games[0].scores == [3.0], level


def test_it_is_built_once(ready: Resolve, place: Path, builds: Builds) -> None:
    folder(place)
    first = ready("my bot")
    os.utime(place / "my bot" / "make.sh", (1, 1))
    assert ready("my bot") == first
    assert builds() == 1


def test_whatever_changes_in_it_triggers_a_rebuild(ready: Resolve, place: Path, builds: Builds) -> None:
    where = folder(place)
    seen = [(ready("my bot").folder, fingerprint(resolve_agent("my bot", None, Workspace())))]

    def changed() -> None:
        seen.append((ready("my bot").folder, fingerprint(resolve_agent("my bot", None, Workspace()))))

    write(where / "deep" / "down" / "table.inc", "1")
    changed()
    write(where / "deep" / "down" / "table.inc", "2")
    changed()
    write(where / "large.bin", "x" * 2_000_000)
    changed()
    write(where / "agent.yaml", "build: sh make.sh --fast\nrun: ./program\n")
    changed()
    assert len({result for result, _ in seen}) == len({version for _, version in seen}) == builds() == 5


def test_large_files_are_distinguished_by_content(ready: Resolve, place: Path, builds: Builds) -> None:
    where = folder(place)
    for letter in "xy":
        write(where / "large.bin", letter * 2_000_000)
        os.utime(where / "large.bin", (1, 1))
        ready("my bot")
    assert builds() == 2


def test_the_executable_bit_and_links_go_in_and_history_does_not(ready: Resolve, place: Path, builds: Builds) -> None:
    where = folder(place)
    ready("my bot")
    write(where / ".git" / "HEAD", "ref")
    assert ready("my bot").folder.joinpath(".git").exists() is False
    assert builds() == 1
    (where / "make.sh").chmod(0o755)
    ready("my bot")
    (where / "link").symlink_to("make.sh")
    assert (ready("my bot").folder / "link").readlink() == Path("make.sh")
    assert builds() == 3


def test_a_build_that_fails_shows_its_output(ready: Resolve, place: Path) -> None:
    folder(place, "build: sh -c 'echo no rule to make it; exit 2'\nrun: ./program\n")
    with pytest.raises(UserError) as refused:
        ready("my bot")
    assert str(refused.value) == "my bot does not build (exit status 2):\nno rule to make it"


def test_a_build_without_the_program_it_promised(ready: Resolve, place: Path) -> None:
    where = folder(place, make="true\n")
    with pytest.raises(UserError) as refused:
        ready("my bot")
    assert str(refused.value) == (
        f"{where}/agent.yaml, line 2: run: './program' is neither a file in the folder after its build nor an installed program"
    )


def test_a_build_takes_no_longer_than_its_limit(place: Path) -> None:
    folder(place, make="echo waiting; sleep 1000\n")
    builder = Builder(choose_sandbox("auto"), [Source("test", {"build": "200ms"})])
    with pytest.raises(UserError) as refused:
        builder.build(resolve_agent("my bot", None, Workspace()))
    assert str(refused.value) == (
        "my bot does not build: timed out after 200ms; set the limit with 'build', such as -l build=20min\nwaiting"
    )


def test_an_agent_yaml_lowers_its_own_limit_and_cannot_raise_it(place: Path) -> None:
    folder(place, "build: sleep 1000\nrun: sh make.sh\nlimits: {build: 100ms}\n")
    with pytest.raises(UserError, match="timed out after 100ms"):
        Builder(choose_sandbox("auto")).build(resolve_agent("my bot", None, Workspace()))
    folder(place, "build: sleep 1000\nrun: sh make.sh\nlimits: {build: 24h}\n")
    with pytest.raises(UserError, match="timed out after 150ms"):
        Builder(choose_sandbox("auto"), [Source("test", {"build": "150ms"})]).build(
            resolve_agent("my bot", None, Workspace())
        )


def test_too_much_and_too_deep_is_one_line(ready: Resolve, place: Path) -> None:
    where = folder(place)
    deep = where
    for _ in range(62):
        deep /= "d"
    deep.mkdir(parents=True)
    with pytest.raises(UserError, match="nested more than 60 deep"):
        ready("my bot")


def test_what_no_agent_may_read_does_not_go_in(place: Path) -> None:
    where = folder(place, make=f"find . > found\n{PROGRAM}")
    games = write(where / "matches" / "games" / "secret.jsonl", "deck").parent
    other = write(where / "others" / "rival" / "agent.yaml", "run: sh bot.sh\n").parent
    write(other / "bot.sh", "echo 1\n")
    builder = Builder(choose_sandbox("auto"), private=[games, place, place / "nowhere"])
    agents = [resolve_agent(str(path), None, Workspace()) for path in (where, other)]
    mine, _ = builder.build_all(agents)
    found = (mine.folder / "found").read_text().split()
    assert "./make.sh" in found
    assert not any("games" in path or "rival" in path for path in found)

"""Rows of the table of languages whose tools this machine may lack: fake tools on PATH are called as the real ones expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.nullgame.place import write
from tests.tools import need_tool

COMPILER = """#!/bin/sh
[ "$1" = --version ] && echo 10.0.100 && exit
for word; do
    case $word in
        -out:*|--out:*) program=${word#*:} ;;
    esac
    case $before in --output|-d) program=$word ;; esac
    before=$word
done
if [ -d "$program" ]; then program=$program/bot.dll; fi
printf '#!/bin/sh\\necho 2\\n' > "$program"
chmod +x "$program"
"""
RUNNER = '#!/bin/sh\nexec /bin/sh "$@"\n'
DOTNET = COMPILER.replace(
    "for word", 'case $1 in *.dll) exec /bin/sh "$1" ;; fsi) exec /bin/sh "$2" ;; esac\nfor word', 1
)

ROWS = {
    "Scala": (
        "bot.scala",
        {"scalac": COMPILER, "scala": RUNNER},
        ("scalac", "-encoding", "UTF-8", "-d", "../out/program.jar", "./bot.scala"),
    ),
    "Groovy": ("bot.groovy", {"groovy": RUNNER}, ()),
    "Clojure": ("bot.clj", {"clojure": RUNNER}, ()),
    "Dart": ("bot.dart", {"dart": COMPILER}, ("dart", "compile", "exe", "--output", "../out/program", "./bot.dart")),
    "F# with Mono": (
        "bot.fs",
        {"fsharpc": COMPILER, "mono": RUNNER},
        ("fsharpc", "--nologo", "--out:../out/program.exe", "./bot.fs"),
    ),
    "F# with .NET": ("bot.fsx", {"dotnet": DOTNET}, ()),
    "Visual Basic": (
        "bot.vb",
        {"vbnc": COMPILER, "mono": RUNNER},
        ("vbnc", "-nologo", "-out:../out/program.exe", "./bot.vb"),
    ),
    "C# with .NET": (
        "bot.cs",
        {"dotnet": DOTNET},
        ("dotnet", "build", "./bot.cs", "--output", "../out", "-p:UseAppHost=false"),
    ),
    ".NET": ("bot.dll", {"dotnet": DOTNET}, ()),
}


@pytest.fixture(autouse=True)
def _no_versions_remembered() -> None:
    languages._version.cache_clear()


@pytest.mark.parametrize("row", ROWS)
def test_a_language_is_built_and_run_with_its_tools(row: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, tools, build = ROWS[row]
    folder = place / "tools" / "bin"
    for tool, text in tools.items():
        write(folder / tool, text, executable=True)
    # Without the tools of this machine, of which some may be for the same extension.
    (folder / "tar").symlink_to(Path(need_tool("tar")).resolve())
    monkeypatch.setenv("PATH", str(folder))
    file = write(place / "bots" / name, "echo 2\n")
    agent = resolve_agent(str(file), None, Workspace())
    assert row.startswith(agent.language)
    assert agent.build is None or tuple(agent.build.command) == (str(folder / build[0]), *build[1:])
    assert bool(agent.build) == bool(build)
    report = play("count_up", [str(file)], options={"turns": 1}, limits={"first_move": "30s"})
    assert report.games[0].faults == []
    assert report.games[0].scores == [2.0]


def test_what_is_missing_is_said_for_all_rows_of_an_extension(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place))
    for name, wanted in (("bot.d", "ldc2, dmd or gdc"), ("bot.cs", "mono and mcs or csc, or dotnet 10 or later")):
        with pytest.raises(UserError, match=f"needs {wanted}, which is not installed"):
            resolve_agent(str(write(place / name, "")), None, Workspace())

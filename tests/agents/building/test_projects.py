"""Folders without an agent.yaml are built by the file that says how."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.contest.entries import expand_folders
from arbiter.errors import UserError
from tests.nullgame.place import write

C = '#include <stdio.h>\nint main(void) { puts("2"); }\n'
JAVA = "public class Bot { public static void main(String[] words) { System.out.println(2); } }\n"
PROJECTS: dict[str, tuple[str, dict[str, str], str, str]] = {
    "CMakeLists.txt": (
        "cmake cc",
        {"CMakeLists.txt": "project(tiger C)\nadd_executable(${PROJECT_NAME} main.c)\n", "main.c": C},
        'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$PWD/build" && cmake --build build',
        "build/tiger",
    ),
    "Cargo.toml": (
        "cargo",
        {
            "Cargo.toml": '[package]\nname = "lion"\nversion = "0.1.0"\n',
            "src/main.rs": 'fn main() { println!("2"); }\n',
        },
        "cargo build --release --offline",
        "target/release/lion",
    ),
    "pom.xml": (
        "javac java",
        {"pom.xml": "<project/>", "src/main/java/my/Bot.java": f"package my;\n{JAVA}"},
        "find src/main/java -name '*.java' > sources.txt && javac -encoding UTF-8 -d out @sources.txt",
        "java -cp out my.Bot",
    ),
    "build.gradle": (
        "javac java",
        {"build.gradle": 'application { mainClass = "Bot" }\n', "src/main/java/Bot.java": JAVA},
        "find src/main/java -name '*.java' > sources.txt && javac -encoding UTF-8 -d out @sources.txt",
        "java -cp out Bot",
    ),
    "go.mod": (
        "go",
        {
            "go.mod": "module bot\n\ngo 1.19\n",
            "main.go": "package main\n\nfunc main() { print2() }\n",
            "two.go": 'package main\n\nimport "fmt"\n\nfunc print2() { fmt.Println(2) }\n',
        },
        "go build -o agent.program .",
        "./agent.program",
    ),
    "package.json": (
        "node",
        {
            "package.json": '{"main": "bot.js"}',
            "bot.js": "console.log(require('./two'))",
            "two.js": "module.exports = 2",
        },
        "",
        "node bot.js",
    ),
    "tsconfig.json": (
        "tsc node",
        {
            "tsconfig.json": '{"compilerOptions": {"module": "commonjs", "target": "es2020"}}',
            "src/index.ts": "import { two } from './two';\nconsole.log(two);\n",
            "src/two.ts": "export const two: number = 2;\n",
        },
        "tsc -p . --rootDir . --outDir out --noEmitOnError false || test -f out/src/index.js",
        "node out/src/index.js",
    ),
    "bot.csproj": (
        "dotnet",
        {"bot.csproj": "<Project/>", "bot.cs": "System.Console.WriteLine(2);"},
        "dotnet publish -o out -p:UseAppHost=false",
        "dotnet out/bot.dll",
    ),
    "Makefile": (
        "make cc",
        {"Makefile": "TARGET = puma\nall: $(TARGET)\n\n$(TARGET): bot.c\n\tcc -o $@ bot.c\n", "bot.c": C},
        "make",
        "./puma",
    ),
}


def project(place: Path, kind: str) -> Path:
    for name, text in PROJECTS[kind][1].items():
        write(place / "bot" / name, text)
    return place / "bot"


@pytest.mark.parametrize("kind", PROJECTS)
def test_a_project_is_built_and_plays_as_an_agent_yaml_would_say(place: Path, kind: str) -> None:
    tools, _, build, run = PROJECTS[kind]
    if absent := [tool for tool in tools.split() if not shutil.which(tool)]:
        pytest.skip(f"tools of a project not installed: {', '.join(absent)}")
    project(place, kind)
    agent = resolve_agent("bot", None, Workspace())
    if agent.build:
        assert (agent.build.command[-1], agent.build.run) == (build, tuple(run.split()))
    else:
        assert (build, [Path(agent.command[0]).name, *agent.command[1:]]) == ("", run.split())
    report = play("count_up", ["bot"], options={"turns": 1}, limits={"first_move": "30s", "build": "4m"})
    assert (report.games[0].faults, report.games[0].scores) == ([], [2.0])


def test_an_agent_yaml_has_the_last_word(place: Path) -> None:
    write(project(place, "Makefile") / "agent.yaml", "run: sh bot.sh\n")
    write(place / "bot" / "bot.sh", "echo 3\n")
    assert play("count_up", ["bot"], options={"turns": 1}).games[0].scores == [3.0]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("Makefile", "include other.mk\n", "'build: make' and 'run: ./PROGRAM'"),
        ("Makefile", "all: $(shell ls)\n", "'build: make' and 'run: ./PROGRAM'"),
        ("Cargo.toml", "[workspace]\n", "'build: cargo build --release --offline' and 'run: target/release/PROGRAM'"),
        ("Cargo.toml", '[package]\nname = "a; rm -rf ~"\n', "and 'run: target/release/PROGRAM'"),
        ("CMakeLists.txt", "project(x)\n", "cmake --build build' and 'run: build/PROGRAM'"),
        ("pom.xml", "<project/>", "-d out @sources.txt' and 'run: java -cp out PROGRAM'"),
    ],
)
def test_a_program_without_a_name_is_asked_for_with_the_lines_to_write(
    place: Path, name: str, text: str, lines: str
) -> None:
    write(place / "bot" / name, text)
    with pytest.raises(UserError, match=f"bot has no agent.yaml, and its {name} does not say") as error:
        resolve_agent("bot", None, Workspace())
    assert lines in str(error.value)


def test_a_missing_build_tool_is_named_with_the_lines_that_would_need_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(place, "bot.csproj")
    monkeypatch.setenv("PATH", str(place))
    with pytest.raises(UserError, match=r"dotnet, which builds a folder with a bot\.csproj, is not") as error:
        resolve_agent("bot", None, Workspace())
    assert "'build: dotnet publish -o out -p:UseAppHost=false' and 'run: dotnet out/bot.dll'" in str(error.value)


def test_a_build_without_the_program_quotes_the_lines_that_were_guessed(place: Path) -> None:
    write(place / "bot" / "Makefile", "puma:\n\ttrue\n")
    with pytest.raises(UserError, match=r"bot has no agent.yaml and was built by its Makefile.*'run: ./puma'"):
        play("count_up", ["bot"], options={"turns": 1})


def test_a_project_file_that_leads_out_of_the_folder_is_refused(place: Path) -> None:
    secret = write(place / "elsewhere" / "secret", "password:\n")
    (place / "bot").mkdir()
    (place / "bot" / "Makefile").symlink_to(secret)
    with pytest.raises(UserError, match="is a link out of the agent's folder"):
        resolve_agent("bot", None, Workspace())


def test_a_contest_takes_a_project_for_one_agent(place: Path) -> None:
    project(place, "Makefile")
    write(place / "bots" / "one.sh", "echo 1\n")
    shutil.move(place / "bot", place / "bots" / "two")
    found = expand_folders(["bots", "bots/two"], place, Workspace())
    assert [Path(path).name for path in found] == ["one.sh", "two", "two"]

"""Source files in many languages, in a folder and under names as users have them, are built and play."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.source_text import main_class
from arbiter.config.workspace import Workspace
from tests.nullgame.place import write
from tests.tools import missing

pytestmark = pytest.mark.slow

FOLDER = "Ünsere Bots"

C = '#include <stdio.h>\nint main(void) { fclose(fopen("trace", "w")); puts("2"); return 0; }\n'
CPP = '#include <cstdio>\nint main() { auto f = std::fopen("trace", "w"); std::fclose(f); std::puts("2"); }\n'
RUST = 'fn main() { std::fs::write("trace", "").unwrap(); println!("2"); }\n'
JAVA = """
{keyword}class {name} {{
    static class Node {{ int value = 2; }}
    public static void main(String[] args) throws Exception {{
        new java.io.File("trace").createNewFile();
        System.out.println(new Node().value);
    }}
}}
"""

SOURCES = {
    "bot.py": 'open("trace", "w").close()\nprint(2)\n',
    "bot.js": 'require("fs").writeFileSync("trace", "");\nconsole.log(2);\n',
    "bot.pl": 'open(my $file, ">", "trace"); close($file);\nprint "2\\n";\n',
    "bot.sh": ": > trace\necho 2\n",
    "bot.bash": ": > trace\n[[ x == x ]] && echo 2\n",
    "mein größter bot.c": C,
    "mein größter bot.cpp": CPP,
    "mein größter bot.rs": RUST,
    "bot of another name.java": "package clever.bots;\n" + JAVA.format(keyword="public ", name="Cleverest"),
    "anything.java": JAVA.format(keyword="", name="Player"),
    "bot.go": 'package main\nimport ("fmt"; "os")\nfunc main() { os.Create("trace"); fmt.Println(2) }\n',
    "bot.cs": 'class Bot { static void Main() { System.IO.File.Create("trace"); System.Console.WriteLine(2); } }\n',
}
RARE = (".scala", ".clj", ".d")
"""Languages that the checks of every change do not install: tested where they are."""
SLOW_STARTERS = {"first_move": "30s", "move": "30s"}


def need(file: Path) -> None:
    """Skip the test if the tools of the language are not installed."""
    language = languages.language_table(Workspace())[file.suffix]
    if not all(languages.find_tool(tool) for tool in language.tools):
        reason = f"{language.name} is not installed"
        pytest.skip(reason) if file.suffix in RARE else missing(reason)


def plays_2_in_its_own_folder(file: Path) -> None:
    report = play("count_up", [str(file)], options={"turns": 1}, limits=SLOW_STARTERS)
    assert report.games[0].faults == []
    assert report.games[0].scores == [2.0]
    assert (file.parent / "trace").exists()
    assert not (Path.cwd() / "trace").exists()


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_file_plays(place: Path, name: str) -> None:
    file = write(place / FOLDER / name, SOURCES[name])
    need(file)
    plays_2_in_its_own_folder(file)


def test_an_archive_of_java_classes_plays(place: Path) -> None:
    file = place / FOLDER / "bot.jar"
    need(file)
    need(file.with_suffix(".java"))
    source = write(place / FOLDER / "Main.java", JAVA.format(keyword="public ", name="Main"))
    subprocess.run(["javac", "-d", str(place), str(source)], check=True)
    subprocess.run(
        ["jar", "cfe", str(file), "Main", "-C", str(place), "Main.class", "-C", str(place), "Main$Node.class"],
        check=True,
    )
    plays_2_in_its_own_folder(file)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("public class Bot { public static void main(String[] a) {} }", "Bot"),
        ("class Player {\n    public static void main(String[] a) {}\n}", "Player"),
        ("class Help {}\nclass Player {\n  static void main(String[] a) {}\n}\nclass More {}", "Player"),
        ("/*\n * public class Nobody\n */\nimport java.util.*;\npublic final class Bot {}", "Bot"),
        ("class Player {\n    public class Node {}\n    public static void main(String[] a) {}\n}", "Player"),
        ("package a.b;\npublic class Bot { }", "a.b.Bot"),
        ("public enum Bot { ; public static void main(String[] a) {} }", "Bot"),
        ("interface Nothing {}", None),
    ],
)
def test_the_main_class_of_a_java_source(source: str, name: str | None) -> None:
    assert main_class(source) == name


def test_arbiter_toml_adds_a_language(place: Path) -> None:
    with (place / "arbiter.toml").open("a") as file:
        file.write('[languages.Twice]\nextensions = ["two"]\nrun = ["sh", "{source}", "2"]\n')
    bot = write(place / FOLDER / "bot.two", ": > trace\necho $1\n")
    plays_2_in_its_own_folder(bot)


def test_arbiter_toml_overrides_a_built_in_language(place: Path) -> None:
    with (place / "arbiter.toml").open("a") as file:
        file.write('[languages.Python]\nextensions = [".py"]\nrun = ["sh", "{source}"]\n')
    bot = write(place / FOLDER / "bot.py", ": > trace\necho 2\n")
    plays_2_in_its_own_folder(bot)


def test_the_first_installed_tool_is_used() -> None:
    found = languages.find_tool("no-such-tool|sh|bash")
    assert found is not None
    assert Path(found).name == "sh"
    assert languages.find_tool("no-such-tool|nor-this") is None


def test_a_tool_may_require_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "tool", "#!/bin/sh\necho tool v22.6.1\n", executable=True)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert languages.find_tool("tool>=22.6") == str(tmp_path / "tool")
    assert languages.find_tool("tool>=22.7") is None
    assert languages.find_tool("tool>=23.0|tool") == str(tmp_path / "tool")

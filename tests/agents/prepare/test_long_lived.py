"""Agents that never flush their output, and those whose runtime is sensitive to its sandbox, live for a whole game."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.errors import UserError
from arbiter.game import Lifetime
from tests.agents.prepare.test_languages import need
from tests.nullgame.place import write
from tests.tools import missing

pytestmark = pytest.mark.slow

LEVELS = ("none", "rlimits", "landlock", "namespace", "cgroup")
LIMITS = {"first_move": "30s", "move": "30s"}
C_LOOP = "char line[999];\n    while (fgets(line, 999, stdin)) if (*line <= '9') {say};\n"
SOURCES = {
    "bot.c": "#include <stdio.h>\nint main(void) {\n    " + C_LOOP.replace("{say}", 'puts("2")') + "}\n",
    "bot.cpp": "#include <cstdio>\n#include <iostream>\nint main() {\n    "
    + C_LOOP.replace("{say}", "std::cout << 2 << '\\n'") + "}\n",
    "bot.d": "import std.stdio;\nvoid main() { foreach (line; stdin.byLine) if (line[0] <= '9') writeln(2); }\n",
    "bot.cs": "class Bot { static void Main() {\n    string line;\n    while ((line = System.Console.ReadLine()) != null)\n"
    "        if (line[0] <= '9') System.Console.WriteLine(2);\n} }\n",
    "bot.clj": '(doseq [line (line-seq (java.io.BufferedReader. *in*))] (when (re-find #"^[0-9]" line) (println 2)))\n',
    "bot.go": 'package main\nimport ("bufio"; "fmt"; "os")\nfunc main() {\n\tlines := bufio.NewScanner(os.Stdin)\n'
    "\tfor lines.Scan() { if lines.Text()[0] <= '9' { fmt.Println(2) } }\n}\n",
}  # fmt: skip
CASES = [
    *((name, "game", level) for name in ("bot.c", "bot.cpp") for level in LEVELS),
    *(("bot.cs", lifetime, level) for lifetime in ("move", "game") for level in LEVELS),
    *((name, "game", "auto") for name in ("bot.d", "bot.clj", "bot.go")),
]


@pytest.mark.parametrize(("name", "lifetime", "level"), CASES)
def test_it_plays_to_the_end(place: Path, name: str, lifetime: Lifetime, level: str) -> None:
    file = write(place / "bot" / name, SOURCES[name])
    need(file)
    sandbox = level if level == "auto" else f"only:{level}"
    try:
        choose_sandbox(sandbox)
    except UserError as error:
        missing(f"sandbox level {level}: {error}")
    report = play("count_up", [str(file)], options={"turns": 3}, limits=LIMITS, lifetime=lifetime, sandbox=sandbox)
    assert report.games[0].faults == []
    assert report.games[0].scores == [6.0]

"""``arbiter rerun --debug`` with the debuggers themselves: they stop in the agent, which then reads the recorded input."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.author.test_rerun import played
from tests.cli.terminal import Terminal
from tests.nullgame.command import Ran, arbiter
from tests.nullgame.place import write
from tests.tools import missing, need_tool

pytestmark = pytest.mark.slow

C = """#include <stdio.h>
int main(void) {
    int total, left;
    scanf("%*s %*d of %*d");
    while (scanf("%d %d", &total, &left) == 2) {
        int answer = 1 + total % 3;
        printf("%d\\n", answer);
        fflush(stdout);
    }
}
"""
NODE = """const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => { if (/^\\d/.test(line)) console.log(1 + parseInt(line) % 3); });
"""
JAVA = """import java.util.Scanner;
public class Bot {
    static int answer(int total) {
        return 1 + total % 3;
    }
    public static void main(String[] words) {
        Scanner input = new Scanner(System.in);
        input.nextLine();
        while (input.hasNextInt()) {
            int total = input.nextInt();
            input.nextLine();
            System.out.println(answer(total));
        }
    }
}
"""


@pytest.fixture(autouse=True)
def _own_temporary_files(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(place))


def first_total(game: Path) -> int:
    """The number in the first prompt of the game."""
    return int(arbiter("show", game, "--inputs", "--turn", "1").out.splitlines()[1].split()[0])


def prepared(game: Path) -> Ran:
    """What --debug prints where there is no terminal."""
    ran = arbiter("rerun", game, "--debug", "--turn", "3")
    assert ran.code == 0, ran.err
    return ran


def test_gdb_stops_at_a_line_and_knows_its_variables(place: Path) -> None:
    need_tool("gdb")
    need_tool("gcc")
    game = played(place, str(write(place / "bots" / "bot.c", C)))
    ran = prepared(game)
    assert "set breakpoints, then type 'run'" in ran.err
    typed = "set debuginfod enabled off\nset confirm off\nbreak bot.c:6\nrun\nlist 6,6\nprint total\nquit\n"
    done = subprocess.run(ran.out, shell=True, input=typed, capture_output=True, text=True, check=False)
    if "Operation not permitted" in done.stderr:
        missing("tracing processes")
    shown = done.stdout
    assert "int answer = 1 + total % 3;" in shown  # the source is found, which was compiled somewhere else
    assert f"= {first_total(game)}\n" in shown


def test_node_waits_for_a_debugger_and_reads_the_recorded_input(place: Path) -> None:
    need_tool("node")
    game = played(place, str(write(place / "bots" / "bot.js", NODE)))
    ran = prepared(game)
    (port,) = re.findall(r"node inspect 127\.0\.0\.1:(\d+)", ran.err)
    with subprocess.Popen(
        ["/bin/sh", "-c", ran.out.replace(" && ", " && exec ", 1)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as agent:
        assert agent.stderr
        assert b"Debugger listening" in agent.stderr.readline()
        inspect = ["node", "inspect", f"127.0.0.1:{port}"]
        with subprocess.Popen(inspect, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as debugger:
            assert debugger.stdin
            assert debugger.stdout
            seen = ""
            while "debug> " not in seen or "bot.js:1" not in seen:
                seen += debugger.stdout.read(1)
            debugger.stdin.write("cont\n")
            debugger.stdin.flush()
            assert agent.stdout
            assert agent.stdout.readline() == f"{1 + first_total(game) % 3}\n".encode()
            debugger.kill()
        agent.kill()


def test_jdb_stops_in_a_method_and_knows_its_variables(place: Path) -> None:
    need_tool("jdb")
    need_tool("javac")
    game = played(place, str(write(place / "bots" / "Bot.java", JAVA)))
    assert "jdb -attach 127.0.0.1:" in prepared(game).err
    with Terminal("rerun", game, "--debug", "--turn", "3") as terminal:
        terminal.until("main[1] ")
        terminal.type("stop in Bot.answer\n")
        terminal.until("main[1] ")
        terminal.type("cont\n")
        terminal.until("Breakpoint hit")
        terminal.until("main[1] ")
        terminal.type("print total\n")
        assert f"total = {first_total(game)}" in terminal.until("main[1] ")
        terminal.type("list\n")
        assert "return 1 + total % 3;" in terminal.until("main[1] ")

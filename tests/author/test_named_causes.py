"""``arbiter check`` names the cause of what beginners get wrong, seen in real agents, and no other cause."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.ask import complete_answer, table
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.author.check import CheckSettings, check_agent
from arbiter.author.check_report import CheckResult, Finding
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.game import Lifetime
from arbiter.records.notes import notes_on
from arbiter.records.reader import load_record
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import missing

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Broken:
    """An agent of Count up with one mistake."""

    file: str
    text: str
    problem: str
    cause: str
    """What one of the causes says; empty if there must be none."""
    lifetime: Lifetime = "game"
    limits: dict[str, str] = field(default_factory=dict)
    sandbox: str = "none"
    needs: str = ""


PYTHON_LOOP = "import sys\nsys.stdin.readline()\nfor prompt in sys.stdin:\n    "
JAVA = "public class Bot { public static void main(String[] words) { System.out.println(2); } }\n"
CSHARP = "class Bot { static void Main() { System.Console.WriteLine(2); } }\n"
NAMED = {
    "unflushed output": Broken(
        "bot.pl", "<STDIN>; while (<STDIN>) { print 2, chr(10) }\n", "late: ", "typical of output that was not flushed",
        limits={"first_move": "300ms"},
    ),
    "debug text before the move": Broken(
        "bot.py", PYTHON_LOOP + "print('thinking', flush=True); print(2, flush=True)\n", "garbled: ",
        "a later line, '2', would be a legal move: print only the move on standard output",
    ),
    "debug text instead of a move": Broken(
        "bot.py", PYTHON_LOOP + "print('got', prompt); print('sum is odd', flush=True)\n", "garbled: ",
        "it went on with 'sum is odd': print only the move on standard output",
    ),
    "the prompt of input()": Broken(
        "bot.py", "input()\nwhile True:\n    input('state? ')\n    print(2, flush=True)\n", "garbled: ",
        "the answer ends with '2', which alone would be a legal move: debug text, and the prompt of a function",
    ),
    "two lines for one": Broken(
        "bot.sh", "echo I take two\necho 2\n", "garbled: ", "2 lines, of which line 2 alone would be a legal move",
        lifetime="move",
    ),
    "a BOM": Broken(
        "bot.py", "import sys\nsys.stdout.buffer.write(b'\\xef\\xbb\\xbf2\\n')\n", "garbled: ", "byte-order mark (BOM)",
        lifetime="move",
    ),
    "CRLF inside an answer": Broken(
        "bot.py", "import sys\nsys.stdout.buffer.write(b'2\\r\\n\\r\\nok\\r\\n')\n", "garbled: ", "not with CRLF", lifetime="move"
    ),
    "a script with CRLF": Broken(
        "bot.sh", "read -r seat\r\nread -r state\r\nif true; then\r\necho 2\r\nfi\r\n", "crashed: ",
        "bot.sh has Windows line endings (CRLF), which sh does not understand", lifetime="move",
    ),
    "a missing module": Broken(
        "bot.py", "import sys\nsys.path.append('..')\nimport helper\nprint(2)\n", "crashed: ",
        "'helper' was not found: in the sandbox it sees its own folder", sandbox="auto", lifetime="move",
    ),
    "a missing module of Node.js": Broken(
        "bot.js", "require('./no_such_file');\n", "crashed: ", "'./no_such_file' was not found", lifetime="move", needs="node"
    ),
    "the wrong working directory": Broken(
        "bot.py", "open('bots/table.txt')\n", "crashed: ", "no file 'bots/table.txt'; relative paths begin in its own folder",
        lifetime="move",
    ),
    "a file outside the sandbox": Broken(
        "bot.py", f"open({str(Path(__file__))!r})\n", "crashed: ",
        "in the sandbox it sees its own folder", lifetime="move", sandbox="auto",
    ),
    # In large steps: with all of its memory in use it could be killed, by what it uses besides, before it reports the error.
    "killed for memory": Broken(
        "bot.py", "kept = []\nwhile True: kept.append(bytearray(40_000_000))\n", "memory: ", "MemoryError (bot.py, line 2)",
        lifetime="move", limits={"memory": "100MB"}, sandbox="auto",
    ),
    "a JVM that starts slowly": Broken(
        "Bot.java", JAVA, "late: ", "the first move includes starting java, for which there is the limit first_move",
        limits={"first_move": "4ms"}, needs="javac",
    ),
    "a JVM for every move": Broken(
        "Bot.java", JAVA, "late: ", "every move includes starting java; --lifetime game starts it once",
        limits={"move": "4ms"}, lifetime="move", needs="javac",
    ),
    "an exception in Java": Broken(
        "Mine.java", "class Player { public static void main(String[] words) { int one = words[5].length(); } }\n", "crashed: ",
        "Index 5 out of bounds for length 0 (Mine.java, line 1)", lifetime="move", needs="javac",
    ),
    "a panic in Rust": Broken(
        "bot.rs", "fn main() {\n    let all: Vec<String> = std::env::args().collect();\n    println!(\"{}\", all[5]);\n}\n",
        "crashed: ", "the len is 1 but the index is 5 (bot.rs, line 3)", lifetime="move", needs="rustc",
    ),
    "mono that starts slowly": Broken(
        "Bot.cs", CSHARP, "late: ", "the first move includes starting mono", limits={"first_move": "4ms"}, needs="mcs",
    ),
    "a late answer": Broken(
        # It answers when the arbiter has stopped and continued it: that is after the ruling.
        "bot.pl", '$SIG{CONT} = sub { syswrite STDOUT, "2\\n"; exit };\n$_ = <>; $_ = <>;\nsleep 1 while 1;\n', "late: ",
        "after it had been ruled late", limits={"first_move": "300ms"},
    ),
    "one answer and no more input": Broken(
        "bot.py", "input(), input()\nprint(2, flush=True)\n", "silent: ", "a process must read on for the next prompt"
    ),
    "an exception": Broken(
        "bot.py", "hand = {}\nprint(hand['gold'])\n", "crashed: ", "last line on standard error: KeyError: 'gold' (bot.py, line 2)",
        lifetime="move",
    ),
    "an exception of Java": Broken(
        "Bot.java", JAVA.replace("println(2)", "println(words[7])"), "crashed: ", "for length 0 (Bot.java, line 1)",
        lifetime="move", needs="javac",
    ),
    "an exception of Node.js": Broken(
        "bot.js", "const hand = {};\nconsole.log(hand.gold.length);\n", "crashed: ", "(reading 'length') (bot.js, line 2)",
        lifetime="move", needs="node",
    ),
}  # fmt: skip
UNKNOWN = {
    "computes": Broken("bot.pl", "$_ = <>; $_ = <>; 1 while 1;\n", "late: ", "", limits={"first_move": "200ms"}),
    "waits for ever": Broken("bot.sh", "while read -r x; do :; done\n", "late: ", "", limits={"first_move": "200ms"}),
    "a wrong number": Broken("bot.sh", "echo 9\n", "illegal: ", "", lifetime="move"),
    "a wrong number with CRLF": Broken("bot.sh", "printf '9\\r\\n'\n", "illegal: ", "", lifetime="move"),
    "a killed process": Broken("bot.sh", "kill -9 $$\n", "crashed: ", "", lifetime="move"),
    "an exit status": Broken("bot.sh", "exit 3\n", "crashed: ", "", lifetime="move"),
}


def checks_of(place: Path, broken: Broken) -> list[CheckResult]:
    if broken.needs and not shutil.which(broken.needs):
        missing(f"{broken.needs} is not installed")
    if broken.sandbox == "auto" and choose_sandbox("auto").level in ("none", "rlimits"):
        missing("a sandbox that hides files")
    write(place / "bots" / "helper.py", "")
    bot = write(place / "bots" / "own" / broken.file, broken.text)
    settings = GameSettings(
        limits={"move": "60s", **broken.limits},
        lifetime=broken.lifetime,
        sandbox=broken.sandbox,
        allow_uncontained_build=True,
    )
    wanted = CheckSettings(settings=settings, games=1, save=place / "kept")
    return list(check_agent("count_up", str(bot), wanted, Workspace()).checks)


def first_finding(place: Path, broken: Broken) -> Finding:
    failed = [check for check in checks_of(place, broken) if check.status == "failed"]
    assert failed
    assert all(check.findings or "; see " in check.summary or check.name == "output" for check in failed)
    return failed[0].findings[0]


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listen to an agent as long as it takes: the machine may be busy."""
    monkeypatch.setattr(complete_answer, "patience_ns", lambda _: 20_000_000_000)
    monkeypatch.setattr(table, "OVERHEAR_NS", 20_000_000_000)


@pytest.mark.parametrize("mistake", NAMED)
def test_the_cause_is_named(place: Path, mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = NAMED[mistake]
    if broken.limits.get("move", broken.limits.get("first_move")) == "4ms":
        monkeypatch.setattr(complete_answer, "patience_ns", lambda _: 1)  # it need not come to its end
    finding = first_finding(place, broken)
    assert finding.problem.startswith(broken.problem)
    assert any(broken.cause in cause for cause in finding.causes), finding.causes


@pytest.mark.parametrize(
    "mistake", ["debug text before the move", "a script with CRLF", "an exception", "a BOM", "unflushed output"]
)
def test_a_record_and_what_shows_it_name_the_same_cause(place: Path, mistake: str) -> None:
    broken = NAMED[mistake]
    bot = str(write(place / "bots" / broken.file, broken.text))
    played = play(
        "count_up",
        [bot],
        limits={"move": "60s", **broken.limits},
        lifetime=broken.lifetime,
        options={"turns": 1},
        seed=1,
    )
    record = played.games[0].record
    for command in (["show", record, "--faults"], ["why", record], ["rerun", record, "--turn", "1"]):
        ran = arbiter(*command)
        assert ran.code == 0, ran.err
        assert broken.cause in ran.out, command
    assert any(broken.cause in note for note in notes_on(load_record(Path(record)).answers[0]))


@pytest.mark.parametrize("mistake", NAMED)
def test_no_cause_is_named_for_another_mistake(mistake: str) -> None:
    """The sentences tell the mistakes apart; those that look alike to the arbiter share one."""
    same = [other for other in NAMED.values() if other.cause == NAMED[mistake].cause]
    assert len(same) == 1


@pytest.mark.parametrize("mistake", UNKNOWN)
def test_a_cause_that_cannot_be_known_is_not_named(place: Path, mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete_answer, "patience_ns", lambda _: 1_000_000)
    finding = first_finding(place, UNKNOWN[mistake])
    assert finding.problem.startswith(UNKNOWN[mistake].problem)
    assert finding.causes == ()


def test_an_answer_that_ends_with_crlf_is_no_mistake(place: Path) -> None:
    assert {
        check.status for check in checks_of(place, Broken("bot.sh", "printf '2\\r\\n'\n", "", "", lifetime="move"))
    } <= {"ok", "left out"}

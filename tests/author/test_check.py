"""``arbiter check``: what is wrong with an agent, with the input and how to see it again."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.terminal import printed_at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

pytestmark = pytest.mark.slow

LIVES = """
import sys
seat = sys.stdin.readline()
for prompt in sys.stdin:
    total, left = map(int, prompt.split())
    {answer}
"""


# Answers whenever there is more input, and reads none of it.
NEVER_READS = """
import array, fcntl, os, termios, time
seen = 0
while True:
    unread = array.array("i", [0])
    fcntl.ioctl(0, termios.FIONREAD, unread)
    if unread[0] > seen:
        seen = unread[0]
        os.write(1, b"1\\n")
    time.sleep(0.005)
"""


def checked(place: Path, agent: str, *words: str) -> dict[str, dict[str, object]]:
    """Check an agent; the checks by name."""
    ran = arbiter("check", "count_up", agent, "--json", *words, folder=place)
    assert ran.code in (0, 1), ran.err
    checks = {check["name"]: check for check in ran.document["checks"]}
    assert ran.code == any(check["status"] == "failed" for check in checks.values())
    return checks


def statuses(checks: dict[str, dict[str, object]]) -> dict[str, object]:
    return {name: check["status"] for name, check in checks.items()}


def only(check: dict[str, object]) -> dict[str, object]:
    findings = check["findings"]
    assert isinstance(findings, list)
    return dict(findings[0])


def test_a_sound_agent_passes_and_leaves_nothing_behind(place: Path) -> None:
    before = set(place.rglob("*"))
    agent = str(write(place / "bot.py", LIVES.format(answer="print(1 + total % 3, flush=True)")))
    checks = checked(place, agent, "--lifetime", "game")
    assert statuses(checks) == {
        "start": "ok", "positions": "left out", "games": "ok", "repeatable": "ok", "output": "ok", "input": "ok",
        "growth": "left out", "time": "ok", "memory": checks["memory"]["status"],
    }  # fmt: skip
    assert "4 games against itself" in str(checks["games"]["summary"])
    assert "it runs with PYTHONUNBUFFERED=1 here: elsewhere it must flush" in str(checks["output"]["summary"])
    assert set(place.rglob("*")) - before == {place / "bot.py"}


def test_a_terminal_shows_what_is_being_done(place: Path) -> None:
    shown = printed_at_a_terminal(80, "check", "count_up", adder(place, "one", 1), "--games", "1")
    assert "\x1b[Kplaying game 1 of 1 against itself …" in shown
    assert "\x1b[Kasking the questions of the longest game again …\r\x1b[K\x1b[32mok" in shown


def test_an_agent_that_answers_nothing_is_not_asked_again(place: Path) -> None:
    agent = str(write(place / "bot.py", "raise ValueError('no idea')\n"))
    checks = checked(place, agent)
    assert statuses(checks) == {
        "start": "failed", "positions": "left out", "games": "left out", "time": "left out", "memory": "left out",
    }  # fmt: skip
    finding = only(checks["start"])
    assert str(finding["problem"]).startswith("crashed: ")
    assert finding["causes"] == ["its last line on standard error: ValueError: no idea (bot.py, line 1)"]
    assert (place / str(finding["input"])).read_text(encoding="utf-8").startswith("seat ")
    again = arbiter(*shlex.split(str(finding["reproduce"]))[1:], "--json", folder=place)
    assert only(again.document["checks"][0])["problem"] == finding["problem"]
    outside = subprocess.run(str(finding["outside"]), shell=True, cwd=place, capture_output=True, check=False)
    assert b"ValueError: no idea" in outside.stderr


def test_unflushed_output_is_named_because_it_was_seen(place: Path) -> None:
    perl = write(place / "bot.pl", "<STDIN>; while (<STDIN>) { print 1, chr(10) }\n")

    def named() -> bool:
        """A late agent is listened to for 30 ms, in which it may not come to speak on a busy machine."""
        checks = checked(place, f"perl {perl}", "--lifetime", "game", "-l", "move=300ms")
        causes = only(checks["start"])["causes"]
        assert isinstance(causes, list)
        return any("not flushed" in cause for cause in causes)

    assert any(named() for _ in range(20))
    hangs = checked(
        place, str(write(place / "hangs.sh", "while read -r x; do :; done\n")), "--lifetime", "game", "-l", "move=300ms"
    )
    assert only(hangs["start"])["causes"] == []


def test_what_to_type_shows_unflushed_output_as_the_game_does(place: Path) -> None:
    perl = write(place / "bot.pl", "<STDIN>; while (<STDIN>) { print 1, chr(10); print STDERR 'said' }\n")
    checks = checked(place, f"perl {perl}", "--lifetime", "game", "-l", "move=300ms")
    typed, pipe = str(only(checks["start"])["outside"]), subprocess.PIPE
    with subprocess.Popen(typed, shell=True, cwd=place, stdin=pipe, stdout=pipe, stderr=pipe) as shell:
        assert shell.stdin
        assert shell.stdout
        assert shell.stderr
        assert shell.stderr.read(4) == b"said"
        os.set_blocking(shell.stdout.fileno(), False)
        assert shell.stdout.read() is None  # nothing comes before its input ends …
        os.set_blocking(shell.stdout.fileno(), True)
        shell.stdin.close()  # … which the user does with Ctrl+D
        assert shell.stdout.read() == b"1\n"


def test_one_mistake_is_listed_once(place: Path) -> None:
    ran = arbiter("check", "count_up", adder(place, "nine", 9), folder=place)
    assert ran.code == 1
    assert ran.out.count("illegal: add 1, 2 or 3") == 1
    assert "faults in 4 games against itself" in ran.out
    assert "; see start above" in ran.out


def test_lines_beyond_the_answer_fail_the_check(place: Path) -> None:
    answer = "print(1, flush=True); print('I took one', flush=True)"
    checks = checked(place, str(write(place / "bot.py", LIVES.format(answer=answer))), "--lifetime", "game")
    assert checks["output"]["status"] == "failed"
    assert "'I took one'" in str(checks["output"]["summary"])


def test_input_that_is_left_unread_is_a_warning(place: Path) -> None:
    checks = checked(place, str(write(place / "bot.py", NEVER_READS)), "--lifetime", "game", "--games", "1")
    assert checks["input"]["status"] == "warning"
    assert "answers before it has read all its input" in str(checks["input"]["summary"])


def test_an_answer_to_every_line_of_a_prompt_fails_the_check(place: Path) -> None:
    bot = "import sys\nfor line in sys.stdin:\n    print(1, flush=True)\n"
    checks = checked(place, str(write(place / "bot.py", bot)), "--lifetime", "game", "--games", "1")
    assert checks["output"]["status"] == "failed"
    assert "does it read the whole prompt before it answers?" in str(checks["output"]["summary"])


def test_figures_for_programs(place: Path) -> None:
    agent = str(write(place / "bot.py", LIVES.format(answer="print(1 + total % 3, flush=True)")))
    toml = place / "arbiter.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace("up]\n", "up]\noptions = {turns = 80}\n", 1), encoding="utf-8"
    )
    document = arbiter("check", "count_up", agent, "--lifetime", "game", "--json", folder=place).document
    times, growth = document["times"]["game"], document["growth"]["game"]
    assert 0 < times["p50_us"] <= times["p99_us"] <= times["max_us"] < times["limit_us"] == 5_000_000
    assert 0 < times["first_us"] < times["first_limit_us"]
    assert growth["answers"] >= 20
    assert 0 < growth["early_bytes"] <= growth["late_bytes"] * 2


def test_a_position_that_is_not_there(place: Path) -> None:
    ran = arbiter("check", "splendor", adder(place, "one", 1), "--only", "4000", folder=place)
    assert ran.code == 2
    assert "--only 4000: splendor has positions 0 to " in ran.err


def test_a_fault_late_in_a_game_comes_with_the_game(place: Path) -> None:
    agent = str(write(place / "bot.py", LIVES.format(answer="print(7 if left == 2 else 1, flush=True)")))
    checks = checked(place, agent, "--lifetime", "game", "--games", "1", "--save", "kept")
    assert (checks["start"]["status"], checks["games"]["status"]) == ("ok", "failed")
    finding = only(checks["games"])
    assert finding["problem"] == "illegal: add 1, 2 or 3"
    words = str(finding["reproduce"]).split(",")[0].split()[1:]
    assert Path(words[1]).parent == Path("kept")
    ran = arbiter(*words, "--json", folder=place)
    assert ran.document["faults_now"] == 1


@pytest.mark.parametrize(
    ("answer", "name", "words"),
    [
        ("print(1 + __import__('os').urandom(1)[0] % 3, flush=True)", "repeatable", "not deterministic"),
        ("print(1, flush=True); keep = globals().setdefault('kept', []); keep.append(b'x' * 9_000_000)", "growth", "its memory grows"),
    ],
)  # fmt: skip
def test_oddities_are_mentioned_and_fail_nothing(place: Path, answer: str, name: str, words: str) -> None:
    write(
        place / "arbiter.toml",
        (place / "arbiter.toml")
        .read_text(encoding="utf-8")
        .replace("[protocols.count_up]\n", "[protocols.count_up]\noptions = {turns = 40}\n"),
    )
    agent = str(write(place / "bot.py", LIVES.format(answer=answer)))
    ran = arbiter("check", "count_up", agent, "--lifetime", "game", "--games", "2", folder=place)
    assert ran.code == 0, ran.out
    line = next(line for line in ran.out.splitlines() if f" {name} " in line)
    assert words in line


def test_an_agent_that_ignores_the_end_of_its_input_is_warned(place: Path) -> None:
    bot = LIVES.format(answer="print(1, flush=True)") + "import signal\nsignal.pause()\n"
    checks = checked(place, str(write(place / "bot.py", bot)), "--lifetime", "game", "--games", "1")
    assert checks["input"]["status"] == "warning"
    assert "keeps running when its input ends" in str(checks["input"]["summary"])


def test_both_lifetimes_are_checked_if_claimed(place: Path) -> None:
    agent = str(write(place / "bot.py", LIVES.format(answer="print(1, flush=True)")))
    ran = arbiter("check", "count_up", agent, "--both-lifetimes", "--json", "--games", "1", folder=place)
    assert ran.code == 0, ran.out
    assert {check["lifetime"] for check in ran.document["checks"]} == {"move", "game"}
    assert set(ran.document["times"]) == {"move", "game"}


def test_junit_for_ci(place: Path) -> None:
    file = place / "check.xml"
    ran = arbiter("check", "count_up", adder(place, "nine", "9\x01"), "--junit", file, "--games", "1", folder=place)
    assert ran.code == 1
    suite = ET.parse(file).getroot()
    assert int(suite.attrib["failures"]) == sum(case.find("failure") is not None for case in suite) > 0
    assert int(suite.attrib["tests"]) == len(suite)


def test_a_corpus_position_that_breaks_an_agent_is_found(place: Path) -> None:
    toml = place / "arbiter.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8") + "[protocols.splendor]\noptions = {max_rounds = 3}\n", encoding="utf-8"
    )

    def splendor(answer: str) -> dict[str, dict[str, object]]:
        agent = write(place / "bot.sh", f'cat > /dev/null\necho "{answer}"\n')  # a shell starts faster than Python
        ran = arbiter("check", "splendor", str(agent), "--json", "--games", "1", "--positions", "24", folder=place)
        return {check["name"]: check for check in ran.document["checks"]}

    checks = splendor("1 0")
    assert checks["start"]["status"] == checks["positions"]["status"] == "ok"  # taking no chips is always legal
    checks = splendor("1 3 0 1 2")
    assert (checks["start"]["status"], checks["positions"]["status"]) == ("ok", "failed")
    findings = checks["positions"]["findings"]
    assert isinstance(findings, list)
    assert len({finding["problem"] for finding in findings}) == len(findings) > 2
    assert "chips" in str(findings)
    for finding in findings[:2]:
        again = arbiter(*shlex.split(finding["reproduce"])[1:], "--json", folder=place).document["checks"][0]
        assert (again["name"], again["findings"][0]["problem"]) == (again["name"], finding["problem"])
        assert Path(again["findings"][0]["input"]).read_bytes() == Path(finding["input"]).read_bytes()


@pytest.mark.parametrize(("number", "code"), [(1, 0), (9, 1)])
def test_play_can_fail_on_faults(place: Path, number: int, code: int) -> None:
    agent = adder(place, "bot", number)
    assert arbiter("play", "count_up", agent, "-q", "--fail-on-fault", folder=place).code == code
    assert arbiter("play", "count_up", agent, "--json", "--fail-on-fault", folder=place).code == code
    assert arbiter("play", "count_up", agent, "-q", folder=place).code == 0

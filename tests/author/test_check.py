"""``arbiter check``: what is wrong with an agent, with the input and how to see it again."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

LIVES = """
import sys
seat = sys.stdin.readline()
for prompt in sys.stdin:
    total, left = map(int, prompt.split())
    {answer}
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
        "start": "ok", "positions": "left out", "games": "ok", "repeatable": "ok", "input": "ok", "growth": "ok",
        "time": "ok", "memory": checks["memory"]["status"],
    }  # fmt: skip
    assert "4 games against itself" in str(checks["games"]["summary"])
    assert set(place.rglob("*")) - before == {place / "bot.py"}


def test_an_agent_that_answers_nothing_is_not_asked_again(place: Path) -> None:
    agent = str(write(place / "bot.py", "raise ValueError('no idea')\n"))
    checks = checked(place, agent)
    assert statuses(checks) == {
        "start": "failed", "positions": "left out", "games": "left out", "time": "left out", "memory": "left out",
    }  # fmt: skip
    finding = only(checks["start"])
    assert str(finding["problem"]).startswith("crashed: ")
    assert finding["causes"] == ["its last line on standard error: ValueError: no idea"]
    assert (place / str(finding["input"])).read_text(encoding="utf-8").startswith("seat ")
    again = subprocess.run(str(finding["reproduce"]), shell=True, cwd=place, capture_output=True, check=False)
    assert b"ValueError: no idea" in again.stderr


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
    assert len(findings) == 5
    assert "chips" in str(findings)


@pytest.mark.parametrize(("number", "code"), [(1, 0), (9, 1)])
def test_play_can_fail_on_faults(place: Path, number: int, code: int) -> None:
    agent = adder(place, "bot", number)
    assert arbiter("play", "count_up", agent, "-q", "--fail-on-fault", folder=place).code == code
    assert arbiter("play", "count_up", agent, "--json", "--fail-on-fault", folder=place).code == code
    assert arbiter("play", "count_up", agent, "-q", folder=place).code == 0

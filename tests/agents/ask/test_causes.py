"""The record names the cause of a failure where it can be known, and says nothing where it cannot."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.ask import complete_answer as asking
from arbiter.agents.ask.causes import Circumstances, likely_causes
from arbiter.agents.ask.late_output import LateOutput
from arbiter.api import play
from arbiter.game import Fault, FaultKind, Lifetime
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load_record
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

CRASHED = Circumstances(
    Fault(FaultKind.CRASHED, "exited with status 1"), "python3", per_move=True, first=True, has_answered=False, boxed=True,
    stderr="",
)  # fmt: skip
LATE = dataclasses.replace(CRASHED, fault=Fault(FaultKind.LATE, "no answer within 50ms"), per_move=False)


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("ModuleNotFoundError: No module named 'numpy'\n", "that 'numpy' was not found: in the sandbox it sees"),
        ("Error: Cannot find module './helper'\nRequire stack:\n", "that './helper' was not found"),
        ("Caused by: java.lang.ClassNotFoundException: a.B$C\n", "that 'a.B$C' was not found"),
        ("Error: Could not find or load main class Bot\n", "that 'Bot' was not found"),
        ("./bot: error while loading shared libraries: libx.so.1: cannot open\n", "that 'libx.so.1' was not found"),
        ("Can't locate JSON/XS.pm in @INC (you may\n", "that 'JSON/XS.pm' was not found"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'\n", "there is no file 'book.txt'"),
        ("OSError: [Errno 30] Read-only file system: '/x'\n", "it can write new files to its working directory"),
        ("EOFError: EOF when reading a line\n", "it read on after the end of its input: a process that is spawned"),
        ("bot.sh: 2: read\r: not found\n", "Windows line endings"),
    ],
)
def test_standard_error_tells_what_was_missing(stderr: str, said: str) -> None:
    (sentence,) = likely_causes(dataclasses.replace(CRASHED, stderr=f"first line\n{stderr}"))
    assert said in sentence


@pytest.mark.parametrize("stderr", ["", "KeyError: 'strategy'\n", "kibitz I found no module\n", "Segmentation fault\n"])
def test_other_crashes_have_no_sentence(stderr: str) -> None:
    assert likely_causes(dataclasses.replace(CRASHED, stderr=stderr)) == []


@given(st.text(max_size=300), st.sampled_from(FaultKind), st.booleans())
def test_sentences_are_short_and_printable(text: str, kind: FaultKind, is_closed: bool) -> None:
    last = LateOutput(text, 5, input_closed=is_closed and bool(text))
    for name in ("No module named '", "Cannot find module '", "No such file or directory: '"):
        seen = dataclasses.replace(CRASHED, fault=Fault(kind, "x"), stderr=f"{name}{text}'\n", last=last)
        assert all(len(sentence) < 250 and sentence.isprintable() for sentence in likely_causes(seen))


def test_a_runtime_that_starts_slowly_is_named() -> None:
    (sentence,) = likely_causes(dataclasses.replace(LATE, program="/usr/bin/java", cpu_ns=400_000_000))
    assert sentence.startswith("used 400ms of CPU time; the first move includes starting java")
    assert likely_causes(dataclasses.replace(LATE, program="/usr/bin/java", first=False)) == []
    assert likely_causes(LATE) == []


def test_an_answer_just_after_the_deadline_is_mentioned() -> None:
    (sentence,) = likely_causes(dataclasses.replace(LATE, last=LateOutput("2", 3_000_000)))
    assert sentence == "answered '2' 3ms after it had been ruled late"


def test_input_that_was_not_read_is_mentioned() -> None:
    (sentence,) = likely_causes(dataclasses.replace(LATE, last=LateOutput(unread_bytes=80)))
    assert sentence == "had not read all of its input: left 80 bytes in the pipe"


def guest(place: Path, text: str, lifetime: Lifetime, name: str = "bot.pl", **limits: str) -> list[AnswerLine]:
    """Play a game of one agent and return its answers."""
    bot = write(place / "bots" / name, text)
    report = play(
        "count_up", [str(bot)], options={"turns": 3}, lifetime=lifetime, save=place / "games",
        limits={"move": "60s", "first_move": "60s", **limits},
    )  # fmt: skip
    return list(load_record(Path(report.games[0].record)).answers)


class TestLateAgents:
    """What a late agent does next tells why it was late."""

    @pytest.fixture(autouse=True)
    def _patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wait as long as it takes: the machine may be busy."""
        monkeypatch.setattr(asking, "patience_ns", lambda _: 20_000_000_000)

    def test_output_that_was_never_flushed(self, place: Path) -> None:
        lines = guest(place, 'while (<>) { print "2\\n" if /^\\d/ }\n', "game", first_move="200ms")
        assert lines[0].fault
        assert (lines[0].fault.kind, lines[0].fault.said) == ("late", "")
        assert lines[0].notes == [
            "printed '2' only after its input had been closed, which is typical of output that was not flushed, or of a "
            "program that reads its input to the end before it answers"
        ]

    def test_a_line_that_is_never_ended(self, place: Path) -> None:
        """It is in the pipe long before the deadline, so it is not a matter of flushing."""
        lines = guest(place, '$| = 1; while (<>) { print "2" if /^\\d/ }\n', "game", first_move="500ms")
        assert lines[0].fault
        assert lines[0].fault.detail == "no answer within 500ms (1 byte came, but no end of line)"
        assert lines[0].notes == ["printed '2' without an end of line: end every answer with a line feed"]

    def test_output_that_is_flushed_only_at_first(self, place: Path) -> None:
        text = 'while (<>) { next unless /^\\d/; $| = !$n++; print "2\\n" }\n'
        lines = guest(place, text, "game", move="200ms")
        assert [line.fault.kind if line.fault else "" for line in lines] == ["", "late", ""]
        assert lines[1].notes == [
            "printed '2' only after its input had been closed, which is typical of output that was not flushed"
        ]

    @pytest.mark.parametrize("lifetime", ["move", "game"])
    def test_an_answer_that_comes_too_late(self, place: Path, lifetime: Lifetime) -> None:
        # It answers when its parent has stopped and continued it: that is after the ruling.
        text = '$SIG{CONT} = sub { syswrite STDOUT, "2\\n"; exit };\n$_ = <>; $_ = <>;\nsleep 1 while 1;\n'
        lines = guest(place, text, lifetime, first_move="300ms", move="300ms")
        (note,) = lines[0].notes
        assert note.startswith("answered '2' ")
        assert note.endswith(" after it had been ruled late")
        assert lines[0].fault
        assert lines[0].fault.kind == "late"

    def test_an_agent_that_computes_gets_no_advice(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(asking, "patience_ns", lambda _: 1_000_000)
        lines = guest(place, "$_ = <>; $_ = <>; 1 while 1;\n", "game", first_move="200ms")
        assert lines[0].fault
        assert lines[0].notes == []


def test_a_module_that_is_missing_is_named(place: Path) -> None:
    lines = guest(place, "import no_such_module\n", "move", "bot.py")
    assert lines[0].notes == ["its standard error says that 'no_such_module' was not found"]


def test_an_agent_of_one_move_in_a_whole_game(place: Path) -> None:
    lines = guest(place, '$_ = <>; $_ = <>; print "2\\n";\n', "game")
    assert lines[0].fault is None or lines[0].fault.kind == "silent"
    told = [note for line in lines for note in line.notes]
    assert "ended by itself after it had answered: in this lifetime a process must read on for the next prompt" in told


def test_two_lines_for_one_are_quoted_once(place: Path) -> None:
    lines = guest(place, '$| = 1; while (<>) { print "2\\nscore is 7\\n" if /^\\d/ }\n', "game", "bot.pl")
    notes = [note for line in lines for note in line.notes]
    assert (
        sum("'score is 7'; print one line for a move, and debug text on standard error" in note for note in notes) == 1
    )
    assert sum(note.startswith("dropped ") for note in notes) == len(notes) >= 2

"""The fast path leaves out steps and changes nothing: the same dialogues with and without it give the same answers."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest

from arbiter.agents.ask import conversation
from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.fast_path import fast_path
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.seat import SeatState
from arbiter.agents.ask.table import Table
from arbiter.agents.clock.charge import CLOCKS, Clock
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import FaultKind

from .harness import leaving_nothing, terms

pytestmark = pytest.mark.slow

# Carries out the steps that a prompt lists, each of which is deterministic seen from the other end of the pipes.
AGENT = """
import os, sys, time
for prompt in sys.stdin.buffer:
    for step in prompt.rstrip(b"\\n").split(b"|"):
        what, _, text = step.partition(b":")
        if what == b"out": os.write(1, text.replace(b"/", b"\\n"))
        elif what == b"err": os.write(2, text + b"\\n")
        elif what == b"burn":
            until = time.process_time() + int(text) / 1e6
            while time.process_time() < until: pass
        elif what == b"sleep": time.sleep(int(text) / 1e6)
        elif what == b"flood": os.write(1, b"x" * int(text))
        elif what == b"exit": os._exit(int(text))
"""
OUTPUT = 200
"""Bytes of output allowed in a turn."""
TABLES, QUESTIONS = 6, 100
TIMES = ("wall_ns", "cpu_ns", "charged_ns", "waited_ns", "peak_bytes")


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    with leaving_nothing():
        yield


def dialogue(chance: random.Random, questions: int) -> list[str]:
    """Prompts as likely to be answered at once as in any other way."""
    return [_prompt(chance) for _ in range(questions)]


def _prompt(chance: random.Random) -> str:
    said = chance.choice(["", "a", "move 1 2", "\N{SNOWMAN}", "x" * (OUTPUT - 1), "x" * OUTPUT])
    answer = f"out:{said}/"
    unusual = [
        f"out:one |{answer}",  # in two writes
        f"out:first/second/{chance.choice(['', 'unfinished'])}",  # more than a line in one write
        f"err:kibitz {chance.randrange(100)}|{answer}",
        f"err:noise|{answer}",
        f"burn:{chance.randrange(200)}|{answer}",
        f"burn:{chance.randrange(2000)}|{answer}",
        f"sleep:{chance.randrange(1500)}|{answer}",
        f"flood:{OUTPUT + 1 + chance.randrange(9)}",
        f"out:partial|exit:{chance.choice([0, 3])}",
        f"exit:{chance.choice([0, 1])}",
    ]
    weights = [60, 40, 40, 20, 60, 20, 20, 4, 2, 2]
    (picked,) = chance.choices(unusual, weights)
    return f"{answer if chance.random() < 0.6 else picked}\n"


def play(prompts: Sequence[str], clock: Clock, seats: int = 1, **limits: str | int) -> list[Answer]:
    """Return the answers of so many seats, asked together, of which each is given the next prompts."""
    launch = Launch([sys.executable, "-S", "-E", "-c", AGENT], "/", {"PATH": "/usr/bin:/bin"})
    seat = Seat(launch, terms(output=f"{OUTPUT}B", **limits), "game")
    answers: list[Answer] = []
    with Table([seat] * seats, TableRules(clock=clock)) as table:
        for turn in zip(*[iter(prompts)] * seats, strict=True):
            answers += table.ask([Request(index, prompt, lambda _: "") for index, prompt in enumerate(turn)])
    return answers


def without_times(answer: Answer) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(answer).items() if name not in TIMES}


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("clock", CLOCKS)
def test_both_paths_give_the_same_answers(clock: Clock, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"dialogues {clock}")
    taken, counting = counted_fast_path()
    for number in range(TABLES // seats):
        prompts = dialogue(chance, QUESTIONS * seats)
        forgiving: dict[str, str | int] = {"grace": 2, "margin": "50ms"} if number % 2 else {}
        monkeypatch.setattr(conversation, "fast_path", counting)
        fast = play(prompts, clock, seats, **forgiving)
        monkeypatch.setattr(conversation, "fast_path", lambda *_, **__: None)
        slow = play(prompts, clock, seats, **forgiving)
        assert list(map(without_times, fast)) == list(map(without_times, slow))
        for answer in (*fast, *slow):
            check_charge(answer, clock)
    assert taken[0], "the fast path was never taken"


def counted_fast_path() -> tuple[list[int], Callable[..., Any]]:
    """Return a list whose only number grows with every answer that the fast path gives, and what to replace it with."""
    taken = [0]

    def counting(*given: Any, **named: Any) -> Any:
        path = fast_path(*given, **named)
        receive = path.receive

        def receive_and_count(start_ns: int) -> Any:
            answer = receive(start_ns)
            taken[0] += isinstance(answer, Answer)
            return answer

        path.receive = receive_and_count
        return path

    return taken, counting


def check_charge(answer: Answer, clock: Clock) -> None:
    if answer.fault and answer.fault.kind is FaultKind.SPENT:
        return
    if clock == "wall":
        assert answer.charged_ns == answer.wall_ns
    elif clock == "cpu":
        assert answer.charged_ns == min(answer.wall_ns, answer.cpu_ns)
    else:
        least = min(answer.wall_ns, answer.cpu_ns, answer.wall_ns - answer.waited_ns)
        assert least <= answer.charged_ns <= answer.wall_ns


def test_cpu_time_is_charged_on_the_fast_path_under_the_cpu_clock() -> None:
    answers = play(["out:1/\n"] * 100, "cpu")
    assert [answer.charged_ns for answer in answers] == [min(answer.wall_ns, answer.cpu_ns) for answer in answers]
    assert any(answer.charged_ns < answer.wall_ns for answer in answers)


def test_an_agent_whose_overruns_are_forgiven_takes_the_fast_path_until_it_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken, counting = counted_fast_path()
    monkeypatch.setattr(conversation, "fast_path", counting)
    slow = "sleep:300000|out:1/\n"
    answers = play([*["out:1/\n"] * 100, slow, "out:1/\n"], "wall", move="200ms", grace=50, margin="30s")
    assert taken[0] > 25
    assert any("forgiven" in note for note in answers[100].notes)
    assert [answer.fault for answer in answers] == [None] * 102


def test_an_agent_that_is_at_fault_is_stopped_while_the_others_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the fast path as well: it must not use the core that they think on."""
    stopped: list[int] = []
    release = SeatState.release

    def release_and_note(seat: SeatState) -> None:
        stopped.append(seat.index)
        release(seat)

    monkeypatch.setattr(SeatState, "release", release_and_note)
    launch = Launch([sys.executable, "-S", "-E", "-c", AGENT], "/", {"PATH": "/usr/bin:/bin"})
    seat = Seat(launch, terms(output=f"{OUTPUT}B"), "game")
    with Table([seat, seat], TableRules(clock="wall")) as table:

        def ask(*prompts: str) -> list[Answer]:
            return table.ask([Request(index, f"{prompt}\n", lambda _: "") for index, prompt in enumerate(prompts)])

        for _ in range(3):
            ask("out:1/", "out:1/")
        stopped.clear()
        flooded, thought = ask(f"flood:{OUTPUT + 1}|burn:10000000", "sleep:300000|out:1/")
    assert flooded.fault is not None
    assert flooded.fault.kind is FaultKind.FLOODED
    assert thought.fault is None
    assert stopped == [0, 1]

"""What real agents are charged, in either lifetime: threads, children, sleepers, and attempts to buy time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.table import Table
from arbiter.agents.clock import stalls
from arbiter.agents.clock.charge import Clock
from arbiter.agents.clock.meter import Meter
from arbiter.agents.clock.schedstat import RunQueueWait
from arbiter.agents.clock.sentinel import Sentinels
from arbiter.agents.clock.steal import StealTime
from arbiter.agents.launch import cores, tree
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.config.limits import Limits, Source, resolve_limits
from arbiter.game import FaultKind, Lifetime
from tests.tools import until

pytestmark = pytest.mark.slow

MS = 1_000_000
LIMIT_MS = 80
PROLOGUE = """
import os, sys, threading, time
def burn(seconds, clock=time.thread_time):
    until = clock() + seconds
    while clock() < until: pass
def fork(seconds):
    child = os.fork()
    if child == 0:
        burn(seconds)
        os._exit(0)
    return child
def wait_for(child):
    while os.waitpid(child, os.WNOHANG) == (0, 0): pass
def threads(count, seconds):
    all = [threading.Thread(target=burn, args=(seconds,)) for _ in range(count)]
    for one in all: one.start()
    for one in all: one.join()
def answer(work):
    exec(work, globals())
    print("done", flush=True)
"""
LINES = PROLOGUE + "for line in sys.stdin: answer(line)\n"
ONCE = PROLOGUE + "answer(sys.stdin.readline())\n"


def launch(lifetime: Lifetime, folder: str = "/") -> Launch:
    """An agent that does the work its prompt names."""
    source = LINES if lifetime == "game" else ONCE
    return Launch([sys.executable, "-S", "-E", "-c", source], folder, {"PATH": "/usr/bin:/bin"})


def limits_of(limit_ms: int) -> Limits:
    """Return this limit for each move, and a long one for the first."""
    return resolve_limits([Source("test", {"move": f"{limit_ms}ms", "first_move": "60s"})])[0]


def ask(
    work: str,
    lifetime: Lifetime,
    *,
    limit_ms: int = LIMIT_MS,
    before: Sequence[str] = (),
    patience_ms: int = 0,
    clock: Clock = "fair",
) -> Answer:
    """Return one answer of an agent that does this work, after a first one for its start, which may take a long time.

    Other work ``before`` may take a long time as well: then the limit of this one is ``patience_ms``, as a total.
    """
    limits = limits_of(60_000 if before else limit_ms)
    with Table([Seat(launch(lifetime), limits, lifetime)], TableRules(clock=clock)) as table:
        for first in ("pass", *before):
            (ready,) = table.ask([Request(0, f"{first}\n", lambda _: "")])
            assert ready.fault is None
        if patience_ms:
            state = table._seats[0]
            state._seat = msgspec.structs.replace(state._seat, limits=limits_of(patience_ms))
        return table.ask([Request(0, f"{work}\n", lambda _: "")])[0]


def is_late(answer: Answer) -> bool:
    return answer.fault is not None and answer.fault.kind is FaultKind.LATE


@pytest.fixture(params=["move", "game"])
def lifetime(request: pytest.FixtureRequest) -> Lifetime:
    found: Lifetime = request.param
    return found


@pytest.fixture(autouse=True)
def _nothing_stolen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a virtual machine's host takes cores away or stops it, sleepers get the benefit of the doubt."""
    monkeypatch.setattr(stalls, "StealTime", lambda: StealTime(Path("/nowhere")))
    monkeypatch.setattr(Meter, "overslept", lambda *_, **__: None)
    monkeypatch.setattr(Sentinels, "of", lambda *_: None)


@pytest.fixture
def _one_core() -> Iterator[None]:
    with cores.pinned():
        yield


@pytest.fixture
def _crowded(_one_core: None) -> Iterator[None]:
    # Each in a session of its own: else the kernel may give all of them together as much as the agent.
    burn = [sys.executable, "-S", "-c", "while True: pass"]
    crowd = [subprocess.Popen(burn, start_new_session=True) for _ in range(3)]
    yield
    for one in crowd:
        one.kill()
        one.wait()


@pytest.mark.usefixtures("_crowded")
def test_work_within_the_limit_is_never_late_on_a_busy_core(lifetime: Lifetime) -> None:
    answer = ask("burn(0.05)", lifetime, limit_ms=400)
    assert answer.fault is None
    assert 50 * MS <= answer.charged_ns < 400 * MS
    assert answer.waited_ns > 0


@pytest.mark.usefixtures("_crowded")
def test_threads_that_crowd_their_core_buy_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("threads(8, 0.05)", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_the_time_of_all_threads_is_charged(lifetime: Lifetime) -> None:
    answer = ask("threads(4, 0.05)", lifetime, limit_ms=5000)
    assert answer.fault is None
    assert answer.cpu_ns >= 190 * MS
    assert answer.charged_ns >= 190 * MS


@pytest.mark.usefixtures("_crowded")
def test_a_child_that_burns_while_its_parent_waits_buys_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("os.waitpid(fork(0.2), 0)", lifetime))


@pytest.mark.usefixtures("_crowded")
def test_children_that_crowd_the_core_of_their_parent_buy_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("kids = [fork(5) for _ in range(6)]; burn(0.15)", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_children_that_were_waited_for_are_charged_with_the_process_that_ends() -> None:
    answer = ask("os.waitpid(fork(0.05), 0)", "move", limit_ms=5000)
    assert answer.fault is None
    assert answer.cpu_ns >= 50 * MS


@pytest.mark.usefixtures("_crowded")
def test_a_sleeper_pays_for_its_sleep_on_a_busy_core(lifetime: Lifetime) -> None:
    assert is_late(ask("time.sleep(30)", lifetime))


def test_sleeping_first_and_working_at_the_deadline_is_late(lifetime: Lifetime) -> None:
    """At the deadline it is running, as if it had been waiting for a core."""
    answer = ask("time.sleep(0.06); burn(0.09)", lifetime)
    assert is_late(answer)
    assert answer.fault is not None
    assert answer.fault.detail == f"no answer within {LIMIT_MS}ms"
    assert answer.charged_ns > LIMIT_MS * MS


@pytest.mark.usefixtures("_crowded")
def test_sleeping_first_and_working_at_the_deadline_is_late_on_a_busy_core(lifetime: Lifetime) -> None:
    assert is_late(ask("time.sleep(0.07); burn(0.06)", lifetime))


# -- an agent may have waited for its own threads and children


@pytest.mark.usefixtures("_one_core")
def test_a_crowd_of_threads_before_a_sleep_is_late(lifetime: Lifetime) -> None:
    assert is_late(ask("threads(40, 0.001); time.sleep(0.2)", lifetime))


@pytest.mark.usefixtures("_crowded")
def test_earlier_waits_of_threads_do_not_pay_for_a_sleep() -> None:
    crowd = "gate = threading.Event(); crowd = [threading.Thread(target=lambda: (burn(0.005), gate.wait()), daemon=True) for _ in range(20)]; [one.start() for one in crowd]"  # fmt: skip
    assert is_late(ask("time.sleep(0.2)", "game", before=[crowd, "burn(0.05)"], patience_ms=LIMIT_MS))


@pytest.mark.usefixtures("_crowded")
def test_threads_that_end_take_no_time_from_the_others() -> None:
    start = "gate = threading.Event(); crowd = [threading.Thread(target=lambda: (burn(0.03), gate.wait())) for _ in range(4)]; [one.start() for one in crowd]; time.sleep(0.5)"  # fmt: skip
    answer = ask("gate.set(); [one.join() for one in crowd]; burn(0.05)", "game", before=[start], patience_ms=250)
    assert answer.fault is None
    assert 50 * MS <= answer.charged_ns <= 250 * MS


@pytest.mark.usefixtures("_one_core")
def test_children_that_have_ended_buy_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("any(wait_for(fork(0.01)) for _ in range(30))", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_children_that_were_waited_for_are_charged_while_it_lives(lifetime: Lifetime) -> None:
    assert is_late(ask("os.waitpid(fork(0.2), 0)", lifetime, clock="cpu"))
    answer = ask("os.waitpid(fork(0.05), 0)", lifetime, limit_ms=5000, clock="cpu")
    assert answer.fault is None
    assert answer.charged_ns == answer.cpu_ns >= 40 * MS  # reported in steps of ten milliseconds


@pytest.mark.usefixtures("_crowded")
def test_cpu_time_of_a_helper_before_the_question_is_not_charged() -> None:
    helper = "out, into = os.pipe(); child = os.fork() or (burn(0.2), os.write(into, b'.'), time.sleep(60), os._exit(0)); os.read(out, 1)"  # fmt: skip
    answer = ask("burn(0.05)", "game", before=[helper], patience_ms=200)
    assert answer.fault is None
    assert 50 * MS <= answer.charged_ns <= 200 * MS


@pytest.mark.usefixtures("_crowded")
def test_work_that_is_done_by_a_child_is_not_charged_for_a_busy_core(lifetime: Lifetime) -> None:
    """As with a script that starts the real program."""
    answer = ask("os.waitpid(fork(0.05), 0)", lifetime, limit_ms=250)
    assert answer.fault is None
    assert 40 * MS <= answer.charged_ns <= 250 * MS


@pytest.mark.usefixtures("_crowded")
def test_an_agent_asked_with_others_is_charged_until_its_own_answer(
    lifetime: Lifetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        stalls, "RunQueueWait", lambda: RunQueueWait("/nowhere")
    )  # which may exceed the delay it caused
    with Table([Seat(launch(lifetime), limits_of(2000), lifetime)] * 3, TableRules(clock="fair")) as table:
        table.ask([Request(seat, "pass\n", lambda _: "") for seat in range(3)])
        sleeps = ("0.15", "0.25", "0.35")
        answers = table.ask([Request(seat, f"time.sleep({time})\n", lambda _: "") for seat, time in enumerate(sleeps)])
    assert [answer.fault for answer in answers] == [None] * 3
    for answer, slept_ms in zip(answers, (150, 250, 350), strict=True):
        assert answer.charged_ns >= 0.75 * slept_ms * MS


@pytest.mark.usefixtures("_crowded")
def test_an_agent_that_sleeps_its_total_away_has_no_time_left(lifetime: Lifetime) -> None:
    limits = resolve_limits([Source("test", {"move": "60s", "first_move": "60s", "total": "300ms"})])[0]
    others = limits_of(60_000)
    with Table(
        [Seat(launch(lifetime), some, lifetime) for some in (limits, others)], TableRules(clock="fair")
    ) as table:
        works = ("time.sleep(30)", "time.sleep(0.5)")
        late, _ = table.ask([Request(seat, f"{work}\n", lambda _: "") for seat, work in enumerate(works)])
    assert is_late(late)
    assert (late.left_ns, late.charged_ns >= 300 * MS) == (0, True)


@pytest.mark.parametrize("idle", ["time.sleep(60)", "os.kill(os.getpid(), 19)"], ids=["asleep", "stopped"])
def test_an_agent_that_is_idle_since_before_its_question_is_charged_for_all_of_it(idle: str) -> None:
    with Table([Seat(launch("game"), limits_of(LIMIT_MS), "game")], TableRules(clock="fair")) as table:
        (ready,) = table.ask([Request(0, f"print('early', flush=True); {idle}\n", lambda _: "")])
        assert ready.text == "early"
        until(lambda: not (process := table.process(0)) or not tree.is_ready(process.pid), "its sleep")
        (answer,) = table.ask([Request(0, "pass\n", lambda _: "")])
    assert is_late(answer)
    assert answer.charged_ns >= LIMIT_MS * MS


@pytest.mark.usefixtures("_one_core")
def test_an_agent_that_stops_itself_is_charged_as_if_it_slept(lifetime: Lifetime) -> None:
    assert is_late(ask("os.kill(os.getpid(), 19)", lifetime))

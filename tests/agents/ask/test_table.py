"""What a table does with agents that no game would bring about: huge prompts, talk between moves, no program at all."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.ask.poller import Listener, Poller
from arbiter.agents.ask.question import EXIT_GRACE_NS
from arbiter.agents.ask.seat import SeatState
from arbiter.agents.ask.table import RESTARTS, Seat, Table, TableRules
from arbiter.agents.launch import tree
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Fault, FaultKind, Lifetime
from tests.tools import until

from .harness import leaving_nothing, request, seat, terms, wait_for_end
from .puppet import Puppet, only_child

MEGABYTE = "9" * (1 << 20) + "\n"
STATE = "1 1\n" + "0\n" * 10
"""As long as a position of Splendor for one."""
BOTH: tuple[Lifetime, ...] = ("move", "game")
XS = ": 'xxxxxxxxxx'; print one line for a move, and debug text on standard error"


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    with leaving_nothing():
        yield


@pytest.fixture
def puppet(tmp_path: Path) -> Iterator[Puppet]:
    with Puppet(tmp_path) as strings:
        yield strings


def python(code: str, lifetime: Lifetime, **limits: str | int) -> Seat:
    launch = Launch([sys.executable, "-c", code], "/", dict(os.environ))
    return Seat(launch, terms(**limits), lifetime)


# -- prompts larger than a pipe ----------------------------------------------------------------------------


@pytest.mark.parametrize("lifetime", BOTH)
def test_a_megabyte_of_prompt_arrives_whole(lifetime: Lifetime) -> None:
    with Table([python("import sys\nfor line in sys.stdin: print(len(line), flush=True)", lifetime)]) as table:
        for _ in range(2):
            (answer,) = table.ask([request(MEGABYTE)])
            assert (answer.fault, answer.text.strip()) == (None, str(len(MEGABYTE)))


@pytest.mark.parametrize("lifetime", BOTH)
def test_an_agent_that_neither_reads_a_megabyte_of_prompt_nor_answers_is_late(lifetime: Lifetime) -> None:
    with Table([seat("sleeps.sh", lifetime, move="100ms", first_move="100ms")]) as table:
        (answer,) = table.ask([request(MEGABYTE)])
    assert answer.fault == Fault(FaultKind.LATE, "no answer within 100ms")


def test_an_agent_may_answer_without_reading_a_megabyte_of_prompt() -> None:
    with Table([seat("never_reads.c", "game", move="100ms", first_move="60s")]) as table:
        (answer,) = table.ask([request(MEGABYTE)])
        assert (answer.fault, answer.text) == (None, "1 0")
        (answer,) = table.ask([request(MEGABYTE)])
    assert answer.fault == Fault(FaultKind.LATE, "no answer within 100ms")


@pytest.mark.parametrize("lifetime", BOTH)
def test_an_agent_may_close_its_input_before_a_megabyte_of_prompt_and_answer(lifetime: Lifetime) -> None:
    with Table([seat("closes_stdin.sh", lifetime)]) as table:
        (answer,) = table.ask([request(MEGABYTE)])
    assert (answer.fault, answer.text.strip()) == (None, "1 0")


WORKS_ON = "import os\ninput()\nos.write(1, b'1')\nos.close(1)\nwhile True: pass"
THINKS = "import time\ninput()\ntime.sleep(0.5)\nprint(1)"


def test_an_agent_spawned_per_move_that_answers_and_works_on_is_charged_and_stopped_while_others_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    released: list[AgentProcess] = []

    def release(state: SeatState) -> None:
        keep(state)
        if process := state.process:
            until(lambda: tree.is_stopped(process.pid), "the end of its work")
            released.append(process)

    keep = SeatState.release
    monkeypatch.setattr(SeatState, "release", release)
    with Table([python(WORKS_ON, "move", move="60s"), python(THINKS, "move", move="60s")]) as table:
        answer, other = table.ask([request("one\n"), request("two\n", 1)])
    assert (answer.fault, answer.text, other.fault) == (None, "1", None)
    assert answer.notes == ["was still running after it had closed its standard output, and was killed"]
    assert len(released) == 1
    assert answer.wall_ns >= EXIT_GRACE_NS


# -- between moves -----------------------------------------------------------------------------------------


def test_output_before_the_prompt_is_dropped_and_noted(puppet: Puppet) -> None:
    with Table([puppet.seat()]) as table:
        table.ask([request("one\n")])
        puppet.write(1, 10)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
        assert (answer.text, answer.notes) == ("answer to two", [f"dropped 10 bytes printed before the prompt{XS}"])
        puppet.listen()
        (answer,) = table.ask([request("three\n")])
        assert (answer.text, answer.notes) == ("answer to three", [])


def test_what_follows_a_refused_answer_is_overheard_once_and_still_dropped(puppet: Puppet) -> None:
    with Table([puppet.seat()]) as table:
        table.ask([request("one\n")])
        puppet.write(1, 10)
        assert table.overhear(0) == "x" * 10
        assert table.overhear(0) == ""
        assert table.unprompted(0, 1) == "x" * 10
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
        assert (answer.text, answer.notes) == ("answer to two", [f"dropped 10 bytes printed before the prompt{XS}"])
        assert table.unprompted(0, 1) == ""
        puppet.listen()


def test_there_is_nothing_to_overhear_of_an_agent_that_has_ended() -> None:
    with Table([python("print(1)", "move")]) as table:
        assert table.overhear(0) == ""
        table.ask([request("one\n")])
        assert table.unprompted(0, 1) == ""


def test_dropped_output_is_noted_even_if_it_came_during_the_turn_of_another_agent(puppet: Puppet) -> None:
    with Table([puppet.seat(), seat("steady.c", "game", 1)]) as table:
        table.ask([request("one\n"), request(STATE, 1)])
        puppet.write(1, 10)
        assert answer_of_steady(table)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
    assert (answer.text, answer.notes) == ("answer to two", [f"dropped 10 bytes printed before the prompt{XS}"])


def test_a_flood_of_output_between_moves_is_a_fault_at_the_next_one(puppet: Puppet) -> None:
    with Table([puppet.seat(), seat("steady.c", "game", 1)]) as table:
        table.ask([request("one\n"), request(STATE, 1)])
        puppet.write(1, CHUNK)
        assert answer_of_steady(table)
        puppet.write(1, 1)
        assert answer_of_steady(table)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
    assert answer.fault == Fault(FaultKind.FLOODED, "printed more than 64KB without being asked")


def test_a_flood_of_standard_error_between_moves_is_a_fault_at_the_next_one(puppet: Puppet) -> None:
    with Table([puppet.seat(stderr="1KB"), seat("steady.c", "game", 1)]) as table:
        table.ask([request("one\n"), request(STATE, 1)])
        puppet.write(2, 2000)
        assert answer_of_steady(table)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
    assert answer.fault == Fault(FaultKind.FLOODED, "printed more than 1KB on standard error between moves")
    assert answer.stderr == "x" * 2000


def test_the_limit_of_standard_error_is_one_of_a_turn_and_not_of_the_game(puppet: Puppet) -> None:
    with Table([puppet.seat(stderr="1KB"), seat("steady.c", "game", 1)]) as table:
        table.ask([request("one\n"), request(STATE, 1)])
        for _ in range(3):
            puppet.write(2, 900)
            assert answer_of_steady(table)
            puppet.listen()
            (answer,) = table.ask([request("more\n")])
            assert (answer.fault, answer.text) == (None, "answer to more")


def test_a_kibitz_between_moves_goes_with_the_next_answer_and_no_later_one(puppet: Puppet) -> None:
    with Table([puppet.seat(), seat("steady.c", "game", 1)]) as table:
        table.ask([request("one\n"), request(STATE, 1)])
        puppet.write(2, "kibitz")
        assert answer_of_steady(table)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
        assert (answer.text, answer.kibitz) == ("answer to two", ["a thought"])
        puppet.listen()
        (answer,) = table.ask([request("three\n")])
        assert (answer.text, answer.kibitz) == ("answer to three", [])


@pytest.mark.parametrize(
    ("agent", "fault"),
    [
        ("dies.c", Fault(FaultKind.CRASHED, "killed by signal 11 (SIGSEGV) between moves")),
        ("leaves.py", Fault(FaultKind.SILENT, "exited with status 0 between moves")),
    ],
)
def test_an_exit_between_moves_is_distinguished_from_one_at_the_prompt(agent: str, fault: Fault) -> None:
    before = frozenset(tree.children(os.getpid()))
    with Table([seat(agent, "game")]) as table:
        (answer,) = table.ask([request(STATE)])
        assert (answer.fault, answer.text) == (None, "1 0")
        for pid in set(tree.children(os.getpid())) - before:  # none, if it was seen to end as it answered
            wait_for_end(pid)
        (answer,) = table.ask([request(STATE)])
        assert answer.fault == fault
        (answer,) = table.ask([request(STATE)])
        assert (answer.fault, answer.text, answer.started) == (None, "1 0", True)


def answer_of_steady(table: Table) -> bool:
    (answer,) = table.ask([request(STATE, 1)])
    return answer.fault is None and answer.text == "1 0"


# -- at the same time --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lifetime", BOTH)
def test_seats_asked_together_are_judged_each_by_its_own_conduct(lifetime: Lifetime) -> None:
    tight = {"move": "100ms", "first_move": "100ms"}
    seats = [
        seat("hangs.c", lifetime, 0, **tight),
        seat("steady.c", lifetime, 1),
        seat("aborts.c", lifetime, 2),
        seat("floods_stdout.c", lifetime, 3),
        seat("silent.sh", lifetime, 4),
    ]
    kinds = [FaultKind.LATE, None, FaultKind.CRASHED, FaultKind.FLOODED, FaultKind.SILENT]
    with Table(seats) as table:
        for _ in range(2):
            answers = table.ask([request(STATE, index) for index in range(len(seats))])
            assert [answer.fault and answer.fault.kind for answer in answers] == kinds
            assert answers[1].text.strip() == "1 0"


# -- starting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lifetime", BOTH)
def test_a_program_that_is_gone_is_a_fault_and_not_an_error(lifetime: Lifetime, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "gone")
    not_started = Fault(FaultKind.NOT_STARTED, f"{nowhere}: No such file or directory")
    spent = Fault(FaultKind.SPENT, "used up its 3 restarts for this game")
    with Table([Seat(Launch([nowhere], "/", {}), terms(), lifetime)]) as table:
        answers = [table.ask([request(STATE)])[0].fault for _ in range(RESTARTS + 2)]
    assert answers == [not_started] * (RESTARTS + 1) + [spent if lifetime == "game" else not_started]


# -- children that outlive the agent -----------------------------------------------------------------------


def test_children_that_flood_on_after_the_agent_has_ended_are_not_listened_to_for_ever() -> None:
    pipes = 3 * CHUNK  # as much as may be printed, what one read brings on top, what the pipe held at the end
    with Table([seat("child_floods.c", "move")]) as table:
        for _ in range(20):
            (answer,) = table.ask([request(STATE)])
            assert answer.said_bytes <= pipes


def test_a_daemon_of_one_agent_is_killed_and_that_of_another_is_left_alone() -> None:
    """Each leaves a child in a session of its own; only the one whose agent is killed loses it."""
    before = frozenset(tree.children(os.getpid()))
    with Table([seat("child_own_session.pl", "game", 0), seat("child_own_session.pl", "move", 1)]) as table:
        (answer,) = table.ask([request(STATE)])
        assert answer.fault is None
        keeper = only_child(before)
        (kept,) = tree.children(keeper)
        (answer,) = table.ask([request(STATE, 1)])
        assert answer.fault is None
        assert only_child(before) == keeper
        assert tree.children(keeper) == [kept]


# -- attempts on the table itself --------------------------------------------------------------------------


def test_output_that_the_agent_reads_back_itself_is_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent can open /proc/self/fd/1 and read its output between our poll and our read."""
    with Table([seat("steady.c", "game")]) as table:
        table.ask([request(STATE)])
        read, taken = os.read, list[int]()

        def too_late(fd: int, size: int) -> bytes:
            if not taken:
                taken.append(fd)
                raise BlockingIOError
            return read(fd, size)

        monkeypatch.setattr("arbiter.agents.ask.fast_path.read", too_late)
        for _ in range(1000):  # on a busy machine the fast path may have given up before it reads
            (answer,) = table.ask([request(STATE)])
            assert (answer.fault, answer.text) == (None, "1 0")
            if taken:
                break
        assert taken


def test_stale_output_in_an_enlarged_pipe_is_not_taken_for_an_answer(puppet: Puppet) -> None:
    with Table([puppet.seat()]) as table:
        table.ask([request("one\n")])
        process = table.process(0)
        assert process
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4 * CHUNK)  # as the agent can from its side
        puppet.write(1, CHUNK)
        puppet.write(1, 10)
        puppet.listen()
        (answer,) = table.ask([request("two\n")])
    assert answer.fault == Fault(FaultKind.FLOODED, "printed more than 64KB without being asked")


def test_an_agent_that_has_faulted_is_stopped_while_others_think(tmp_path: Path) -> None:
    """Here the other answers once it has seen that."""
    seen = tmp_path / "pid"
    os.mkfifo(seen)
    late = f"""
import os, sys
with open({str(seen)!r}, "w") as file: print(os.getpid(), file=file)
while True: pass
"""
    watcher = f"""
import sys
with open({str(seen)!r}) as file: pid = int(file.read())
sys.stdin.readline()
state = lambda: open(f"/proc/{{pid}}/stat").read().rsplit(")", 1)[1].split()[0]
while state() != "T": pass
print("stopped", flush=True)
"""
    with Table([python(late, "game", move="500ms", first_move="500ms"), python(watcher, "game")]) as table:
        first, second = table.ask([request("1\n"), request("1\n", 1)])
    assert first.fault is not None
    assert first.fault.kind == FaultKind.LATE
    assert (second.fault, second.text) == (None, "stopped")


def test_cpu_time_after_an_answer_is_not_charged_to_it_while_others_think(tmp_path: Path) -> None:
    burnt = tmp_path / "burnt"
    os.mkfifo(burnt)
    ponders = f"""
import sys, time
sys.stdin.readline()
print("done", flush=True)
while time.process_time() < 0.5: pass
with open({str(burnt)!r}, "w") as file: file.write("!")
sys.stdin.readline()
"""
    thinks = f"""
import sys
sys.stdin.readline()
with open({str(burnt)!r}) as file: file.read()
print("done", flush=True)
"""
    # On a busy machine the one that ponders may have to give way; it must not be stopped, since the other waits for it.
    spare = TableRules(spare=tuple(os.sched_getaffinity(0)))
    with Table([python(ponders, "game"), python(thinks, "game")], spare) as table:
        first, second = table.ask([request("1\n"), request("1\n", 1)])
    assert (first.text, second.text) == ("done", "done")
    assert first.cpu_ns < 500_000_000


def test_work_of_an_agent_that_has_itself_continued_while_it_is_stopped_is_noted(tmp_path: Path) -> None:
    """It cannot be prevented without cgroups."""
    burnt = tmp_path / "burnt"
    os.mkfifo(burnt)
    ponders = f"""
import ctypes, signal, struct, sys, threading, time
signal.signal(signal.SIGCONT, lambda *_: None)
libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
# Many timers that fire once: the stop discards what is pending, and a repeated timer whose signal is discarded never fires again.
for number in range(1, 300):
    libc.timer_create(1, struct.pack("Pii48x", 0, signal.SIGCONT, 0), ctypes.byref(timer))
    libc.timer_settime(timer, 0, struct.pack("4q", 0, 0, *divmod(number * 100_000_000, 10**9)), None)
def think():
    end = time.process_time() + 0.1
    while time.process_time() < end: pass
    with open({str(burnt)!r}, "w") as file: file.write("!")
for line in sys.stdin:
    print("done", flush=True)
    threading.Thread(target=think, daemon=True).start()
"""
    thinks = f"""
import sys
for line in sys.stdin:
    with open({str(burnt)!r}) as file: file.read()
    print("done", flush=True)
"""
    with Table([python(ponders, "game"), python(thinks, "game")], TableRules(ponder=False)) as table:
        answers = [table.ask_one(index, "1\n", lambda _: "") for index in (0, 1, 0)]
    assert [(answer.text, answer.fault) for answer in answers] == [("done", None)] * 3
    assert [bool(re.fullmatch("used .*ms of CPU time while it was stopped", note)) for note in answers[2].notes] == [
        True
    ]


def test_an_agent_that_fills_its_memory_between_moves_is_killed_then() -> None:
    # Shared memory, which no resource limit counts.
    hoards = """
import mmap, sys
for line in sys.stdin:
    print("done", flush=True)
    kept = mmap.mmap(-1, 200 << 20)
    for _ in range(200): kept.write(bytes(1 << 20))
"""
    watches = """
import os, select, sys
for line in sys.stdin:
    try: select.select([os.pidfd_open(int(line))], [], [])
    except ProcessLookupError: pass
    print("gone", flush=True)
"""
    spare = TableRules(spare=tuple(os.sched_getaffinity(0)))  # see above: it must not be stopped either
    before = set(tree.children(os.getpid()))
    with Table([python(hoards, "game", memory="100MB"), python(watches, "game")], spare) as table:
        first = table.ask_one(0, "1\n", lambda _: "")
        (hoarder,) = set(tree.children(os.getpid())) - before
        second = table.ask_one(1, f"{hoarder}\n", lambda _: "")
        third = table.ask_one(0, "1\n", lambda _: "")
    assert (first.text, second.text) == ("done", "gone")
    assert third.fault is not None
    assert third.fault.kind == FaultKind.MEMORY
    assert third.fault.detail.endswith("between moves")


@pytest.mark.parametrize("lifetime", BOTH)
def test_a_process_that_cannot_be_watched_is_killed_at_once(
    lifetime: Lifetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel limits how many descriptors a user may watch."""
    watched: list[AgentProcess] = []

    def refuse(self: Poller, process: AgentProcess, listener: Listener, *, undisturbed: bool = False) -> None:
        watched.append(process)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Poller, "watch", refuse)
    with Table([seat("steady.c", lifetime)]) as table:
        (answer,) = table.ask([request(STATE)])
        assert answer.fault
        assert answer.fault.kind is FaultKind.NOT_STARTED
        assert [process.closed for process in watched] == [True]


def test_a_machine_out_of_descriptors_is_a_fault_and_leaves_nothing_behind() -> None:
    """However far starting an agent gets before there is none left."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Table([seat("steady.c", "move")]) as table:
        taken = max(int(entry.name) for entry in os.scandir("/proc/self/fd"))
        try:
            for room in range(10):
                resource.setrlimit(resource.RLIMIT_NOFILE, (taken + 1 + room, hard))
                (answer,) = table.ask([request(STATE)])
                assert answer.fault is None or answer.fault.kind == FaultKind.NOT_STARTED
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        (answer,) = table.ask([request(STATE)])
        assert (answer.fault, answer.text.strip()) == (None, "1 0")


def test_an_agent_is_not_given_more_memory_than_the_arbiter_was_started_with() -> None:
    """Only root could, and for everybody else asking would be an error."""
    code = "import resource; print(*resource.getrlimit(resource.RLIMIT_DATA))"
    program = f"""
import os, resource, sys
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.ask.table import Request, Seat, Table
from arbiter.config.limits import Source, resolve_limits
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))
limits = resolve_limits([Source("test", {{"memory": "2GB", "move": "60s"}})])[0]
with Table([Seat(Launch([sys.executable, "-c", {code!r}], "/", dict(os.environ)), limits, "move")]) as table:
    print(table.ask([Request(0, "", lambda _: "")])[0].text)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(1 << 30)] * 2

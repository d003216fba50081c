"""Signals end the process at any moment: even if their exception is lost, and never while agents are being killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.tools import ROOT

START = """
import contextlib, gc, os, signal, sys, weakref
from arbiter import signals
from arbiter.agents.ask.poller import Poller

for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
signals.install()
sys.unraisablehook = lambda lost: print("lost", type(lost.exc_value).__name__)
FIRST = signal.Signals[sys.argv[1]]

def burst():
    os.kill(os.getpid(), FIRST)

def everything():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT) * 20:
        os.kill(os.getpid(), number)

class Plain:
    pass

class Dying:
    def __del__(self):
        burst()

def wait():
    poller = Poller()
    try:
        poller.wait(600_000_000_000)
    finally:
        everything()
        print("closed")
"""
LOST = {
    "in a destructor": "Dying()",
    "in a weak reference's callback": "one = Plain()\nkept = weakref.ref(one, lambda _: burst())\ndel one",
    "in a callback of the garbage collector": "gc.callbacks.append(lambda *_: burst())\ngc.collect()\ngc.callbacks.clear()",
    "before the poller exists, and many": "Dying(); Dying(); Dying()",
}
STATUS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}


def run(code: str, number: signal.Signals = signal.SIGTERM) -> tuple[int, list[str]]:
    """Run this code in a process of its own; return its exit status and what it printed."""
    words = [sys.executable, "-c", f"{START}\n{code}", number.name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False, env=environment
    )
    return abs(ran.returncode), ran.stdout.splitlines()


@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("moment", LOST)
def test_the_poller_ends_if_the_exception_was_lost(moment: str, number: signal.Signals) -> None:
    status, said = run(f"{LOST[moment]}\nwait()", number)
    kind = "KeyboardInterrupt" if number == signal.SIGINT else "SystemExit"
    assert set(said[:-1]) == {f"lost {kind}"}
    assert said[-1] == "closed"
    assert status in (STATUS[number], number)  # Python ends itself by SIGINT after a KeyboardInterrupt


def test_another_signal_ends_a_computation_if_the_exception_was_lost() -> None:
    status, said = run("Dying()\ntry:\n    burst()\nfinally:\n    print('arrived')\n")
    assert (status, said) == (143, ["lost SystemExit", "arrived"])


UNWINDING = {
    "finally": "try:\n    burst()\nfinally:\n    everything()\n    print('whole')",
    "except": "try:\n    burst()\nexcept SystemExit:\n    everything()\n    print('whole')\n    raise",
    "another error meanwhile": """
try:
    burst()
finally:
    try:
        raise OSError
    except OSError:
        everything()
        print('whole')
""",
    "callbacks of an exit stack": """
with contextlib.ExitStack() as stack:
    stack.callback(print, 'whole')
    stack.callback(everything)
    burst()
""",
    "a context manager's generator": """
@contextlib.contextmanager
def table():
    try:
        yield
    finally:
        everything()
        print('whole')
with table():
    burst()
""",
}


@pytest.mark.parametrize("place", UNWINDING)
def test_further_signals_do_not_disturb_the_unwinding(place: str) -> None:
    assert run(UNWINDING[place]) == (143, ["whole"])


def test_signals_are_ignored_once_the_process_is_about_to_exit() -> None:
    assert run("signals.finish()\neverything()\nprint('done')") == (0, ["done"])


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    code = "signal.signal(FIRST, signal.SIG_IGN)\nsignals.install()\nburst()\nprint('on')"
    assert run(code) == (0, ["on"])

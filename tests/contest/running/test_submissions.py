"""One submission stops nobody else: what is wrong with it is a note, and the others play."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter.contest import runner
from tests.contest.running.around import auction, plan_of
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

CARD = "run: sh bot.sh\n"


def _nul(folder: Path) -> None:
    write(folder.with_name("nul"), "#!/bin/\0sh\n", executable=True)


def _dates(folder: Path) -> None:
    write(folder / "agent.yaml", f"{CARD}2001-01-01: 1\n")


def _bomb(folder: Path) -> None:
    lines = "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" for n in range(1, 30))
    write(folder / "agent.yaml", f"a0: &a0 [x]\n{lines}{CARD}")


def _fifo(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "agent.yaml")


def _device(folder: Path) -> None:
    folder.mkdir()
    (folder / "agent.yaml").symlink_to("/dev/zero")


def _surrogate(folder: Path) -> None:
    write(folder / "agent.yaml", f'{CARD}name: "\\udcff"\n')


def _escape(folder: Path) -> None:
    write(folder.with_name("\x1b[2J\udcff.xyz"), "#!/no/such\n", executable=True)


def _somebody_elses_interpreter(folder: Path) -> None:
    write(folder.parent.parent / "secret" / "bin" / "tool", "#!/bin/sh\n", executable=True)
    write(folder.with_name("thief"), f"#!{folder.parent.parent}/secret/bin/tool\n", executable=True)


@pytest.mark.parametrize(
    "submit", [_nul, _dates, _bomb, _fifo, _device, _surrogate, _escape, _somebody_elses_interpreter]
)
def test_a_bad_submission_is_left_out_with_a_note(place: Path, submit: Callable[[Path], None]) -> None:
    for name in ("one", "two"):
        write(place / "submissions" / f"{name}.sh", "while read line; do echo 1; done\n")
    submit(place / "submissions" / "bad")
    contest = auction(place, ["submissions"])
    (note,) = contest.notes
    assert " does not take part: " in note
    assert note.isprintable()
    assert [entrant.agent.name for entrant in plan_of(contest).entrants] == ["one", "two"]
    assert runner.run_contest(contest).complete

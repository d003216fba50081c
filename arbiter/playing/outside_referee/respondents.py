"""The players behind a referee: they are asked once, all at the same time, and their answers are the scores."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.question import describe_exit
from arbiter.agents.ask.request import Request, Seat
from arbiter.agents.launch import supervisor
from arbiter.errors import UserError
from arbiter.game import Chance, Fault, OptionValue
from arbiter.playing.outside_referee import relay
from arbiter.playing.outside_referee.log import BadLog, Verdict, keep_log, read_referee_log
from arbiter.playing.outside_referee.run import Conduct, RefereeRun
from arbiter.playing.outside_referee.settings import command_line, game_ns
from arbiter.text import safe

_LARGEST_SEED = 1 << 63
"""Referees read their seed as a signed 64-bit integer."""
_SAID = 300


class RefereeFailed(UserError):
    """The referee gave no result for a game."""


class RefereedPlayer:
    """Answers for one seat; see :class:`arbiter.agents.ask.outside.Respondent`. The referee keeps the time."""

    left_ns: int | None = None

    def __init__(self, referee: OutsideReferee, seat: int) -> None:
        self._referee, self._seat = referee, seat

    def put(self, request: Request) -> None:
        """Do nothing: the referee sends agents their input."""

    def answer(self) -> Answer:
        """Return the score of this seat. Raises RefereeFailed."""
        return self._referee.answers[self._seat]

    def finish(self, text: str) -> None:
        """Do nothing: the agents have exited."""


class OutsideReferee:
    """Has another program referee a game between the agents in these seats."""

    def __init__(self, seats: Sequence[Seat], options: Mapping[str, OptionValue], seed: int, record: Path) -> None:
        self._seats, self._options, self._record = seats, options, record
        self._seed, self._derived = seed, seed >= _LARGEST_SEED
        if self._derived:
            self._seed = Chance(seed, "referee").below(1 << 53)

    def respondents(self) -> dict[int, RefereedPlayer]:
        """Return who answers for each seat."""
        return {seat: RefereedPlayer(self, seat) for seat in range(len(self._seats))}

    @cached_property
    def answers(self) -> list[Answer]:
        """The answers by seat, each its score; the referee is run when they are first needed. Raises RefereeFailed."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(supervisor.subreaper())
            stack.enter_context(supervisor.private())
            folder = Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="arbiter-referee-", dir=parent_folder()))
            )
            run = self._prepare(folder)
            try:
                code = run.play()
            except OSError as error:
                raise RefereeFailed(f"the referee cannot be started: {error.strerror}") from None
            verdict, log = self._verdict(run, code, folder / "log.json")
        with contextlib.suppress(OSError):  # a full disk: the scores are more important than the log
            keep_log(log, self._record)
        return [self._answer(seat, verdict, conduct) for seat, conduct in enumerate(run.conduct)]

    def _prepare(self, folder: Path) -> RefereeRun:
        address, log = folder / "socket", folder / "log.json"
        relays = [str(_relay(folder, address, seat)) for seat in range(len(self._seats))]
        options = self._options
        argv = command_line(str(options["command"]), relays, str(log), self._seed, str(options["data"]))
        where = str(options["folder"] or Path.cwd())
        return RefereeRun(argv, where, self._seats, address, game_ns(str(options["game_time"])))

    def _verdict(self, run: RefereeRun, code: int | None, log: Path) -> tuple[Verdict, bytes]:
        try:
            if code is None:
                raise BadLog(f"it did not end the game within {self._options['game_time']}")
            if code:
                raise BadLog(f"it {'was ' if code < 0 else ''}{describe_exit(code)}")
            return read_referee_log(log, len(self._seats))
        except BadLog as bad:
            lines = run.printed.decode(errors="replace").strip().splitlines()
            said = f"; it printed {safe(lines[-1])[:_SAID]!r}" if lines else ""
            failed = [f"player {seat + 1} {one.fault.detail}" for seat, one in enumerate(run.conduct) if one.fault]
            before = f"; before that, {', '.join(failed)}" if failed else ""
            raise RefereeFailed(f"the referee gave no result: {bad}{said}{before}") from None

    def _answer(self, seat: int, verdict: Verdict, conduct: Conduct) -> Answer:
        score = verdict.scores[seat]
        text = f"score {int(score) if float(score).is_integer() else score}"
        errors = verdict.errors[seat]
        if (log := self._seats[seat].stderr_log) and errors:
            log(errors.encode(errors="replace"))
        notes = [f"the referee was given seed {self._seed}"] if self._derived and seat == 0 else []
        if not conduct.starts and conduct.fault is None:
            notes.append("the referee did not start this agent")
        fault = conduct.fault
        return Answer(
            seat=seat,
            text=text,
            said_bytes=len(text),
            fault=Fault(fault.kind, f"{fault.detail} ({text})") if fault else None,
            wall_ns=conduct.wall_ns,
            cpu_ns=conduct.cpu_ns,
            charged_ns=conduct.cpu_ns,
            kibitz=verdict.kibitz(seat),
            notes=notes,
            stderr=errors[-2000:] if fault else "",
            exit_code=conduct.exit_code if fault else None,
            started=True,
            peak_bytes=conduct.peak_bytes,
        )


def _relay(folder: Path, address: Path, seat: int) -> Path:
    """Write the program for one player. Its path has no spaces, since referees split commands at spaces."""
    program = folder / f"player{seat + 1}"
    words = [sys.executable, "-I", "-S", relay.__file__, str(address), str(seat)]
    program.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n", encoding="utf-8")
    program.chmod(0o700)
    return program


def parent_folder() -> str:
    """Return the parent of the folder of a run: agents cannot see it, and its path has no spaces."""
    folder = tempfile.gettempdir()
    return folder if folder.isascii() and not any(map(str.isspace, folder)) and len(folder) < 60 else "/tmp"

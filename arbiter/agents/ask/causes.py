"""Why an agent failed, in a sentence for its author, where that can be known from what the arbiter has seen.

A sentence says what was seen, and what that is typical of; it never states a guess as a fact. Pure functions, whose results
go into the notes of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arbiter.agents.ask.late_output import LateOutput
from arbiter.game import Fault, FaultKind, quoted
from arbiter.text import count
from arbiter.units import show_duration

_SLOW_STARTERS = (
    "java", "mono", "dotnet", "scala", "groovy", "clojure", "kotlin", "julia", "Rscript",
)  # fmt: skip
"""Programs that take a noticeable time to start."""
_MISSING = re.compile(
    r"No module named '?(?P<python>[\w.]+)|Cannot find module '(?P<node>[^'\n]+)'"
    r"|(?:ClassNotFoundException|NoClassDefFoundError): (?P<java>[\w.$/]+)|find or load main class (?P<main>[\w.$]+)"
    r"|error while loading shared libraries: (?P<library>[^:\n]+):|Can't locate (?P<perl>[\w/]+\.pm) in @INC"
    r"|cannot load such file -- (?P<ruby>[^\s(]+)|module '(?P<lua>[\w.]+)' not found"
    r"|Could not load file or assembly '(?P<mono>[^',\n]+)"
)
"""What runtimes print when they cannot find a module or library of the program."""
_NO_FILE = re.compile(r"No such file or directory: '([^'\n]+)'|no such file or directory, open '([^'\n]+)'"
                      r"|FileNotFoundException: (.+?) \(No such file or directory\)")  # fmt: skip
_READ_ONLY = re.compile(r"Read-only file system(?:: '([^'\n]+)')?")
_END_OF_INPUT = re.compile(r"EOFError: EOF when reading a line|NoSuchElementException: No line found")
_CARRIAGE_RETURN = re.compile(
    r"\r'?: (?:command )?not found|\r: bad variable name|illegal option -\s*\r|\\r'?: command not found"
)


_SEES = ": in the sandbox it sees its own folder and what is installed for all users"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the arbiter observed about an agent that failed."""

    fault: Fault
    program: str
    """The program it was started with."""
    per_move: bool
    """Whether it was spawned for this move."""
    first: bool
    """Whether this was the first question to its process."""
    has_answered: bool
    """Whether its process had answered an earlier question."""
    boxed: bool
    """Whether it runs in a sandbox."""
    stderr: str
    """The tail of its standard error."""
    cpu_ns: int = 0
    """CPU time it used for this question."""
    last: LateOutput | None = None
    """What it printed after it had been ruled late."""
    crlf_script: str = ""
    """The name of the shell script that it consists of, if that has Windows line endings."""


def likely_causes(seen: Circumstances) -> list[str]:
    """Return a sentence per likely cause; usually one or none."""
    if seen.fault.kind is FaultKind.LATE:
        return list(_causes_of_lateness(seen))
    if seen.fault.kind in (FaultKind.CRASHED, FaultKind.SILENT, FaultKind.CLOSED):
        return list(_causes_of_exit(seen))
    return []


def _causes_of_lateness(seen: Circumstances) -> Iterator[str]:
    last = seen.last or LateOutput()
    if last.input_closed:
        also = "" if seen.has_answered else ", or of a program that reads its input to the end before it answers"
        yield (
            f"printed {quoted(last.text)} only after its input had been closed, which is typical of output that was not "
            f"flushed{also}"
        )
    elif last.unended:
        yield f"printed {quoted(last.text)} without an end of line: end every answer with a line feed"
    elif last.text:
        when = (
            f"{show_duration(last.after_ns)} after it had been ruled late"
            if last.after_ns
            else "after its time was over"
        )
        yield f"answered {quoted(last.text)} {when}"
    elif last.unread_bytes:
        yield f"had not read all of its input: left {count(last.unread_bytes, 'byte')} in the pipe"
    name = Path(seen.program).name
    if seen.first and name in _SLOW_STARTERS:
        which = "every move" if seen.per_move else "the first move"
        more = "; --lifetime game starts it once" if seen.per_move else ", for which there is the limit first_move"
        yield f"used {show_duration(seen.cpu_ns)} of CPU time; {which} includes starting {name}{more}"


def _causes_of_exit(seen: Circumstances) -> Iterator[str]:
    text = seen.stderr
    if missing := _last(_MISSING, text):
        yield f"its standard error says that {quoted(missing)} was not found{_SEES if seen.boxed else ''}"
    elif missing := _last(_NO_FILE, text):
        where = _SEES if seen.boxed else ""
        where = where if missing.startswith("/") else "; relative paths begin in its own folder"
        yield f"its standard error says that there is no file {quoted(missing)}{where}"
    if _READ_ONLY.search(text):
        yield (
            "its standard error mentions a read-only file system: it can write new files to its working directory and to "
            "$TMPDIR, and replace a file it shipped by renaming a new one over it"
        )
    if _END_OF_INPUT.search(text):
        once = ": a process that is spawned for one move gets one prompt" if seen.per_move else ""
        yield f"its standard error shows that it read on after the end of its input{once}"
    if seen.crlf_script:
        yield (
            f"{seen.crlf_script} has Windows line endings (CRLF), which {Path(seen.program).name} does not "
            "understand: save it with line feeds only"
        )
    elif _CARRIAGE_RETURN.search(text):
        yield (
            "its standard error complains about a carriage return, which is typical of a script saved with Windows line "
            "endings (CRLF)"
        )
    if seen.fault.kind is FaultKind.SILENT and seen.has_answered:
        yield "ended by itself after it had answered: in this lifetime a process must read on for the next prompt"


def _last(pattern: re.Pattern[str], text: str) -> str:
    """Return the name in the last match: the cause is at the end of a stack trace."""
    found = ""
    for match in pattern.finditer(text):
        found = next(filter(None, match.groups()), "")
    return found

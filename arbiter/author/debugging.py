"""Start an agent under a debugger, with the recorded input on its standard input."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arbiter.agents.prepare.environment import environment_for
from arbiter.agents.prepare.first_line import first_line_words, found_by_env
from arbiter.game import Protocol
from arbiter.plan import Entrant
from arbiter.records.format import Header
from arbiter.records.reader import Record
from arbiter.records.replay import Replay

_PDB = str(Path(__file__).with_name("pdb_on_terminal.py"))


@dataclass(frozen=True, slots=True)
class DebugSession:
    """How to debug an agent: the command, and whether its standard input is the recorded one."""

    argv: tuple[str, ...]
    folder: str
    environment: dict[str, str]
    input: Path
    """The file with the recorded input."""
    redirect: bool
    """Whether the command is given the file as its standard input; a debugger such as gdb opens it by itself."""
    notes: tuple[str, ...]
    debugger: str
    """Empty if none is known or installed for this program: the command then runs the agent alone."""

    def command_line(self) -> str:
        """Return what to type to start it."""
        redirected = f" < {shlex.quote(str(self.input))}" if self.redirect else ""
        return f"cd {shlex.quote(self.folder)} && {shlex.join(self.argv)}{redirected}"

    def start(self) -> None:
        """Replace this process with the debugger. Returns never."""
        os.chdir(self.folder)
        if self.redirect:
            os.dup2(os.open(self.input, os.O_RDONLY), 0)
        os.execvpe(self.argv[0], self.argv, {**os.environ, **self.environment})


def write_input(data: bytes, turn: int, seat: int) -> Path:
    """Write the recorded input to a new file that only its owner can read."""
    handle, name = tempfile.mkstemp(prefix=f"arbiter-turn-{turn}-seat-{seat}-", suffix=".txt")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return Path(name)


def recorded_input(record: Record, protocol: Protocol, seat: int, turn: int, *, per_move: bool) -> bytes:
    """Return what a fresh process needs to be sent to come to this turn: this prompt, or for a long-lived agent all so far."""
    replay, sent = Replay(record, protocol), ""
    for number, lines in replay:
        if any(line.seat == seat for line in lines) and (number == turn or not per_move):
            sent += replay.game.prompt(seat) if sent else replay.game.briefing(seat) + replay.game.prompt(seat)
        if number == turn:
            break
    return sent.encode()


def turn_to_debug(record: Record, seat: int) -> int:
    """Return the turn of the seat's first fault, or else of its last answer; 0 if it was never asked."""
    own = [line for line in record.answers if line.seat == seat]
    return next((line.turn for line in own if line.fault), own[-1].turn if own else 0)


def debug_session(entrant: Entrant, header: Header, data: Path) -> DebugSession:
    """Return how to debug an agent with this input. It runs without a sandbox and without limits."""
    agent = entrant.agent
    words = _interpreted(agent.command)
    program = Path(words[0]).name
    argv, redirect, debugger, notes = tuple(words), True, "", []
    if program.startswith(("python", "pypy")) and (script := _script(words)) is not None:
        argv, debugger = (*words[:script], _PDB, *words[script:]), "pdb"
    elif program in ("node", "nodejs"):
        argv, debugger = (words[0], "--inspect-brk", *words[1:]), "node --inspect"
        notes.append("open chrome://inspect in a browser, or attach an editor, to go on from the first line")
    elif program == "java":
        port = _free_port()
        agentlib = f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:{port}"
        argv, debugger = (words[0], agentlib, *words[1:]), "jdwp"
        notes.append(f"in another terminal: jdb -attach 127.0.0.1:{port}")
    elif _is_binary(words[0]):
        redirect = False
        argv = ("gdb", "-q", "-ex", f"set args {shlex.join(words[1:])} < {shlex.quote(str(data))}", words[0])
        debugger = "gdb" if shutil.which("gdb") else ""
        notes.append("set breakpoints, then type 'run'" if debugger else "gdb is not installed")
        if agent.build:
            notes.append("lines and variables show only in a program built with -g")
    else:
        notes.append(f"no debugger is known for {program}: this runs the agent with the recorded input")
    if header.sandbox != "none":
        notes.append("this runs without the sandbox and the limits of the game")
    environment = environment_for(agent, entrant.lifetime, None)
    return DebugSession(argv, str(agent.folder), environment, data, redirect, tuple(notes), debugger)


def _interpreted(command: Sequence[str]) -> list[str]:
    """Return a command with the interpreter of a script in front, as the kernel would run it."""
    words = first_line_words(command[0])
    if not words:
        return list(command)
    by_env = found_by_env(words)
    return [*([by_env] if by_env else words), *command]


def _script(words: Sequence[str]) -> int | None:
    """Return the index of the script in a Python command; None if it runs a module or code."""
    for index, word in enumerate(words[1:], 1):
        if word in ("-m", "-c", "-"):
            return None
        if not word.startswith("-"):
            return index
    return None


def _is_binary(program: str) -> bool:
    try:
        with Path(program).open("rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""Start an agent under a debugger, with the recorded input on its standard input."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.first_line import first_line_words, found_by_env
from arbiter.agents.prepare.launch_spec import environment_for
from arbiter.game import Protocol
from arbiter.playing.plan import Entrant
from arbiter.records.reader import Record
from arbiter.records.replay import Replay

_GNU = ("-g", "-Og")
_MORE = {
    "gcc": _GNU, "g++": _GNU, "cc": _GNU, "c++": _GNU, "clang": _GNU, "clang++": _GNU, "gdc": _GNU,
    "rustc": ("-g",), "javac": ("-g",), "ldc2": ("-g",), "dmd": ("-g",), "fpc": ("-g",),
}  # fmt: skip
"""Compiler flags for a debugger."""
_LISTEN = "0A"
"""The state of a listening socket in /proc/net/tcp."""
_LOOSE = "this runs without the sandbox and the limits of the game"
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
    attach: tuple[str, ...] = ()
    """The debugger to attach to the command, which waits for it at :attr:`port`; empty if the command is the debugger."""
    port: int = 0

    def command_line(self) -> str:
        """Return what to type to start it."""
        redirected = f" < {shlex.quote(str(self.input))}" if self.redirect else ""
        return f"cd {shlex.quote(self.folder)} && {shlex.join(self.argv)}{redirected}"

    def start(self) -> None:
        """Replace this process with the debugger. Never returns."""
        os.chdir(self.folder)
        environment = {**os.environ, **self.environment}
        if self.attach:
            with self.input.open("rb") as data:
                waiting = subprocess.Popen(self.argv, stdin=data, env=environment)
            _wait_for_port(self.port, waiting)
            os.execvpe(self.attach[0], self.attach, environment)
        if self.redirect:
            os.dup2(os.open(self.input, os.O_RDONLY), 0)
        os.execvpe(self.argv[0], self.argv, environment)


def write_input(data: bytes, turn: int, seat: int) -> Path:
    """Write the recorded input to a new file that only its owner can read."""
    handle, name = tempfile.mkstemp(prefix=f"arbiter-turn-{turn}-seat-{seat}-", suffix=".txt")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return Path(name)


def recorded_input(record: Record, protocol: Protocol, seat: int, turn: int, *, per_move: bool) -> bytes:
    """Return the input that brings a new process to this turn: its prompt, or for a long-lived agent all prompts so far."""
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


def debug_session(entrant: Entrant, data: Path) -> DebugSession:
    """Return how to debug an agent with this input. It runs without a sandbox and without limits."""
    agent = entrant.agent
    words = _interpreted(agent.command)
    program = Path(words[0]).name
    if program.startswith(("python", "pypy")) and (script := _script(words)) is not None:
        how = _LanguageDebugger((*words[:script], _PDB, *words[script:]), "pdb")
    elif program in ("node", "nodejs"):
        how = _node(words)
    elif program == "java":
        how = _java(words, agent)
    elif _is_binary(words[0]):
        how = _gdb(words, agent, data)
    else:
        how = _LanguageDebugger(
            tuple(words), "", (f"no debugger is known for {program}: this runs the agent with the recorded input",)
        )
    notes = (*how.notes, _LOOSE)
    environment = environment_for(agent, entrant.lifetime, None)
    return DebugSession(
        how.argv, str(agent.folder), environment, data, how.redirect, notes, how.debugger, how.attach, how.port
    )


@dataclass(frozen=True, slots=True)
class _LanguageDebugger:
    """The part of a :class:`DebugSession` that depends on the language."""

    argv: tuple[str, ...]
    debugger: str
    notes: tuple[str, ...] = ()
    redirect: bool = True
    attach: tuple[str, ...] = ()
    port: int = 0


def _node(words: Sequence[str]) -> _LanguageDebugger:
    port = _free_port()
    note = (
        f"node waits at its first line: open chrome://inspect in a browser, attach an editor to 127.0.0.1:{port}, or type in "
        f"another terminal: node inspect 127.0.0.1:{port}"
    )
    return _LanguageDebugger((words[0], f"--inspect-brk=127.0.0.1:{port}", *words[1:]), "node --inspect", (note,))


def _java(words: Sequence[str], agent: Agent) -> _LanguageDebugger:
    port = _free_port()
    agentlib = f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:{port}"
    sources = ("-sourcepath", str(_sources(agent)))
    attach = ("jdb", "-attach", f"127.0.0.1:{port}", *sources)
    installed = shutil.which("jdb") is not None
    notes = ["set breakpoints ('stop in Class.method'), then type 'cont'" if installed else "jdb is not installed"]
    notes.append(f"the program waits for a debugger: attach an editor, or in another terminal: {shlex.join(attach)}")
    argv = (words[0], agentlib, *words[1:])
    return _LanguageDebugger(
        argv, "jdb" if installed else "jdwp", tuple(notes), attach=attach if installed else (), port=port
    )


def _gdb(words: Sequence[str], agent: Agent, data: Path) -> _LanguageDebugger:
    run = f"set args {shlex.join(words[1:])} < {shlex.quote(str(data))}"
    argv = ("gdb", "-q", "-ex", f"directory {_sources(agent)}", "-ex", run, words[0])
    installed = shutil.which("gdb") is not None
    notes = ["set breakpoints, then type 'run'" if installed else "gdb is not installed"]
    if agent.build and not agent.build.alone:
        notes.append("lines and variables show only in a program built with -g: add it to 'build' in agent.yaml")
    return _LanguageDebugger(argv, "gdb" if installed else "", tuple(notes), redirect=False)


def _sources(agent: Agent) -> Path:
    """Return the folder of the agent's sources."""
    alone = agent.build is not None and agent.build.alone and agent.origin is not None
    return agent.origin.parent if alone and agent.origin else agent.folder


def for_debugger(agent: Agent) -> Agent:
    """Return an agent whose build, if the arbiter chose its command, keeps lines and variables for a debugger."""
    build = agent.build
    if build is None or not build.alone or Path(build.command[0]).name not in _MORE:
        return agent
    more = _MORE[Path(build.command[0]).name]
    command = [word for word in build.command[1:] if not (word == "-O2" and "-Og" in more)]
    return msgspec.structs.replace(
        agent, build=msgspec.structs.replace(build, command=(build.command[0], *more, *command))
    )


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


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a program listens at this port of the machine, or has ended."""
    wanted = f":{port:04X} "
    while process.poll() is None:
        lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
        if any(wanted in f"{line.split()[1]} " and line.split()[3] == _LISTEN for line in lines[1:]):
            return
        time.sleep(0.01)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""A first program in every language, to find out whether its tools build and run one in the sandbox that games use."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from pathlib import Path

from arbiter.agents.ask.request import Seat, TableRules
from arbiter.agents.ask.table import Table
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.cache import Cache
from arbiter.agents.prepare.fingerprint import identifying_bytes
from arbiter.agents.prepare.languages import Language, find_tool
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import Source, resolve_limits
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.version import __version__

_SAYS = "hello"
_MOST_SHOWN = 200
_LIMITS = Source("a first program", {"first_move": "60s"})

PROGRAMS = {
    ".py": "print('hello')",
    ".js": "console.log('hello')",
    ".ts": "const said: string = 'hello';\nconsole.log(said);",
    ".mts": "const said: string = 'hello';\nconsole.log(said);\nexport {};",
    ".c": '#include <stdio.h>\nint main(void) { puts("hello"); }',
    ".cpp": '#include <iostream>\nint main() { std::cout << "hello\\n"; }',
    ".rs": 'fn main() { println!("hello"); }',
    ".java": 'class Hello { public static void main(String[] words) { System.out.println("hello"); } }',
    ".kt": 'fun main() { println("hello") }',
    ".scala": 'object Hello { def main(words: Array[String]): Unit = println("hello") }',
    ".groovy": "println 'hello'",
    ".clj": '(println "hello")',
    ".go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }',
    ".cs": 'class Hello { static void Main() { System.Console.WriteLine("hello"); } }',
    ".fs": 'printfn "hello"',
    ".fsx": 'printfn "hello"',
    ".vb": 'Module Hello\nSub Main()\nSystem.Console.WriteLine("hello")\nEnd Sub\nEnd Module',
    ".hs": 'main = putStrLn "hello"',
    ".ml": 'let () = print_endline "hello"',
    ".nim": 'echo "hello"',
    ".zig": 'pub fn main() void { _ = @import("std").posix.write(1, "hello\\n") catch 0; }',
    ".d": 'import std.stdio;\nvoid main() { writeln("hello"); }',
    ".dart": "void main() { print('hello'); }",
    ".swift": 'print("hello")',
    ".pas": "begin writeln('hello') end.",
    ".pl": 'print "hello\\n";',
    ".rb": "puts 'hello'",
    ".php": '<?php echo "hello\\n";',
    ".lua": "print('hello')",
    ".r": 'cat("hello\\n")',
    ".jl": 'println("hello")',
    ".tcl": "puts hello",
    ".bash": "echo hello",
    ".sh": "echo hello",
}
"""By extension. Compiled files (.jar, .dll) and languages from arbiter.toml have none, and are not tried."""


def why_not(language: Language, workspace: Workspace, sandbox: SandboxChoice) -> str:
    """Return why a first program in an installed language cannot be built and run; empty if it can, or if there is none.

    That it can is remembered until its tools or the sandbox change.
    """
    suffix = language.extensions[0]
    if suffix not in PROGRAMS:
        return ""
    try:
        cache, key = Cache("languages"), _key(language, sandbox)
        if cache.find(key):
            return ""
        with tempfile.TemporaryDirectory(prefix="arbiter-hello-") as folder:
            Path(folder).chmod(0o755)
            source = Path(folder, f"hello{suffix}")
            source.write_text(PROGRAMS[suffix] + "\n", encoding="utf-8")
            source.chmod(0o644)
            failure = _run(Builder(sandbox).build(resolve_agent(str(source), None, workspace)), sandbox)
    except UserError as error:
        return str(error)
    if not failure:
        cache.store(key, lambda _: None)
    return failure


def _key(language: Language, sandbox: SandboxChoice) -> str:
    """Return the name of a success: a hash of what it depends on."""
    tools = [Path(found) for tool in language.tools if (found := find_tool(tool))]
    parts = [f"{__version__} {sandbox.level} {language!r}".encode(), *map(identifying_bytes, tools)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _run(agent: Agent, sandbox: SandboxChoice) -> str:
    """Run a program and return what was wrong with its output; empty if nothing was."""
    limits, _ = resolve_limits([_LIMITS])
    with contextlib.ExitStack() as stack:
        box: Sandbox | None = None
        where: tuple[str | None, bool] = (None, False)
        if sandbox.level != "none":
            box = stack.enter_context(Sandbox(sandbox.level, visible_files(agent, [], []), limits))
            where = box.where_it_runs
        seat = Seat(launch_spec(agent, "move", *where), limits, "move", box)
        answer = stack.enter_context(Table([seat], TableRules())).ask_one(0, "", lambda _: "")
    if answer.fault is None and answer.text.strip() == _SAYS:
        return ""
    wrong = answer.fault.detail if answer.fault else "printed something else"
    said = " ".join((answer.stderr or answer.text).split())
    return safe(f"{wrong}: {said}" if said else wrong, _MOST_SHOWN)

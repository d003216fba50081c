"""The build of an agent as a value. Nothing is run here; :mod:`arbiter.agents.building` runs builds."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arbiter.agents.prepare.command_line import find_program, split_words
from arbiter.agents.prepare.executable import check_program
from arbiter.agents.prepare.languages import READLINE, TRANSPILE, Language, find_tool, tools_of
from arbiter.agents.prepare.places import holds_more_than_an_agent
from arbiter.agents.prepare.source_text import decoded, encoding_of, main_class, public_class
from arbiter.errors import UserError, in_field

if TYPE_CHECKING:
    from arbiter.agents.prepare.agent import Agent

SOURCE, OUT = "src", "out"
"""Sibling folders of a build: its sources, which are its working directory, and its result."""
RESULT = "\0"
"""Placeholder for the folder with the result in the run command of a build; it cannot be part of a path."""
_SHELL = "/bin/sh"
_MOST_NEIGHBOURS = 200
_SEARCHED_BYTES = 1 << 22
"""How much of a Java source is searched for its main class."""


def cache_folder() -> Path:
    """Return the folder of the build cache, which may be deleted at any time.

    It is an absolute path, since agents are started in other folders: a relative XDG_CACHE_HOME is ignored, as its
    specification requires. A user without a home folder is told to set the variable once something has to be written.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path("/", os.path.expanduser("~"), ".cache")  # noqa: PTH111 - Path.home raises where it is unknown
    return base / "arbiter" / "builds"


class Build(msgspec.Struct, frozen=True):
    """How an agent is built: its inputs, the command, and how to run the result."""

    title: str
    """The name of the file or folder, for messages."""
    files: tuple[tuple[str, str], ...]
    """The inputs: names, and the paths to copy them from. Empty for the agent's whole folder."""
    command: tuple[str, ...]
    """Runs in :data:`SOURCE`, with paths relative to it."""
    run: tuple[str, ...]
    """The command that runs the agent, from the :data:`RESULT` of the build."""
    where: str
    """How errors refer to the run command."""
    extra: tuple[str, ...] = ()
    """More arguments for the command, which is run again without them if it fails."""
    tools: tuple[str, ...] = ()
    """The compiler, and what else the command needs; empty if that may be any tool."""

    @property
    def alone(self) -> bool:
        """Whether a single source file is built, and not a folder."""
        return bool(self.files)


def of_file(source: Path, language: Language) -> Build:
    """Return the build of a single source file, whose inputs are the file and the headers next to it."""
    name = _class_file(source) if language.name == "Java" else source.name
    placeholders = {
        "source": f"./{name}",
        "class_source": f"./{name}",
        "out": f"../{OUT}",
        "program": f"../{OUT}/program",
        "encoding": encoding_of(source.read_bytes()),
        "transpile": f"./{TRANSPILE.name}",
    }
    needed = [*_neighbours(source, language), *([TRANSPILE] if "{transpile}" in language.build else [])]
    return Build(
        title=source.name,
        files=((name, str(source)), *((path.name, str(path)) for path in needed)),
        command=tuple(fill_command(language.build, placeholders, source, language)),
        run=tuple(run_command(source, language)),
        where=f"{source.name} is {language.name}: its program",
        extra=language.extra,
        tools=tuple(filter(None, map(find_tool, tools_of(language.build)))),
    )


def folder_build(folder: Path, command: str | Sequence[str], run: str | Sequence[str], where: str) -> Build:
    """Return the build of an agent's folder: its input is a copy of the whole folder, its result the built copy.

    A string is a shell command; a list is a program and its arguments. ``where`` is what to call the run command in an
    error after the build. Raises FieldError.
    """
    with in_field("build"):
        words = split_words(command, "build", for_shell=True) if isinstance(command, str) else list(command)
        if isinstance(command, str) and words:
            words = [_SHELL, "-c", command]
        else:
            words = _relative(find_program(words, folder, "build"), folder)
    with in_field("run"):
        running = split_words(run, "run") if isinstance(run, str) else list(run)
    return Build(folder.name, (), tuple(words), tuple(running), where)


def finished(agent: Agent, result: Path) -> Agent:
    """Return a built agent with the command that runs it from ``result``. Raises UserError if its program is missing."""
    build = agent.build
    if build is None:
        return agent
    if not build.alone:
        command = find_program(build.run, result, build.where, "the folder after its build")
        check_program(command[0], result, build.where)
        return msgspec.structs.replace(agent, command=tuple(command), folder=result)
    command = [word.replace(RESULT, str(result)) for word in build.run]
    if RESULT in build.run[0] and not os.access(command[0], os.X_OK):
        raise UserError(f"{build.where} {command[0]!r} does not exist or is not executable")
    return msgspec.structs.replace(agent, command=tuple(command))


def run_command(source: Path, language: Language) -> list[str]:
    """Return the command that runs a source file, from the :data:`RESULT` of its build if it has one. Raises UserError."""
    named = main_class(_text(source)) or "Main" if any("{class}" in word for word in language.run) else ""
    placeholders = {
        "source": str(source), "stem": source.stem, "readline": str(READLINE), "class": named, "out": RESULT,
        "program": f"{RESULT}/program",
    }  # fmt: skip
    return fill_command(language.run, placeholders, source, language)


def fill_command(command: Sequence[str], placeholders: dict[str, str], source: Path, language: Language) -> list[str]:
    """Return a command of the table with its program found and placeholders replaced. Raises UserError."""
    tools = {name: find_tool(name) for name in tools_of(command)}
    if missing := next((name for name, path in tools.items() if path is None), ""):
        wanted = language.needs or missing.replace("|", " or ")
        raise UserError(
            f"{source.name} is {language.name} and needs {wanted}, which is not installed "
            f"(or set another command under [languages] in arbiter.toml)"
        )
    known = placeholders | {f"tool:{name}": path for name, path in tools.items() if path}
    first = tools.get(command[0]) or command[0]
    # In one pass, since the name of a file may contain a word in braces, too.
    return [
        re.sub(r"\{([\w:]+)\}", lambda found: known.get(found[1], found[0]), word) for word in (first, *command[1:])
    ]


def _relative(command: Sequence[str], folder: Path) -> list[str]:
    """Return a command whose program, if it is in the folder, is named as its copy will be."""
    first, *rest = command
    inside = first.startswith(f"{folder}/")
    return [f"./{first.removeprefix(f'{folder}/')}" if inside else first, *rest]


def _neighbours(source: Path, language: Language) -> list[Path]:
    """Return the files next to a source that it can include; not the programs of others, and nothing from a shared
    folder."""
    if not language.reads or holds_more_than_an_agent(source.parent):
        return []
    near = (path for path in source.parent.iterdir() if path.suffix in language.reads and path != source)
    return sorted(path for path in near if path.is_file() and not path.is_symlink())[:_MOST_NEIGHBOURS]


def _class_file(source: Path) -> str:
    """Return the name that javac requires for a source: that of its public class. Without one it keeps its own, by which the
    stack traces of its author's exceptions name it."""
    text = _text(source)
    if main_class(text) is None:
        raise UserError(f"{source.name} has no class with a main method")
    return f"{name}.java" if (name := public_class(text)) else source.name


def _text(source: Path) -> str:
    with source.open("rb") as file:
        return decoded(file.read(_SEARCHED_BYTES))

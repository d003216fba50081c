"""What an agent is: from what a user typed to a command that runs.

An AGENT is any of: an executable, a source file, a folder with ``agent.yaml``, a quoted command line, a name from
arbiter.toml, ``human``; each may be given a name with ``name=AGENT``. Everything that can go wrong with that
(no such file, no interpreter, a build that fails) is found here, before any game starts.
"""

from __future__ import annotations

import difflib
import os
import platform
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import yaml

from arbiter.agents.prepare import build, languages
from arbiter.agents.prepare.languages import Language
from arbiter.errors import UserError
from arbiter.game import Adapter, Lifetime, Protocol
from arbiter.limits import Source, check_names
from arbiter.workspace import AgentEntry, Workspace

HUMAN = "human"
CARD = "agent.yaml"
LIFETIMES: tuple[Lifetime, ...] = ("move", "game")
_NAMED = re.compile(r"([^=/\s]+)=(.+)", re.DOTALL)
_ELF_MACHINES = {"x86_64": 62, "aarch64": 183, "i386": 3, "i686": 3, "riscv64": 243, "ppc64le": 21, "s390x": 22}


@dataclass(frozen=True, slots=True)
class Agent:
    """A competitor's program, ready to run."""

    name: str
    source: str
    """As the user gave it."""
    command: tuple[str, ...]
    """Empty for a human."""
    folder: Path
    """Its own folder, where it runs."""
    language: str = ""
    lifetime: Lifetime | None = None
    """None: as the protocol has it."""
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: tuple[Source, ...] = ()
    threads: int = 1
    """How many of it think at the same time."""
    origin: Path | None = None
    """The file or folder it was made from; None for a command line."""

    @property
    def is_human(self) -> bool:
        """Whether a person at the terminal plays it."""
        return not self.command


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an agent.yaml."""

    run: str | list[str]
    name: str = ""
    build: str | list[str] = ""
    lifetime: str = ""
    environment: dict[str, str | int | float] = {}
    limits: dict[str, str | int] = {}
    threads: int = 1
    language: str = ""
    author: str = ""
    about: str = ""


def prepare(
    texts: Sequence[str], protocol: Protocol | None, workspace: Workspace, base: Path | None = None
) -> list[Agent]:
    """Every agent found, built and checked, with names told apart: ``bot.py`` and ``bot.js``, ``greedy`` and
    ``greedy-2``. Paths are relative to ``base``, or the current folder."""
    return with_distinct_names([resolve(text, protocol, workspace, base) for text in texts], texts)


def with_distinct_names(found: Sequence[Agent], texts: Sequence[str]) -> list[Agent]:
    """Rename agents that share a name; ``texts`` are what the user typed for them, in the same order."""
    agents = [_with_extension(agent, texts) for agent in found]
    taken: set[str] = set()
    for index, agent in enumerate(agents):
        name, count = agent.name, 1
        while name in taken:
            count += 1
            name = f"{agent.name}-{count}"
        taken.add(name)
        agents[index] = replace(agent, name=name)
    return agents


def _with_extension(agent: Agent, texts: Sequence[str]) -> Agent:
    """A file whose name differs from another's in its extension only is called by its full name."""
    file = Path(agent.source)
    if agent.name != file.stem or not any(
        Path(text).stem == file.stem and Path(text).suffix != file.suffix for text in texts
    ):
        return agent
    return replace(agent, name=_clean_name(file.name))


def resolve(text: str, protocol: Protocol | None, workspace: Workspace, base: Path | None = None) -> Agent:
    """One agent from what the user typed. Raises UserError, also with a compiler's words."""
    start = base or Path.cwd()
    named = None if os.path.exists(start / text) else _NAMED.fullmatch(text)  # noqa: PTH110 - any text, also too long a path
    name, what = (named.group(1), named.group(2)) if named else ("", text)
    agent = _find(what, protocol, workspace, start)
    return replace(agent, name=_clean_name(name)) if name else agent


def _find(text: str, protocol: Protocol | None, workspace: Workspace, base: Path) -> Agent:
    if not text.strip():
        raise UserError("an agent's name is empty: write a file, a folder, a command, a name or 'human'")
    if text == HUMAN:
        return Agent(HUMAN, text, (), base, "human")
    adapters = protocol.adapters if protocol else ()
    known = workspace.agents(protocol.name if protocol else None)
    if text in known:
        return _from_workspace(text, *known[text], workspace, adapters)
    return _from_text(text, base, workspace, adapters) or _unknown(text, known)


def _from_workspace(
    name: str, base: Path, entry: AgentEntry, workspace: Workspace, adapters: Sequence[Adapter]
) -> Agent:
    where = f"agent {name!r} in arbiter.toml"
    found = _from_text(entry.agent, base, workspace, adapters)
    if found is None:
        raise UserError(f"{where}: there is no {entry.agent!r} in {base}")
    check_names(entry.limits, where)
    _check_environment(entry.environment, where)
    own = (Source(where, entry.limits),) if entry.limits else ()
    return replace(
        found,
        name=_clean_name(name),
        source=name,
        lifetime=_lifetime(entry.lifetime, where) or found.lifetime,
        threads=_threads(entry.threads, where) if entry.threads else found.threads,
        environment={**found.environment, **entry.environment},
        limits=(*found.limits, *own),
    )


def _from_text(text: str, base: Path, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent | None:
    """A file, a folder or a command line; None if it is none of them."""
    try:
        path = base / Path(text).expanduser()
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, RuntimeError):  # a command line may be too long for a path; nobody may live at ~name
        return _from_command(text, base)
    try:
        if is_folder:
            return _from_folder(text, path.resolve(), workspace)
        if is_file:
            return _from_file(text, path, workspace, adapters)
    except OSError as error:
        about = f" ({error.filename})" if error.filename else ""
        raise UserError(f"{text}: {error.strerror or error}{about}") from None
    return _from_command(text, base)


def _from_file(text: str, path: Path, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent:
    # Not resolved: a name that is a link to a shared program keeps its own folder.
    path = path.absolute()
    language = languages.table(workspace).get(path.suffix)
    if language is not None:
        if not os.access(path, os.R_OK):
            raise UserError(f"{text}: permission denied")
        language = _adapted(path, language, adapters)
        command = build.command_for(path, language)
        return Agent(_clean_name(path.stem), text, tuple(command), path.parent, language.name, origin=path)
    if not os.access(path, os.X_OK):
        kinds = f"its extension {path.suffix!r} is no language known here" if path.suffix else "it has no extension"
        raise UserError(f"{text} is not executable and {kinds}: chmod +x it, or add the language to arbiter.toml")
    _check_executable(text, path)
    return Agent(_clean_name(path.name), text, (str(path),), path.parent, "executable", origin=path)


def _adapted(path: Path, language: Language, adapters: Sequence[Adapter]) -> Language:
    """The language with the protocol's own way to run this file, if it has one for it."""
    for adapter in adapters:
        if path.suffix in adapter.extensions and adapter.recognises(path.read_text(encoding="utf-8", errors="replace")):
            return replace(language, run=adapter.run, build=())
    return language


def _check_executable(text: str, path: Path) -> None:
    """Say now what exec would only say in the middle of a game."""
    with path.open("rb") as file:
        start = file.read(256)
    if start.startswith(b"#!"):
        # Split as the kernel does it: a carriage return belongs to the name, which is then not found.
        words = re.split(r"[ \t]+", start[2:].split(b"\n", 1)[0].decode(errors="replace").strip(" \t"))
        interpreter = words[0]
        if not os.access(interpreter, os.X_OK):
            raise UserError(f"{text}: its first line names the interpreter {interpreter!r}, which is not there")
        if (
            Path(interpreter).name == "env"
            and len(words) > 1
            and not words[1].startswith("-")
            and not shutil.which(words[1])
        ):
            raise UserError(f"{text}: its first line asks for {words[1]!r}, which is not installed")
    elif start.startswith(b"\x7fELF"):
        machine = int.from_bytes(start[18:20], "little" if start[5:6] == b"\x01" else "big")
        if _ELF_MACHINES.get(platform.machine(), machine) != machine:
            raise UserError(f"{text} was compiled for another kind of processor (this one is {platform.machine()})")
    else:
        raise UserError(f"{text} is neither a program nor a script with a first line such as '#!/usr/bin/env python3'")


def _from_folder(text: str, folder: Path, workspace: Workspace) -> Agent:
    card_file = folder / CARD
    if not card_file.is_file():
        raise UserError(f"{text} is a folder without {CARD}: add one with a line such as 'run: python3 bot.py'")
    try:
        data = yaml.safe_load(card_file.read_text(encoding="utf-8"))
        card = msgspec.convert(data, Card)
    except (yaml.YAMLError, ValueError, msgspec.ValidationError, RecursionError) as error:
        raise UserError(f"{card_file}: {' '.join(str(error).split())}") from None
    check_names(card.limits, str(card_file))
    environment = {name: str(value) for name, value in card.environment.items()}
    _check_environment(environment, str(card_file))
    if card.build:
        build.build_folder(folder, _command(card.build, folder, f"{card_file}: build"))
    command = _command(card.run, folder, f"{card_file}: run")
    return Agent(
        _clean_name(card.name or folder.name),
        text,
        tuple(command),
        folder,
        card.language or _guess_language(command, workspace),
        _lifetime(card.lifetime, str(card_file)),
        environment,
        (Source(CARD, card.limits, only_lower=True),) if card.limits else (),
        _threads(card.threads, str(card_file)),
        folder,
    )


def _from_command(text: str, base: Path) -> Agent | None:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"the command {text!r} cannot be split into words: {error}") from None
    if len(words) < 2 and not shutil.which(text):
        return None
    try:
        command = _command(words, base, text)
    except UserError:
        if len(words) < 2:
            return None
        raise
    name = next((Path(word).stem for word in words[1:] if _is_file(base / word)), Path(words[0]).stem)
    return Agent(_clean_name(name), text, tuple(command), base, "command")


def _command(given: str | Sequence[str], folder: Path, where: str) -> list[str]:
    """A command with its program found: in the folder, or on PATH."""
    try:
        words = shlex.split(given) if isinstance(given, str) else list(given)
    except ValueError as error:
        raise UserError(f"{where}: the command {given!r} cannot be split into words: {error}") from None
    if not words:
        raise UserError(f"{where}: the command is empty")
    if any("\0" in word for word in words):
        raise UserError(f"{where}: the command {given!r} holds a null character")
    first = folder / words[0]
    if _is_file(first):
        if not os.access(first, os.X_OK):
            raise UserError(f"{where}: {words[0]!r} is not executable: chmod +x it")
        return [str(first), *words[1:]]
    tool = languages.find_tool(words[0]) if "/" not in words[0] else None
    if tool is None:
        raise UserError(f"{where}: {words[0]!r} is neither in {folder} nor an installed program")
    return [tool, *words[1:]]


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - a word of a command may be too long for a path


def _check_environment(environment: Mapping[str, str], where: str) -> None:
    """Say now what exec would only say in the middle of a game."""
    for name, value in environment.items():
        if not name or "=" in name or "\0" in name + value:
            raise UserError(f"{where}: environment {name!r}: {value!r} cannot be set")


def _guess_language(command: Sequence[str], workspace: Workspace) -> str:
    known = languages.table(workspace)
    return next((known[Path(word).suffix].name for word in command if Path(word).suffix in known), "executable")


def _threads(count: int, where: str) -> int:
    if count < 1:
        raise UserError(f"{where}: threads {count}: write a whole number from 1 up")
    return count


def _lifetime(text: str, where: str) -> Lifetime | None:
    for lifetime in LIFETIMES:
        if text == lifetime:
            return lifetime
    if text:
        raise UserError(f"{where}: lifetime {text!r}: choose from {', '.join(LIFETIMES)}")
    return None


def _clean_name(name: str) -> str:
    """A name fit for tables: no control characters, no runs of blanks, not too long."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in name)
    return " ".join(shown.split())[:40] or "agent"


def _unknown(text: str, known: Mapping[str, object]) -> Agent:
    close = difflib.get_close_matches(text, [*known, HUMAN], 1)
    if "/" in text or Path(text).suffix:
        raise UserError(f"there is no file {text!r}")
    hint = f"did you mean {close[0]!r}?" if close else f"known names: {', '.join([*known, HUMAN])}"
    raise UserError(f"{text!r} is no file, no installed program and no name in arbiter.toml; {hint}")

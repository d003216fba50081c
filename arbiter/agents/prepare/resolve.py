"""Find and check the agents that a user typed, and work out what has to be built.

An AGENT is an executable, a source file, a folder with ``agent.yaml``, the same as it was in a commit (``git:REF:PATH``), one with
parameters (``tuned:FILE:NAME=VALUE``), a quoted command line, a name from arbiter.toml or ``human``, each optionally with a name: ``name=AGENT``. Whatever can go wrong (a missing file or interpreter) is reported
here, before any game starts; nothing that an agent's author wrote is run.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare import build, languages
from arbiter.agents.prepare.agent import (
    HUMAN,
    REMOTE,
    Agent,
    check_environment,
    check_threads,
    clean_name,
    parse_lifetime,
    with_distinct_names,
)
from arbiter.agents.prepare.agent_folder import from_folder, missing_script
from arbiter.agents.prepare.command_line import find_program, is_file, split_words
from arbiter.agents.prepare.executable import check_executable
from arbiter.agents.prepare.git_version import PREFIX, extracted
from arbiter.agents.prepare.languages import Language
from arbiter.agents.prepare.places import without_dots
from arbiter.agents.prepare.source_text import check_imports
from arbiter.agents.prepare.tuned import PREFIX as TUNED
from arbiter.agents.prepare.tuned import resolve_tuned
from arbiter.config.limits import Source, check_names
from arbiter.config.workspace import AgentEntry, Workspace, located_agent
from arbiter.errors import UserError, unknown, wrong_value
from arbiter.game import Adapter, Protocol

_SEARCHED_BYTES = 1 << 17
_NAMED = re.compile(r"([^=/\s]+)=(.+)", re.DOTALL)


def resolve_all(
    texts: Sequence[str], protocol: Protocol | None, workspace: Workspace, base: Path | None = None
) -> list[Agent]:
    """Resolve every agent and give each a distinct name. Paths are relative to ``base``, by default the current folder."""
    return with_distinct_names([resolve_agent(text, protocol, workspace, base) for text in texts], texts)


def resolve_agent(text: str, protocol: Protocol | None, workspace: Workspace, base: Path | None = None) -> Agent:
    """Return the agent that the user typed, checked; an agent with a ``build`` still has to be built. Raises
    UserError."""
    start = base or Path.cwd()
    # The name of a team is data, whatever it contains; a path may be too long.
    whole = text.startswith((f"{REMOTE}:", TUNED)) or os.path.lexists(start / text)
    named = None if whole else _NAMED.fullmatch(text)
    name, what = (named.group(1), named.group(2)) if named else ("", text)
    try:
        agent = _find(what, protocol, workspace, start)
    except UserError:
        before, _, after = text.partition("=")
        if not whole and not named and after and os.path.exists(start / after):  # noqa: PTH110 - Path.exists may raise
            raise wrong_value("name", before, f"one word without '/' in {text!r}") from None
        raise
    return msgspec.structs.replace(agent, name=clean_name(name)) if name else agent


def _find(text: str, protocol: Protocol | None, workspace: Workspace, base: Path) -> Agent:
    if not text.strip():
        raise wrong_value("agent", text, "a file, a folder, a command, a name from arbiter.toml or 'human'")
    if text == HUMAN:
        return Agent(HUMAN, text, (), base, "human")
    if text.startswith(f"{REMOTE}:") and text[len(REMOTE) + 1 :].strip():
        return Agent(clean_name(text[len(REMOTE) + 1 :]), text, (), base, REMOTE)
    if text.startswith(TUNED):
        return resolve_tuned(text, base, lambda inner, folder: _untuned(inner, protocol, workspace, folder))
    adapters = protocol.adapters if protocol else ()
    known = workspace.agents(protocol.name if protocol else None)
    if text in known:
        folder, entry = known[text]
        with located_agent(folder, protocol.name if protocol else "", text):
            return _from_entry(text, folder, entry, workspace, adapters)
    return _from_text(text, base, workspace, adapters) or _unknown(text, base, known, protocol)


def _untuned(text: str, protocol: Protocol | None, workspace: Workspace, base: Path) -> Agent:
    """Resolve the agent that a tuning file names: one that is played here, and not tuned itself."""
    found = None if text.startswith(TUNED) else _find(text, protocol, workspace, base)
    if found is None or found.is_outside:
        raise wrong_value("agent", text, "a file, a folder, a command or a name from arbiter.toml")
    return found


def _unknown(text: str, base: Path, known: Mapping[str, object], protocol: Protocol | None) -> Agent:
    if "/" in text or Path(text).suffix:
        try:
            (base / text).stat()
        except FileNotFoundError:
            pass
        except OSError as error:  # it may exist, in a folder that we cannot enter
            raise UserError(f"{text!r}: {error.strerror}") from None
        raise UserError(f"no such file {text!r}")
    wanted = "a file, a folder or a command"
    if protocol is None and not known:
        raise UserError(f"unknown agent {text!r}; give {wanted}, or with -p the protocol whose named agents to use")
    raise unknown("agent", text, [*known, HUMAN], otherwise=wanted)


def _from_entry(name: str, base: Path, entry: AgentEntry, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent:
    """Resolve an agent that is named in arbiter.toml."""
    where = f"agent {name!r} in arbiter.toml"
    found = _from_text(entry.agent, base, workspace, adapters)
    if found is None:
        raise UserError(f"no such file or program {entry.agent!r} in {base}")
    check_names(entry.limits, "")
    check_environment(entry.environment, "")
    own = (Source(where, entry.limits),) if entry.limits else ()
    return msgspec.structs.replace(
        found,
        name=clean_name(name),
        source=name,
        lifetime=parse_lifetime(entry.lifetime, "") or found.lifetime,
        threads=check_threads(entry.threads, "") if entry.threads else found.threads,
        environment={**found.environment, **entry.environment},
        limits=(*found.limits, *own),
    )


def _from_text(text: str, base: Path, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent | None:
    """Resolve a file, a folder, a commit or a command line; None if the text is none of them."""
    if text.startswith(PREFIX):
        return _from_commit(text, base, workspace, adapters)
    try:
        path = base / Path(text).expanduser()
        is_folder, is_source = path.is_dir(), path.is_file()
    except (OSError, RuntimeError):  # a command line may be too long for a path; ~name may be an unknown user
        return _from_command(text, base, workspace)
    try:
        if is_folder:
            return from_folder(text, path.resolve(), workspace)
        if is_source:
            return _from_file(text, path, workspace, adapters)
    except OSError as error:
        about = f" ({error.filename})" if error.filename else ""
        raise UserError(f"{text}: {error.strerror or error}{about}") from None
    if path.exists():
        raise UserError(f"{text!r} is neither a file nor a folder, but a device, a pipe or a socket")
    if path.is_symlink():  # not a command line: a shell has expanded a wildcard to its name
        raise UserError(f"{text!r} is a link that leads nowhere")
    return _from_command(text, base, workspace)


def _from_commit(text: str, base: Path, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent | None:
    """Resolve ``git:REF`` or ``git:REF:PATH``: the agent as it was in a commit, named after both."""
    found = _from_text(str(extracted(text, base)), base, workspace, adapters)
    ref, _, path = text.removeprefix(PREFIX).partition(":")
    name = clean_name(f"{Path(path).stem or base.resolve().name}-{ref}")
    return msgspec.structs.replace(found, name=name, source=text) if found else None


def _from_file(text: str, path: Path, workspace: Workspace, adapters: Sequence[Adapter]) -> Agent:
    # Not resolved, so that a symbolic link to a shared program keeps its own name and folder.
    path = without_dots(path.absolute())
    language = languages.of_extension(path.suffix, workspace)
    if language is not None:
        if not os.access(path, os.R_OK):
            raise UserError(f"{text}: permission denied")
        _check_link(text, path)
        language = _adapted(path, language, adapters)
        if language.name == "TypeScript":
            check_imports(path, language, _beginning(path))
        made = build.of_file(path, language) if language.build else None
        command = made.run if made else tuple(build.run_command(path, language))
        return Agent(clean_name(path.stem), text, command, path.parent, language.name, origin=path, build=made)
    if not os.access(path, os.X_OK):
        why = f"its extension {path.suffix!r} is not a known language" if path.suffix else "it has no extension"
        raise UserError(f"{text} is not executable and {why}: chmod +x it, or add the language to arbiter.toml")
    check_executable(text, path)
    return Agent(clean_name(path.name), text, (str(path),), path.parent, "executable", origin=path)


def _check_link(text: str, path: Path) -> None:
    """Refuse a source file that is a link to a file of another kind: interpreters quote what they cannot parse."""
    real = os.path.realpath(path)
    if Path(real).suffix != path.suffix:
        raise UserError(f"{text} is a link to {real!r}, which is not a {path.suffix} file: copy the file instead")


def _adapted(path: Path, language: Language, adapters: Sequence[Adapter]) -> Language:
    """Return the language with the run command of the protocol's adapter for this file, if one recognises it."""
    for adapter in adapters:
        if path.suffix in adapter.extensions and adapter.recognises(_beginning(path)):
            return msgspec.structs.replace(language, run=adapter.run, build=())
    return language


def _beginning(path: Path) -> str:
    """Return the beginning of a source file: adapters search it, at a cost that may grow faster than its length."""
    with path.open("rb") as file:
        return file.read(_SEARCHED_BYTES).decode(errors="replace")


def _from_command(text: str, base: Path, workspace: Workspace) -> Agent | None:
    words = split_words(text)
    if len(words) < 2 and not shutil.which(text):
        return None
    try:
        command = find_program(words, base, text)
    except UserError:
        if len(words) < 2:
            return None
        raise
    if source := missing_script(command, base, workspace):
        raise UserError(f"{text}: no such file {source!r} in {base}")
    name = next((Path(word).stem for word in words[1:] if is_file(base / word)), Path(words[0]).stem)
    command = [command[0], *(_reachable(word, base) for word in command[1:])]
    return Agent(clean_name(name), text, tuple(command), base, "command")


def _reachable(word: str, folder: Path) -> str:
    """Return a word of a command so that a path out of the folder, such as ``../bot.py``, does not depend on it: an agent in a
    sandbox runs in another one."""
    outside = ".." in Path(word).parts and is_file(folder / word)
    return str(without_dots(folder / word)) if outside else word

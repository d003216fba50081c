"""Agents in a folder of their own: how they are built and run, by their agent.yaml or by the file of a build tool."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.agents.prepare import build, languages
from arbiter.agents.prepare.agent import Agent, check_threads, clean_name, parse_lifetime
from arbiter.agents.prepare.build import Build
from arbiter.agents.prepare.command_line import find_program
from arbiter.agents.prepare.executable import check_program, is_own
from arbiter.agents.prepare.folder_limits import check_folder_limits
from arbiter.agents.prepare.manifest import MANIFEST, Manifest, read_manifest
from arbiter.agents.prepare.places import holds_more_than_an_agent
from arbiter.agents.prepare.project import project_file, project_manifest
from arbiter.config.limits import Source
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, in_field

if TYPE_CHECKING:
    from arbiter.config.yaml_file import YamlDocument


def from_folder(text: str, folder: Path, workspace: Workspace) -> Agent:
    """Return the agent in a folder with an agent.yaml, or with another file that says how it is built. Raises UserError."""
    file = folder / MANIFEST
    if holds_more_than_an_agent(folder):
        raise UserError(f"{text} is a folder that holds more than an agent: move the agent to a folder of its own")
    found = file if _exists(file) else project_file(folder)
    if found is None:
        advice = "add one with a line such as 'run: python3 bot.py'"
        raise UserError(f"{text} is a folder without {MANIFEST}: {advice}")
    check_folder_limits(text, folder)
    if found == file:
        manifest, document = read_manifest(file)
        made, command = _how_to_run(document, folder, manifest, workspace)
    else:
        manifest = project_manifest(text, found)
        made, command = _how_to_build(text, found, manifest)
    return Agent(
        name=clean_name(manifest.name or folder.name),
        source=text,
        command=tuple(command),
        folder=folder,
        language=clean_name(manifest.language) if manifest.language else guess_language(command, workspace),
        lifetime=parse_lifetime(manifest.lifetime, str(file)),
        environment=manifest.environment_text(),
        limits=(Source(MANIFEST, manifest.limits, only_lower=True),) if manifest.limits else (),
        threads=check_threads(manifest.threads, str(file)),
        origin=folder,
        is_packed=True,
        build=made,
    )


def _exists(file: Path) -> bool:
    try:
        os.lstat(file)
    except FileNotFoundError:
        return False
    return True


def _how_to_build(text: str, file: Path, manifest: Manifest) -> tuple[Build | None, Sequence[str]]:
    """Return the build and the command of a folder with another file than agent.yaml."""
    if not manifest.build:
        command = find_program(manifest.run, file.parent, file.name)
        check_program(command[0], file.parent, file.name)
        return None, command
    lines = f"'build: {manifest.build}' and 'run: {manifest.run}'"
    where = f"{text} has no {MANIFEST} and was built by its {file.name}, as with the lines {lines}: run"
    made = build.folder_build(file.parent, manifest.build, manifest.run, where)
    return made, made.run


def _how_to_run(
    document: YamlDocument, folder: Path, manifest: Manifest, workspace: Workspace
) -> tuple[Build | None, Sequence[str]]:
    """Return what has to be built, if anything, and the command. Raises LocatedError about ``build`` and ``run``."""
    with document.located_errors():
        if manifest.build:
            after = f"{document.place('run')}: run"
            made = build.folder_build(folder, manifest.build, manifest.run, after)
            return made, made.run
        with in_field("run"):
            command = find_program(manifest.run, folder, "run")
            check_program(command[0], folder, "run")
            source = missing_script(command, folder, workspace)
            # An agent's author is not told which files exist elsewhere.
            if source and is_own(str(folder / source), folder):
                raise UserError(f"run: no such file {source!r} in {folder}")
        return None, command


def missing_script(command: Sequence[str], folder: Path, workspace: Workspace) -> str:
    """Return the source file that an installed program would run, if it does not exist: the agent would only crash."""
    program, *arguments = command
    source = next((word for word in arguments[:1] if languages.of_extension(Path(word).suffix, workspace)), "")
    if Path(program).is_relative_to(folder) or os.path.exists(folder / source):  # noqa: PTH110 - Path.exists may raise
        return ""
    return source


def guess_language(command: Sequence[str], workspace: Workspace) -> str:
    """Return the language of the first source file in a command; ``executable`` if there is none."""
    named = (languages.of_extension(Path(word).suffix, workspace) for word in command)
    return next((language.name for language in named if language), "executable")

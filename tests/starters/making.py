"""Starters for tests: written to a folder, with the tools they need or a reason to skip."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from arbiter.agents.prepare.languages import find_tool
from arbiter.config.workspace import Workspace
from arbiter.registry import find_protocol
from arbiter.starters.languages import LANGUAGES
from arbiter.starters.project import starter, write_files
from tests.tools import missing

GAMES = ("drones", "green_circle", "heroes", "rails", "splendor")
_QUICK_JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options for Java with which a program that runs for a second takes the least CPU time."""


def files(game: str, language: str) -> Mapping[str, str]:
    """Return the files of a starter."""
    return starter(find_protocol(game, Workspace()), LANGUAGES[language], "random")


def make(game: str, language: str, folder: Path) -> Path:
    """Write a starter to a new folder, and return the folder."""
    made = folder / f"{game}-{language}"
    write_files(files(game, language), made)
    return made


def need_tools(language: str) -> None:
    """Skip the test if a tool of the language is not installed; fail it where CI is set."""
    for tool in LANGUAGES[language].tools:
        if find_tool(tool) is None:
            missing(f"{tool} is not installed: starters in {LANGUAGES[language].title} need it")


def answers(written: Mapping[str, str], language: str, folder: Path, sent: str) -> list[str]:
    """Build a program without the arbiter, send it a text, and return the lines it answers."""
    done = subprocess.run(built(written, folder), cwd=folder, input=sent, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def built(written: Mapping[str, str], folder: Path) -> list[str]:
    """Build a program without the arbiter and return the command that runs it.

    Without optimisation, which would take most of the time: of the program, and of Java's own compiler and runtime.
    """
    write_files(written, folder)
    commands = dict(line.split(": ", 1) for line in written["agent.yaml"].splitlines())
    environment = {**os.environ, "GOCACHE": str(Path(os.environ["XDG_CACHE_HOME"], "go")), "GOFLAGS": "-mod=mod"}
    if build := commands.get("build"):
        tool, *words = (word for word in build.split() if word not in ("-O", "-O2"))
        quick = [f"-J{option}" for option in _QUICK_JAVA] if tool == "javac" else []
        subprocess.run([tool, *quick, *words], cwd=folder, env=environment, check=True)
    tool, *rest = commands["run"].split()
    return [find_tool(tool) or str(folder / tool), *(_QUICK_JAVA if tool == "java" else ()), *rest]

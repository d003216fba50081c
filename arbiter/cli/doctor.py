"""``arbiter doctor``: what this machine offers."""

from __future__ import annotations

import os
import platform
import resource
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.sandbox.levels import GUARANTEES, LEVELS, YES, Level
from arbiter.agents.sandbox.trial import try_all
from arbiter.cli import common
from arbiter.units import show_duration, show_size
from arbiter.version import __version__
from arbiter.workspace import Workspace

_VERSION_FLAGS = {"java": "-version", "javac": "-version", "go": "version", "zig": "version", "lua": "-v"}


@click.command("doctor")
@common.json_option
def command(as_json: bool) -> None:
    """Say what this machine offers: interpreters and compilers, clocks, limits, and what they mean for games."""
    workspace = Workspace()
    found = try_all()
    document = {
        "arbiter": __version__,
        "python": platform.python_version(),
        "machine": _machine(),
        "kernel": _kernel(),
        "clocks": _clocks(),
        "limits": _rlimits(),
        "sandbox": {level: reason or True for level, reason in found.items()},
        "guarantees": {guarantee.name: {level: guarantee.at(level) for level in LEVELS} for guarantee in GUARANTEES},
        "languages": _languages(workspace),
        "workspace": {
            "file": str(workspace.file) if workspace.file else None,
            "games": str(workspace.games),
            "builds": str(cache_folder()),
        },
    }
    if as_json:
        common.print_json(document)
        return
    for title, section in document.items():
        if title == "guarantees":
            _show_guarantees(found)
        elif isinstance(section, dict):
            click.echo(click.style(f"\n{title}", bold=True))
            rows = [(name, _mark(value)) for name, value in section.items()]
            click.echo(common.table(rows, ["what", "here"]))
        else:
            click.echo(f"{title} {section}")


def _show_guarantees(found: Mapping[Level, str]) -> None:
    """What each level promises, with the one that games would be played at set off."""
    best = [level for level in LEVELS if not found[level]][-1]
    notes: list[str] = []
    rows = []
    for guarantee in GUARANTEES:
        cells = [_cell(guarantee.at(level), notes) for level in LEVELS]
        rows.append((guarantee.name, *cells))
    heads = [click.style(level, bold=True) + " *" if level == best else level for level in LEVELS]
    click.echo(
        click.style("\nguarantees", bold=True) + " at each level of the sandbox (* what games get here by default)"
    )
    click.echo(common.table(rows, ["what", *heads]))
    for number, note in enumerate(notes, 1):
        click.echo(f"({number}) {note}")


def _cell(text: str, notes: list[str]) -> str:
    if text in (YES, "no"):
        return click.style(text, fg="green" if text == YES else "yellow")
    if text not in notes:
        notes.append(text)
    return f"({notes.index(text) + 1})"


def _mark(value: object) -> str:
    if value is None or value is False:
        return click.style("no", fg="yellow")
    return "yes" if value is True else str(value)


def _machine() -> dict[str, object]:
    import psutil

    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": usable,
        "memory": show_size(psutil.virtual_memory().total),
        "user": "root" if os.geteuid() == 0 else f"uid {os.geteuid()}",
    }


def _kernel() -> dict[str, object]:
    return {
        "pidfd (an agent's end is noticed at once)": hasattr(os, "pidfd_open"),
        "epoll (one wait for all pipes)": hasattr(select, "epoll"),
        "process children listing (trees are killed whole)": Path(f"/proc/self/task/{os.getpid()}/children").exists(),
        "waiting times per process (for a fair clock)": Path("/proc/self/schedstat").exists(),
        "pinning to cores": hasattr(os, "sched_setaffinity"),
    }


def _clocks() -> dict[str, object]:
    def smallest_step() -> int:
        start = time.monotonic_ns()
        while (now := time.monotonic_ns()) == start:
            pass
        return now - start

    def best(action: list[str]) -> int:
        times = []
        for _ in range(5):
            start = time.monotonic_ns()
            subprocess.run(action, check=False)
            times.append(time.monotonic_ns() - start)
        return min(times)

    timer = select.poll()
    waits = []
    for _ in range(20):
        start = time.monotonic_ns()
        timer.poll(1)
        waits.append(time.monotonic_ns() - start - 1_000_000)
    return {
        "smallest step of the clock": show_duration(min(smallest_step() for _ in range(20))),
        "a wait of 1 ms ends late by": show_duration(max(0, sorted(waits)[10])),
        "spawning a program": show_duration(best(["true"])),
    }


def _rlimits() -> dict[str, object]:
    def shown(which: int) -> object:
        hard = resource.getrlimit(which)[1]
        return "unlimited" if hard == resource.RLIM_INFINITY else hard

    return {
        "open files": shown(resource.RLIMIT_NOFILE),
        "processes": shown(resource.RLIMIT_NPROC),
        "data memory": shown(resource.RLIMIT_DATA),
    }


def _languages(workspace: Workspace) -> dict[str, object]:
    found: dict[str, object] = {}
    for language in dict.fromkeys(languages.table(workspace).values()):
        label = f"{language.name} ({' '.join(language.extensions)})"
        tools = [(tool, languages.find_tool(tool)) for tool in language.tools]
        missing = [tool.replace("|", " or ") for tool, path in tools if path is None]
        found[label] = (
            f"no: {', '.join(missing)} not found" if missing else ", ".join(_version(path) for _, path in tools if path)
        )
    return found


def _version(path: str) -> str:
    name = Path(path).name
    if path == sys.executable:
        return f"{name} {platform.python_version()}"
    flag = _VERSION_FLAGS.get(name, "--version")
    try:
        asked = subprocess.run(
            [path, flag],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
            stdin=subprocess.DEVNULL,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return path
    lines = [line.strip() for line in (asked.stdout + asked.stderr).splitlines() if any(map(str.isdigit, line))]
    return lines[0][:60] if lines and asked.returncode == 0 else path

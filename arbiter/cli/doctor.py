"""``arbiter doctor``: show what this machine supports."""

from __future__ import annotations

import os
import platform
import re
import resource
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.sandbox.levels import AUTO, GUARANTEES, LEVELS, YES, Level, SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox, lacks_pidfd, try_all
from arbiter.cli import common
from arbiter.cli.terminal import hanging, progress
from arbiter.cli.values import Choice
from arbiter.config.workspace import Workspace, bundled
from arbiter.text import format_table
from arbiter.units import show_duration, show_size
from arbiter.version import __version__

_VERSION = re.compile(r"\d+(?:\.\d+)+")
_VERSION_FLAGS = {"java": "-version", "javac": "-version", "go": "version", "zig": "version", "lua": "-v"}

_LABELS = {
    "cores": "usable cores",
    "load": "load average (1 minute)",
    "pidfd": "pidfd: the exit of an agent is noticed at once",
    "children": "list of child processes: whole process trees are killed",
    "schedstat": "schedstat: run-queue wait per process, for the fair clock",
    "affinity": "CPU affinity: games are pinned to cores",
    "resolution": "resolution of the monotonic clock",
    "timer_overshoot": "how late a 1 ms timer fires (median)",
    "spawn": "time to run a program (best of 5)",
    "file": "configuration file",
    "games": "folder for saved games",
    "builds": "folder for compiled agents",
    "docs": "pages of the documentation",
}
"""Labels for the JSON keys that do not explain themselves."""
_TITLES = {"kernel": "kernel features", "limits": "hard resource limits", "sandbox": "sandbox levels"}


@click.command("doctor")
@click.option(
    "--bench",
    type=Choice(["full", "quick"]),
    is_flag=False,
    flag_value="full",
    metavar="[full|quick]",
    help="Measure the overhead per turn, the clocks, and how many workers to run, for about 15 seconds.",
)
@common.json_option
def command(bench: str | None, as_json: bool) -> None:
    """Show what this machine supports: kernel features, clocks, sandbox levels, and languages for agents.

    --bench measures instead whether the clocks can be trusted even when games share a core, and more. Run nothing else
    meanwhile; --bench quick takes only a few seconds.

    \b
    Examples:
      arbiter doctor
      arbiter doctor --bench
    """
    if bench:
        from arbiter.cli.bench_tables import bench as measure

        measure(quick=bench == "quick", as_json=as_json)
        return
    workspace = Workspace()
    failures = try_all()
    document: dict[str, Any] = {
        "arbiter": __version__,
        "python": platform.python_version(),
        "machine": _machine(),
        "kernel": _kernel(),
        "clocks": _clocks(),
        "limits": _rlimits(),
        "sandbox": {level: reason or True for level, reason in failures.items()},
        "guarantees": {guarantee.name: {level: guarantee.at(level) for level in LEVELS} for guarantee in GUARANTEES},
        "promises": {guarantee.name: guarantee.about for guarantee in GUARANTEES},
        "mechanisms": {guarantee.name: guarantee.held_by for guarantee in GUARANTEES},
        "languages": _languages(workspace),
        "workspace": {
            "file": str(workspace.file) if workspace.file else None,
            "games": str(workspace.games),
            "builds": str(cache_folder()),
            "docs": str(bundled() / "docs"),
        },
    }
    if as_json:
        from arbiter.cli.documents import Machine

        common.print_json(Machine(**document))
        return
    for title, section in document.items():
        if title == "guarantees":
            _print_guarantees(failures)
        elif title in ("promises", "mechanisms"):
            continue  # printed with the guarantees
        elif isinstance(section, dict):
            _print_section(title, section)
        else:
            click.echo(f"{title} {section}")


def _print_section(title: str, section: Mapping[str, object]) -> None:
    click.echo(click.style(f"\n{_TITLES.get(title, title)}", bold=True))
    width = max(len(_LABELS.get(name, name)) for name in section)
    for name, value in section.items():
        click.echo(hanging(f"  {_LABELS.get(name, name)}", str(_shown(value)), width + 4))


def _print_guarantees(failures: Mapping[Level, str]) -> None:
    """Print what each sandbox level guarantees and what enforces it, and mark the strongest level that works here."""
    best = [level for level in LEVELS if not failures[level]][-1]
    notes: list[str] = []
    # As the record of a game would say it: this kernel's Landlock may lack something.
    kept = {level: SandboxChoice(level, AUTO, {}).enforced for level in LEVELS if not failures[level]}
    rows = []
    for guarantee in GUARANTEES:
        cells = [_cell(kept[level][guarantee.name], notes) if level in kept else "-" for level in LEVELS]
        rows.append((guarantee.name, *cells))
    headers = [click.style(level, bold=True) + " *" if level == best else level for level in LEVELS]
    click.echo(click.style("\nguarantees of each sandbox level", bold=True) + " (* the default here, - not available)")
    click.echo(format_table(rows, ["guarantee", *headers]))
    for number, note in enumerate(notes, 1):
        click.echo(f"({number}) {note}")
    click.echo(click.style("\nwhat each guarantee means, and what enforces it", bold=True))
    width = max(len(guarantee.name) for guarantee in GUARANTEES)
    for guarantee in GUARANTEES:
        text = f"{guarantee.about}. Enforced by: {guarantee.held_by}"
        click.echo(hanging(f"  {guarantee.name}", text, width + 4))


def _cell(text: str, notes: list[str]) -> str:
    if text in (YES, "no"):
        return click.style(text, fg="green" if text == YES else "yellow")
    if text not in notes:
        notes.append(text)
    return f"({notes.index(text) + 1})"


def _shown(value: object) -> str:
    if value is None or value is False:
        return click.style("no", fg="yellow")
    return "yes" if value is True else str(value)


def _machine() -> dict[str, object]:
    import psutil

    memory = psutil.virtual_memory()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": len(psutil.Process().cpu_affinity() or ()),
        "physical cores": psutil.cpu_count(logical=False),
        "load": round(psutil.getloadavg()[0], 2),
        "memory": show_size(memory.total),
        "available memory": show_size(memory.available),
        "user": "root" if os.geteuid() == 0 else f"uid {os.geteuid()}",
    }


def _kernel() -> dict[str, object]:
    return {
        "pidfd": not lacks_pidfd(),
        "children": Path(f"/proc/self/task/{os.getpid()}/children").exists(),
        "schedstat": Path("/proc/self/schedstat").exists(),
        "affinity": hasattr(os, "sched_setaffinity"),
    }


def _clocks() -> dict[str, object]:
    def resolution() -> int:
        start = time.monotonic_ns()
        while (now := time.monotonic_ns()) == start:
            pass
        return now - start

    def run_time() -> int:
        start = time.monotonic_ns()
        subprocess.run(["true"], check=False)
        return time.monotonic_ns() - start

    def overshoot() -> int:
        start = time.monotonic_ns()
        select.poll().poll(1)
        return time.monotonic_ns() - start - 1_000_000

    return {
        "resolution": show_duration(min(resolution() for _ in range(20))),
        "timer_overshoot": show_duration(max(0, sorted(overshoot() for _ in range(20))[10])),
        "spawn": show_duration(min(run_time() for _ in range(5))),
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
    from arbiter.author import hello

    found: dict[str, object] = {}
    sandbox = None if lacks_pidfd() else choose_sandbox(AUTO)
    known = list(dict.fromkeys(languages.language_table(workspace).values()))
    installed = {tool: languages.find_tool(tool) for language in known for tool in language.tools}
    paths = {path for path in installed.values() if path}
    with ThreadPoolExecutor() as pool:  # some take half a second to tell
        version_of = dict(zip(paths, pool.map(_version, paths), strict=True))
    for language in known:
        label = f"{language.name} ({' '.join(language.extensions)})"
        tools = [(tool, installed[tool]) for tool in language.tools]
        missing = [tool.replace("|", " or ") for tool, path in tools if path is None]
        if missing:
            found[label] = f"no: {', '.join(missing)} not found"
            continue
        # A first program takes some compilers seconds; that it works is remembered.
        progress(f"trying {language.name} …")
        versions = ", ".join(version_of[path] for _, path in tools if path)
        failure = hello.why_not(language, workspace, sandbox) if sandbox else ""
        found[label] = f"no: {versions}, but a first program fails: {failure}" if failure else versions
    progress("")
    return found


def _version(path: str) -> str:
    """Return the name of a tool with the first version number it prints; without one, where the tool is."""
    name = Path(path).name
    if path == sys.executable:
        return f"{name} {platform.python_version()}"
    flag = _VERSION_FLAGS.get(name, "--version")
    try:
        done = subprocess.run(
            [path, flag],
            cwd="/",  # some obey files in the current folder, which may be anybody's
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
            stdin=subprocess.DEVNULL,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return path
    said = done.stdout + done.stderr
    outside = re.sub(r"\([^)]*\)", "", said)  # gcc names the version of its package in brackets, Perl its own
    found = _VERSION.search(outside) or _VERSION.search(said)
    return f"{name} {found[0]}" if found and done.returncode == 0 else path

"""What a build sees besides its inputs: system folders, the installation of its compiler, and a clean environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.languages import BUILD_TOOLS, all_programs, find_tool
from arbiter.agents.prepare.places import SYSTEM, is_in
from arbiter.agents.sandbox.visible import VisibleFiles, visible_files


def tools_for(tools: Sequence[str]) -> list[str]:
    """Return the programs that a build may start outside of system folders: these, or any that is installed."""
    found = tools or _all_installed()
    return list(dict.fromkeys(path for path in found if Path(path).is_absolute() and not is_in(path, SYSTEM)))


def _all_installed() -> Iterator[str]:
    for name in (*sorted(all_programs()), *BUILD_TOOLS):
        path = shutil.which(name)
        # Most are in system folders. Some of the others have to be run to find out where they are installed.
        if path and not is_in(path, SYSTEM) and (real := find_tool(name)):
            yield real


def visible_toolchain(tools: list[str]) -> VisibleFiles:
    """Return the files that a build with these programs sees."""
    views = [_view(tool) for tool in tools] or [_view("/bin/sh")]
    return VisibleFiles(
        visible=tuple(sorted({path for view in views for path in view.visible})),
        links=tuple({link: None for view in views for link in view.links}),
        hidden=tuple(sorted({path for view in views for path in view.hidden})),
        own_links=(),
    )


def _view(tool: str) -> VisibleFiles:
    # An agent in a system folder, which is visible anyway, whose only program is the tool.
    return visible_files(Agent("build", tool, (tool,), Path("/usr"), "build"), [], [])


def environment(tools: list[str], folder: str) -> dict[str, str]:
    """Return the environment of a build whose files are in ``folder``. From the arbiter's own it takes only where tools are."""
    inherited = {name: os.environ[name] for name in ("JAVA_HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return {
        **inherited,
        "PATH": os.pathsep.join(dict.fromkeys((*(str(Path(tool).parent) for tool in tools), *_system_path()))),
        "HOME": f"{folder}/home",
        "TMPDIR": f"{folder}/tmp",
        "PWD": f"{folder}/src",
        "LANG": "C.UTF-8",
        "USER": "agent",
        "GOFLAGS": "-buildvcs=false",
        "GOPROXY": "off",
        "CARGO_NET_OFFLINE": "true",
        "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
        "DOTNET_NOLOGO": "1",
    }


def _system_path() -> Iterator[str]:
    given = [path for path in os.environ.get("PATH", "").split(os.pathsep) if is_in(path, SYSTEM)]
    yield from given or os.defpath.split(os.pathsep)

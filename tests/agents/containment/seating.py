"""Setting up a case: the agents' programs in folders of their own, and an arbiter.toml that names them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from arbiter.agents.launch import tree
from arbiter.config.limits import LIMITS
from arbiter.config.workspace import Workspace
from tests.tools import ROOT

from . import around
from .legitimate import PRIVATE, VIRTUAL
from .rows import Row

HERE = Path(__file__).parent
SOURCES: Mapping[str, Path] = {
    "agents": HERE / "agents",
    "needs": HERE / "needs",
    "misbehaving": ROOT / "sample_agents" / "misbehaving",
}
HELPER = SOURCES["agents"] / "attack.py"
HOSTS = {"count_up": SOURCES["agents"], "splendor": SOURCES["misbehaving"]}
STEADY = "steady.c"
PREPARED = "prepared"
"""A folder next to the player's, with the set-uid program that one agent needs and only root can make."""
BUILT = "built"
"""A folder next to the player's, with programs compiled by the user who has the compiler."""
LARGE_BYTES = 3 << 30
OVERWRITES = 58
"""The row of an agent that comes with a file in a folder."""


def sources(row: Row) -> list[Path]:
    """Return the files of the agents that play in a row."""
    guest = SOURCES[row.source] / row.agent
    return [guest] if row.protocol == "splendor" else [guest, SOURCES["agents"] / row.host]


def guest(row: Row, grounds: around.Grounds, around_player: Path) -> Path:
    """Copy the guest's program to its folder; return what names it on a command line."""
    if row.number == 40 and (around_player / PREPARED).exists():
        grounds.guest = around_player / PREPARED
    if row.source == "needs":
        _give_data(grounds.guest)
    program = grounds.bring(SOURCES[row.source] / row.agent, grounds.guest)
    if row.number == OVERWRITES:
        (grounds.guest / "book").mkdir()
        around.write(grounds.guest / "book" / "opening.txt", "e4 e5\n")
    shutil.copy(HELPER, grounds.guest)
    if row.together:  # then it does not see what is next to it, such as its helper
        helper, source = HELPER.read_text(encoding="utf-8"), program.read_text(encoding="utf-8")
        around.write(program, helper + re.sub("^from attack import .*$", "", source, flags=re.MULTILINE))
    compiled = around_player / BUILT / row.name
    if compiled.exists():
        return Path(shutil.copy(compiled, grounds.guest))
    if row == PRIVATE:
        for path in (*grounds.guest.iterdir(), grounds.guest):
            path.chmod(0o700)
    return _reached_by_other_paths(program, grounds) if row.by_other_paths else program


def host(row: Row, grounds: around.Grounds) -> Path:
    """Copy its opponent's program."""
    shutil.copy(HELPER, grounds.host)
    return grounds.bring(HOSTS[row.protocol] / (row.host if row.protocol == "count_up" else STEADY), grounds.host)


def _give_data(folder: Path) -> None:
    """Write a small and a large file of precomputed data; most of the large one is a hole."""
    around.write(folder / "data.txt", "precomputed\n")
    with (folder / "large.bin").open("wb") as file:
        file.seek(LARGE_BYTES)
        file.write(b"x")


def _virtual_environment(around_player: Path) -> str:
    """Return the interpreter of a virtual environment in a home folder, with an extra package."""
    home = around_player / f"home-of-{os.getuid()}"
    if not home.exists():
        home.mkdir(mode=0o700)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
        (packages,) = (home / "venv" / "lib").glob("python*/site-packages")
        around.write(packages / "only_in_this_virtual_environment.py", "")
    return f"{home}/venv/bin/python"


def _reached_by_other_paths(program: Path, grounds: around.Grounds) -> Path:
    """Put links to everything worth reading into the agent's folder, and name the agent by a path with a link in it."""
    for name, target in (("games", grounds.games), ("host", grounds.host), ("outside", grounds.outside)):
        (grounds.guest / f"link-to-{name}").symlink_to(target)
    alias = grounds.folder / "alias"
    alias.symlink_to(grounds.guest.name)
    return alias / program.name


def workspace(grounds: around.Grounds, guest: Path, host: Path, row: Row | None = None) -> Workspace:
    """Return a workspace with both agents and the protocol with hints."""
    given = row.limits if row else {}
    limits = {name: value for name, value in given.items() if name in LIMITS}
    more = row.misbehaving.environment if row and row.misbehaving else {}
    text = f"""
        [protocols.count_up]
        folder = {json.dumps(str(HERE / "hinted"))}
        [agents.guest]
        agent = {json.dumps(str(guest))}
        limits = {{ {_pairs(limits)} }}
        environment = {{ {_pairs({"PYTHONDONTWRITEBYTECODE": "1", **more})} }}
        [agents.host]
        agent = {json.dumps(str(host))}
        limits = {{ move = "60s", first_move = "60s" }}
    """
    if row and row.source == "agents":
        # Without what else is installed Python starts a third faster, which is much of what a case costs.
        text += '[languages.Python]\nextensions = [".py"]\nrun = ["python3", "-S", "{source}"]\n'
    if row == VIRTUAL:
        run = [_virtual_environment(grounds.folder.parents[1]), "{source}"]
        text += f'[languages.Python]\nextensions = [".py"]\nrun = {json.dumps(run)}\n'
    around.write(grounds.folder / "arbiter.toml", text)
    return Workspace(grounds.folder)


def _pairs(values: Mapping[str, str | int]) -> str:
    return ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())


def running_host(grounds: around.Grounds) -> dict[str, object]:
    """Return the opponent's pid and working directory, as seen from outside."""
    for pid in tree.descendants(os.getpid()):
        words = around.command_of(pid).split()
        if words and Path(words[0]).name == "sh" and words[-1].endswith("/host.sh"):
            try:
                home = str(Path(f"/proc/{pid}/cwd").readlink())
            except OSError:
                home = str(grounds.host)
            return {"host": pid, "host_home": home}
    return {}

"""Builds agents as the current user, and prints what came of each as JSON.

    python -m tests.agents.building.building LEVEL FOLDER AGENT…

``FOLDER`` has the saved games. Limits are small, so that builds which exceed them are quickly found out. Without arguments it
takes them from lines of JSON, with the environment, and forks for each, so that the arbiter is imported once.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

from arbiter.agents.building import archive, build_sandbox
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.limits import Source
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError

MEGABYTE = 1 << 20


def main(level: str, folder: str, *texts: str) -> None:
    archive.MOST_BYTES = 64 * MEGABYTE
    build_sandbox._MOST_OUTPUT = 2 * MEGABYTE
    weak = level in ("none", "rlimits")
    try:
        sandbox = choose_sandbox(f"only:{level}")
    except UserError as error:
        print(json.dumps({"unavailable": str(error)}))
        return
    builder = Builder(sandbox, [Source("test", {"build": "10min"})], private=[Path(folder)], allow_uncontained=weak)
    base = Path(os.environ["XDG_CACHE_HOME"])
    found = {}
    for text in texts:
        os.environ["XDG_CACHE_HOME"] = str(base / Path(text).stem)  # each build has a cache of its own
        found[Path(text).stem] = outcome(builder, text)
    print(json.dumps(found))


def outcome(builder: Builder, text: str) -> dict[str, object]:
    """Return why an agent was refused, or what its build has left: contents and modes of its files, targets of links."""
    try:
        made = builder.build(resolve_agent(text, None, Workspace(Path("/"))))
    except UserError as error:
        return {"refused": str(error)}
    (result,) = cache_folder().glob("[!.]*")
    return {"command": made.command, "files": {str(path.relative_to(result)): look(path) for path in result.rglob("*")}}


def look(path: Path) -> dict[str, object]:
    """Return what a path is."""
    status = path.lstat()
    found: dict[str, object] = {"mode": stat.filemode(status.st_mode), "own": status.st_uid == os.getuid()}
    if path.is_symlink():
        found["target"] = str(path.readlink())
    elif path.is_file():
        found["text"] = path.read_bytes()[:MEGABYTE].decode(errors="replace")
    return found


def serve() -> None:
    """Fork for every line of standard input."""
    for line in sys.stdin:
        if os.fork() == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            words, environment = json.loads(line)
            os.environ.clear()
            os.environ.update(environment)
            main(*words)
            sys.stdout.flush()
            os._exit(0)
        if os.wait()[1]:
            print("", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else serve()

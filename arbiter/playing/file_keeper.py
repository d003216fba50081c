"""``--keep-files``: copies what agents wrote to their own folders to ``DIR/GAME/SEAT-AGENT/``, with a list next to it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox import kept_files
from arbiter.agents.sandbox.kept_files import KeptFiles
from arbiter.agents.sandbox.own_copies import FileId
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.errors import UserError
from arbiter.output_files import make_writable

_CLOCK_STEP_NS = 20_000_000
"""Timestamps of files may lag behind the clock by a kernel tick."""


def make_keep_folder(folder: Path) -> str:
    """Create the folder and return its absolute path. Raises UserError."""
    try:
        make_writable(folder)
    except OSError as error:
        raise UserError(f"files of agents cannot be kept in {str(folder)!r}: {error.strerror}") from None
    return str(folder.absolute())


class FileKeeper:
    """Keeps the files of the agents of one game. It is created before the game, and copies after it."""

    def __init__(self, folder: str, private: Sequence[str]) -> None:
        """``private`` are folders of the arbiter, to which no agent has written."""
        self._folder = Path(folder)
        self._private = [folder, *private]
        self._since_ns = time.time_ns() - _CLOCK_STEP_NS

    def keep(self, record: Path, seats: Sequence[tuple[Agent, Sandbox | None]]) -> None:
        """Copy what the agents have written, now that their processes have ended. Raises nothing."""
        with contextlib.suppress(OSError):  # a full disk must not stop a contest
            own = kept_files.new_folder(self._folder, record.stem)
            for seat, (agent, sandbox) in enumerate(seats):
                if not agent.is_outside:
                    place = own / f"{seat}-{kept_files.plain_name(agent.name)}"
                    kept_files.write_list(self._keep(agent, sandbox, place), place.with_name(f"{place.name}.json"))

    def _keep(self, agent: Agent, sandbox: Sandbox | None, place: Path) -> KeptFiles:
        try:
            folder = sandbox.open_folder() if sandbox else os.open(agent.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            kept = KeptFiles()
            kept.left_out[f"failed: {error.strerror}"] += 1
            return kept
        try:
            if sandbox:
                return kept_files.keep(folder, place, copies=sandbox.copies.made if sandbox.copies else {})
            # Without a sandbox the agent runs in the folder of its program: keep only what is new.
            return kept_files.keep(folder, place, since_ns=self._since_ns, skip=self._skipped())
        finally:
            os.close(folder)

    def _skipped(self) -> set[FileId]:
        found: set[FileId] = set()
        for path in self._private:
            with contextlib.suppress(OSError):
                status = Path(path).stat()
                found.add((status.st_dev, status.st_ino))
        return found

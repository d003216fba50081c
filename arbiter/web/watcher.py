"""Watching games while they are played: a server in a process of its own, which only reads the records.

The arbiter starts it before the first game, with the listening socket, and tells it over a pipe which records are new. When
the pipe is closed, because the arbiter is done or dead, the server ends. It runs at low priority and in a session of its
own, on cores without games if there are any; neither its death nor a page that hangs affects the games.
However many people watch, every turn is read and encoded once (``Feed``), and games are listed for at most a twentieth of
the time (``FolderPage.recent_state``).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.agents.launch.cores import borrowed
from arbiter.own_module import own_module

if TYPE_CHECKING:
    import uvicorn

    from arbiter.web.library import Library
    from arbiter.web.serve import Address

_LAST_LOOK_S = 1.0
"""How long the pages may still fetch the end of the last game after the arbiter is done."""
_NICE = 10
"""On a busy core, the games get nine tenths of the time; at a lower priority, pages would not open on a busy machine."""
_AUTOGROUP = Path("/proc/self/autogroup")


class Watcher:
    """The arbiter's side: the process that serves the pages."""

    def __init__(self, url: str, process: subprocess.Popen[bytes]) -> None:
        self.url, self._process = url, process
        assert process.stdin is not None
        self._pipe = process.stdin.fileno()
        os.set_blocking(self._pipe, False)  # a server that hangs must not hold up the games

    def add(self, record: Path) -> None:
        """Tell the server about a game that has just begun."""
        line = json.dumps(os.fsdecode(record.absolute())) + "\n"
        with contextlib.suppress(OSError):  # the server has exited or does not read: the game continues
            os.write(self._pipe, line.encode())

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def running(self) -> bool:
        """Return whether the server is still there."""
        return self._process.poll() is None


@contextlib.contextmanager
def watching(folder: Path | None = None, page: str = "/", on: frozenset[int] | None = None) -> Iterator[Watcher]:
    """Serve the games of a folder, or those that are added, within the block. Raises UserError.

    ``page`` is the one to open first, ``on`` the cores to serve it from; None for any.
    """
    from arbiter.web.serve import listen

    address = listen("127.0.0.1", 0)
    descriptor = address.listening.fileno()
    folders = [str(folder.absolute())] if folder else []
    command = own_module("arbiter.web.watcher", str(descriptor), page, *folders)
    with borrowed(on):
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(descriptor,),
            start_new_session=True,  # Ctrl-C is for the arbiter
        )
    url = address.url(page)
    address.listening.close()
    try:
        yield Watcher(url, process)
    finally:
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_LAST_LOOK_S + 2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _follow(library: Library, address: Address, server: uvicorn.Server, page: str) -> None:
    """Take in records from the pipe; open the browser at the first one; end the server when the pipe is closed."""
    from arbiter.web.serve import open_browser

    if library.folder:
        open_browser(address.url(page))
    opened = library.folder is not None
    for line in sys.stdin.buffer:
        name = library.add(Path(json.loads(line)))
        if not opened:
            opened = open_browser(address.url(f"/game/{name}"))
    library.growing = False
    time.sleep(_LAST_LOOK_S)
    server.should_exit = True


def _give_way() -> None:
    """Lower the priority, now that everything is imported and the pages are served."""
    os.nice(_NICE)
    with contextlib.suppress(OSError):
        # Where the kernel groups processes by session, cores are shared out among sessions, and the priority of a process
        # counts only within its own: without this, the server would get as much of a core as the games.
        _AUTOGROUP.write_text(str(_NICE))
    with contextlib.suppress(OSError):
        os.sched_setscheduler(
            0, os.SCHED_BATCH, os.sched_param(0)
        )  # it never preempts another process when it wakes up


def main(descriptor: int, page: str, folder: Path | None) -> None:
    """Serve until standard input is closed."""
    from arbiter.web.library import Library
    from arbiter.web.serve import Address, make_viewer_server

    address = Address("127.0.0.1", socket.socket(fileno=descriptor))
    library = Library(folder=folder)
    library.growing = folder is None
    server = make_viewer_server(library, address, on_start=_give_way)
    threading.Thread(target=_follow, args=(library, address, server, page), daemon=True).start()
    server.run(sockets=[address.listening])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else None)

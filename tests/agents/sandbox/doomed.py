"""An arbiter to be killed: ``python -m tests.agents.sandbox.doomed LEVEL FOLDER [frozen]``.

Makes a sandbox with an agent and a detached child, prints their pids, and waits to be killed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arbiter.agents.launch import tree
from arbiter.agents.sandbox.levels import LEVELS
from tests.agents.sandbox.running import program, python, sandbox_of

AGENT = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if not os.fork():
    os.setsid()
    print(flush=True)
while True: signal.pause()
"""


def main() -> None:
    level = next(level for level in LEVELS if level == sys.argv[1])
    with sandbox_of(level, program(Path(sys.argv[2]))) as sandbox, python(sandbox, AGENT) as started:
        started.line()
        if "frozen" in sys.argv:
            sandbox.freeze()
        print(*tree.descendants(os.getpid()), flush=True)
        sys.stdin.read()


main()

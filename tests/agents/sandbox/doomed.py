"""An arbiter that will be killed: ``python -m tests.agents.sandbox.doomed LEVEL FOLDER [frozen]``.

Makes a home with an agent and a child that has cut itself loose, prints their numbers, and waits for its end.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arbiter.agents.launch import tree
from arbiter.agents.sandbox.levels import LEVELS
from tests.agents.sandbox.running import home_of, program, python

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
    with home_of(level, program(Path(sys.argv[2]))) as home, python(home, AGENT) as started:
        started.line()
        if "frozen" in sys.argv:
            home.freeze()
        print(*tree.descendants(os.getpid()), flush=True)
        sys.stdin.read()


main()

"""Run a script under pdb, which talks to the terminal: standard input is the script's.

``python -m pdb`` reads its commands from standard input. Run as a file by the agent's own Python: imports nothing of arbiter.
"""

import pdb  # noqa: T100 - it is what this file is for
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    script, terminal = Path(sys.argv[0]), Path("/dev/tty")
    sys.path[0] = str(script.absolute().parent)
    names = {"__name__": "__main__", "__file__": sys.argv[0], "__builtins__": __builtins__}
    with terminal.open() as keyboard, terminal.open("w") as screen:
        pdb.Pdb(stdin=keyboard, stdout=screen).run(compile(script.read_bytes(), sys.argv[0], "exec"), names)

"""``python -m arbiter``."""

import os
import sys

if not sys.flags.safe_path and sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib would be searched for there
    # Python searches the current folder first. It may contain submissions: a bot named yaml.py must not be imported.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
    del sys.path[0]

from arbiter.start import main

main()

"""The tests of arbiter."""

import os

# Importing hypothesis would import trio, which comes with selenium and has a plugin for it; no test needs it.
os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"

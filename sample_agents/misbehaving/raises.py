# Exits with status 3 after a traceback.
import sys
import traceback

try:
    {}["strategy"]
except KeyError:
    traceback.print_exc()
    sys.exit(3)

# Answers as close to the deadline as it can, by turns a little before and a little after it.
import os
import sys
import time

LIMIT_NS = int(os.environ["LIMIT_MS"]) * 1_000_000
AROUND_NS = (-2_000_000, 0, -500_000, 500_000, -1_000_000, 1_000_000)

sys.stdin.readline()
sys.stdin.readline()
print(1, flush=True)
for turn, _ in enumerate(sys.stdin):
    at = time.monotonic_ns() + LIMIT_NS + AROUND_NS[turn % len(AROUND_NS)]
    while time.monotonic_ns() < at:
        pass
    print(1, flush=True)

# Makes one legal move and exits, as if it were always spawned for a single move.
import sys

players = int(sys.stdin.readline().split()[0])
for _ in range(6 + 4 * players):
    sys.stdin.readline()
print("1 0")

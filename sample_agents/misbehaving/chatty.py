# Logs 300 KB on standard error, more than a pipe holds, then makes a legal move.
import sys

for line in sys.stdin:
    for _ in range(6 + 4 * int(line.split()[0])):
        sys.stdin.readline()
    for depth in range(6000):
        sys.stderr.write(f"depth {depth:5}: score is {depth % 89 - 44:4} so far, "[:49] + "\n")
    print("1 0", flush=True)

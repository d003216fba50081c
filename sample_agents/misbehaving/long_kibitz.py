# Writes one kibitz line of a megabyte, then makes a legal move.
import sys

for line in sys.stdin:
    for _ in range(6 + 4 * int(line.split()[0])):
        sys.stdin.readline()
    sys.stderr.write("kibitz " + "blah " * 200_000 + "\n")
    print("1 0", flush=True)

# Gives two answers at once, the second meant for the next turn.
import sys

for line in sys.stdin:
    for _ in range(6 + 4 * int(line.split()[0])):
        sys.stdin.readline()
    sys.stdout.write("1 0\n1 1 0\n")
    sys.stdout.flush()

# Asks for two chips of gold, which is never legal.
import sys

for line in sys.stdin:
    for _ in range(6 + 4 * int(line.split()[0])):
        sys.stdin.readline()
    print("2 5", flush=True)

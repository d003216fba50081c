# Answers in bytes that are not text: NUL, invalid UTF-8, and escape sequences that clear or rename a terminal.
import sys

for line in sys.stdin:
    for _ in range(6 + 4 * int(line.split()[0])):
        sys.stdin.readline()
    sys.stdout.buffer.write(b"1\x00\xff\xc3( \x1b[2J\x1b]0;mine\x07\x9b31m\r\n")
    sys.stdout.buffer.flush()

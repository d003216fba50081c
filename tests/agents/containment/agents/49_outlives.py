# Tries to outlive the arbiter: leaves children in sessions of their own, with nothing open, and then stalls.
import os
import signal
import sys

sys.stdin.readline()
sys.stdin.readline()
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
ready, signal_ready = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.write(signal_ready, b"x")
    while True:
        signal.pause()
for _ in range(2):
    os.read(ready, 1)
print(1, flush=True)
while True:
    signal.pause()

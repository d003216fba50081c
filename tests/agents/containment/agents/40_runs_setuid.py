# Runs a set-uid program of root, and checks which user it runs as.
import os
import subprocess
from pathlib import Path

from attack import play, tell


def attack(_: dict) -> None:
    program = Path(__file__).with_name("setuid-id")
    if not program.exists():
        tell("setuid", "absent")
        return
    found = subprocess.run([program, "-u"], capture_output=True, check=False).stdout
    tell("setuid", "same" if found and int(found) == os.geteuid() else "changed")


play(attack)

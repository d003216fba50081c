#!/usr/bin/env python3
"""Nim for two players, as a referee that 'arbiter play --referee' can use.

    nim.py -p1 COMMAND -p2 COMMAND -l LOG -d seed=N [sticks=N]

In turn, each player is sent a line with the number of sticks left and prints how many it takes: 1, 2 or 3. The player that
takes the last one wins. A player that is late, exits or takes another number loses, with score -1.
"""

import json
import random
import select
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 2.0


def arguments(words):
    """Split the command line into options with a value, and the data after -d."""
    found, data = {}, {}
    words = iter(words)
    for word in words:
        if "=" in word:
            name, _, value = word.partition("=")
            data[name] = value
        elif word != "-d":
            found[word] = next(words)
    return found, data


class Player:
    """A player's process, and its output."""

    def __init__(self, command):
        self.errors, self.outputs = tempfile.TemporaryFile(), []  # noqa: SIM115 - open as long as the player
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0
        )

    def ask(self, sticks):
        """Send the number of sticks; return the number taken, or None."""
        try:
            self.process.stdin.write(b"%d\n" % sticks)
            if not select.select([self.process.stdout], [], [], SECONDS)[0]:
                return None
            line = self.process.stdout.readline().decode(errors="replace").strip()
        except OSError:
            return None
        self.outputs.append(line)
        return int(line) if line in ("1", "2", "3") and int(line) <= sticks else None

    def end(self):
        """End the process and return its standard error."""
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


def main():
    """Play one game and write its log."""
    options, data = arguments(sys.argv[1:])
    sticks = int(data.get("sticks") or random.Random(int(data["seed"])).randint(15, 25))
    players = [Player(options["-p1"]), Player(options["-p2"])]
    scores, turn = [0, 0], 0
    while sticks:
        taken = players[turn].ask(sticks)
        if taken is None:
            scores[turn], scores[1 - turn] = -1, 1
            break
        sticks -= taken
        if not sticks:
            scores[turn] = 1
        turn = 1 - turn
    log = {
        "scores": {str(index): score for index, score in enumerate(scores)},
        "errors": {str(index): [player.end()] for index, player in enumerate(players)},
        "outputs": {str(index): player.outputs for index, player in enumerate(players)},
    }
    Path(options["-l"]).write_text(json.dumps(log), encoding="utf-8")


main()

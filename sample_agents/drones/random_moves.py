#!/usr/bin/env python3
# Any action: makes producers and soldiers at random and attacks in about one turn of five. The random generator is
# seeded with all input so far, so that the same match is always played the same way.

import json
import random
import sys
import zlib


def main():
    seed = 0
    for line in sys.stdin:
        seed = zlib.crc32(line.encode(), seed)
        message = json.loads(line)
        if message["type"] != "turn":
            continue
        dice = random.Random(seed)
        producers = dice.randint(0, message["producers"])
        answer = {
            "newProducers": producers,
            "newSoldiers": message["producers"] - producers,
            "launchAttack": dice.random() < 0.2,
        }
        print(f"kibitz {producers} of {message['producers']} breed, says the die", file=sys.stderr, flush=True)
        print(json.dumps(answer), flush=True)


main()

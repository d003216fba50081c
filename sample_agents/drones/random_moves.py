#!/usr/bin/env python3
# Any action: makes producers and soldiers at random and attacks in about one turn of five.

import json
import random
import sys


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] != "turn":
            continue
        producers = random.randint(0, message["producers"])
        answer = {
            "newProducers": producers,
            "newSoldiers": message["producers"] - producers,
            "launchAttack": random.random() < 0.2,
        }
        print(json.dumps(answer), flush=True)


main()

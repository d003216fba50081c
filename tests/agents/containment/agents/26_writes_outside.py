# Writes outside its folder: to a folder of another user, to temporary folders, next to its program.
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    places = {
        "outside": hints["outside"],
        "home_of_user": hints["home"],
        "tmp": "/tmp",
        "var_tmp": "/var/tmp",
        "program": Path(__file__).parent,
    }
    for word, folder in places.items():
        attempt(word, Path(folder, hints["token"]).touch)


play(attack)

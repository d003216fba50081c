"""``arbiter tune``: search, resume after a kill, confirm, and report."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import arbiter_toml, bidder, write
from tests.tools import until

pytestmark = pytest.mark.slow

FILE = """
protocol: auction
agent: sh bot.sh {{bid}}
parameters:
  bid: {{type: int, low: 0, high: 9, default: {default}}}
field: [./two.sh]
options: {{rounds: 3}}
candidates: 9
games: 4
confirm: 40
seed: 1
"""


def agents(folder: Path) -> Path:
    """An agent that always bids the same, against one that bids 2: 3 beats it more often than not, 0 never does."""
    write(folder / "bot.sh", "read -r seat\nwhile read -r word prize; do case $word in prize) echo $1;; esac; done\n")
    bidder(folder, "two", 2)
    return write(folder / "tune.yaml", FILE.format(default=0))


@pytest.fixture
def tuning(place: Path) -> Path:
    return agents(place)


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the tuning was played."""
    folder = tmp_path_factory.mktemp("tuned")
    arbiter_toml(folder)
    ran = arbiter("tune", agents(folder), "-q", "--save", "games", folder=folder)
    assert ran.code == 0, ran.err
    return folder


def records(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("games/**/*.jsonl"))}


def test_better_values_are_found_and_confirmed_and_nothing_is_played_again(tuned: Path) -> None:
    before = records(tuned)
    ran = arbiter("tune", "tune.yaml", "--json", "-q", "--save", "games", folder=tuned)
    assert ran.code == 0, ran.err
    assert records(tuned) == before
    report = ran.document
    assert report["verdict"] == "better", report
    assert report["complete"]
    assert report["best"]["bid"] > 0
    assert len(report["candidates"]) == 10, "all values there are"
    for candidate in report["candidates"]:
        assert candidate["score"]["low"] <= candidate["score"]["value"] <= candidate["score"]["high"]


def test_a_tuning_that_was_killed_goes_on_and_ends_as_one_that_was_not(tuning: Path, place: Path, tuned: Path) -> None:
    whole = arbiter("tune", "tune.yaml", "--json", "-q", "--save", "games", folder=tuned).document
    running = subprocess.Popen(
        [sys.executable, "-m", "arbiter", "tune", str(tuning), "-q", "--save", "games"],
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    search = place / "games" / "tune" / "search-1"
    until(lambda: running.poll() is not None or len(list(search.glob("*.jsonl"))) >= 5, "five games")
    assert running.poll() is None
    running.send_signal(signal.SIGKILL)
    running.wait()
    killed = {path.name: path.stat().st_ino for path in search.glob("*.jsonl")}
    ran = arbiter("tune", tuning, "--json", "-q", "--save", "games")
    assert ran.code == 0, ran.err
    left_out = {"folder"}
    assert {k: v for k, v in ran.document.items() if k not in left_out} == {
        k: v for k, v in whole.items() if k not in left_out
    }
    kept = {path.name: path.stat().st_ino for path in search.glob("*.jsonl")}
    assert sum(kept.get(name) == inode for name, inode in killed.items()) >= 2, "games that were finished count"


def test_defaults_that_are_the_best_are_kept(tuning: Path, tuned: Path) -> None:
    best = arbiter("tune", "tune.yaml", "--json", "-q", "--save", "games", folder=tuned).document["best"]["bid"]
    tuning.write_text(FILE.format(default=best), encoding="utf-8")
    ran = arbiter("tune", tuning, "-q", "--save", "other")
    assert ran.code == 0, ran.err
    assert "not better: the search found no values that score better than the defaults" in ran.out
    assert "score by bid" in ran.out


def test_without_a_field_candidates_play_the_defaults(tuning: Path) -> None:
    tuning.write_text(FILE.format(default=0).replace("field: [./two.sh]\n", ""), encoding="utf-8")
    report = arbiter("tune", tuning, "--json", "-q", "--save", "games").document
    assert report["best"]["bid"] > 0
    assert all(one["values"]["bid"] != 0 for one in report["candidates"])


def test_the_page(tuned: Path) -> None:
    words = ["-q", "--save", "games", "--output", "out.html"]
    ran = arbiter("tune", "tune.yaml", *words, folder=tuned)
    assert ran.code == 0, ran.err
    page = (tuned / "out.html").read_text(encoding="utf-8")
    assert "Score by bid" in page
    assert page.count("<circle") == 10


def test_games_of_a_tuning_are_games_like_any_other(tuned: Path) -> None:
    assert "bid=3" in arbiter("standings", "games/tune/search-1", folder=tuned).out
    assert arbiter("games", "games/tune/search-1", "--agent", "bid=3", folder=tuned).code == 0
    ran = arbiter("play", "auction", "tuned:tune.yaml:bid=3", "two.sh", "--seed", "1", folder=tuned)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("candidates: 9", "candidates: 1", "tune.yaml, line 8: candidates 1: must be a whole number, at least 2"),
        ("confirm: 40", "confrim: 40", "tune.yaml, line 10: unknown key 'confrim'; did you mean 'confirm'?"),
        ("[./two.sh]", "[[two]]", "tune.yaml, line 6: agent ['two']: must be a file"),
        ("low: 0", "low: 9", "tune.yaml, line 5: bid: low 9 must be below high 9"),
        ("bot.sh {bid}", "bot.sh", "tune.yaml, line 5: parameter 'bid' is not used: write {bid} in"),
        ("protocol: auction", "protocol: action", "tune.yaml, line 2: unknown protocol 'action'; did you mean 'auction'?"),
        ("[./two.sh]", "[./two.sh, ./three.sh]", "tune.yaml, line 6: no such file './three.sh'"),
        ("[./two.sh]", "\n  - ./two.sh\n  - human", "tune.yaml, line 8: 'human' cannot play in a contest"),
        ("sh bot.sh", "nosuch", "tune.yaml, line 3: nosuch 0: 'nosuch' is neither a file in"),
        ("seed: 1", "seats: 9", "tune.yaml, line 11: seats 9: must be a whole number from 2 to 3"),
    ],
)  # fmt: skip
def test_mistakes(tuning: Path, old: str, new: str, message: str) -> None:
    tuning.write_text(FILE.format(default=0).replace(old, new), encoding="utf-8")
    ran = arbiter("tune", tuning, "-q")
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1

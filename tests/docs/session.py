"""How the commands of each page are run: in which folder, with which files, shortened how, and which ones not, and why."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.commands import blocks, text_of
from tests.nullgame.place import ADDS, HERE, adder, write
from tests.tools import ROOT

SHORT = {
    "splendor": "max_rounds = 2",
    "rails": "turns = 4",
    "green_circle": "max_phases = 6",
    "heroes": "rounds = 2",
    "drones": "rounds = 2",
}
"""Options in the arbiter.toml of the session that make every game short."""
BUILT_SLOWLY = {"splendor/lookahead.rs": "greedy.cpp", "splendor/Builder.java": "greedy.py", "heroes/strong.cpp": "strong.py",
                "green_circle/strong.cpp": "cautious.py"}  # fmt: skip
"""Sample agents with quicker ones instead: a compiler that takes seconds shows nothing about the commands of a page."""
NEEDS_BROWSER = "opens a browser and serves pages until Ctrl-C; tests/web and tests/arena run such servers"
MAKES = "would run the tests, linters or benchmarks inside the tests"


@dataclass(frozen=True, slots=True)
class Session:
    """How the commands of a page are run, in their order, one folder per page."""

    programs: dict[str, str] = field(default_factory=dict)
    """Files to write first: the name, and the language of the page's first block in it."""
    files: dict[str, str] = field(default_factory=dict)
    """More files to write first, with their text."""
    played: str = ""
    """A contest to play first, into this folder."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Parts of commands that are shortened or that stand for something."""
    not_run: dict[str, str] = field(default_factory=dict)
    """Commands that cannot be run here, each with the reason."""
    folder: str = ""
    """The folder of the checkout that the page is about, where its commands are typed."""
    null_games: bool = False
    """Whether a game of the tests that takes milliseconds stands for the page's."""


_UNTIL = {'--until "better(new,old,elo1=100)"': '--until "better(new,old,elo1=100)" --games 2'}
_TUNED = "depth: {type: int, low: 1, high: 5, default: 1}\n  weight: {type: float, low: 0.1, high: 1, default: 1}"
_MY_BOT = f"""protocol: count_up
agent: sh bot.sh {{depth}} {{weight}}
parameters:\n  {_TUNED}
candidates: 3
confirm: 4
options: {{turns: 4}}
"""

SESSIONS = {
    "README.md": Session(
        programs={"first.py": "python"},
        replaced={"--seed 7": "--seed 7 -o max_rounds=2", **_UNTIL, "-n 20": "-n 2"},
        not_run={
            "make demo": "installs the arbiter into another virtual environment; the game it plays is the first on the page",
            "make test": MAKES,
            "arbiter doctor": "takes seconds and is run for docs/containment.md",
            "arbiter view": NEEDS_BROWSER,
        },
    ),
    "CONTRIBUTING.md": Session(
        not_run={
            f"make {target}": MAKES
            for target in (
                "dev",
                "test-fast",
                "test",
                "fuzz",
                "test-matrix",
                "lint",
                "format",
                "bench",
                "kills",
                "proof",
            )
        }
        | {
            'git tag -a v0.1.0 -m "arbiter 0.1.0"': "marks a release",
            ".venv/bin/python -m build": "tests/test_wheel.py builds",
            ".venv/bin/pytest tests/test_wheel.py": MAKES,
        }
    ),
    "docs/archive.md": Session(
        played="matches/games/splendor-cup",
        not_run={
            "arbiter games matches/games --position matches/games/splendor-cup#12:3": "stands for any saved game; "
            "tests/cli/test_stats.py explores a position"
        },
    ),
    "docs/arena-organiser.md": Session(
        not_run={
            'arbiter arena --host 0.0.0.0 --title "Autumn cup" --house random --house steady': "serves all networks of the "
            "machine until Ctrl-C; tests/arena starts the server on the loopback address",
            'curl --data-binary @bot.cpp -H "Authorization: Bearer KEY" "http://ADDRESS:9000/uploads?file=bot.cpp&play=yes"': (
                "needs a running arena; tests/arena/test_uploads.py sends the same request"
            ),
            "arbiter arena --let-play Alpha=3": "needs an arena with uploads; tests/arena/test_command.py runs it",
        }
    ),
    "docs/arena.md": Session(
        not_run={
            "arbiter play heroes ./bot remote:Alpha remote:Beta -o map=m1 --host 0.0.0.0": "waits for two teams on all "
            "networks of the machine; tests/arena/test_remote_agents.py plays such games on the loopback address"
        }
    ),
    "docs/clock.md": Session(not_run={"make proof": MAKES}),
    "docs/containment.md": Session(),
    "docs/contests.md": Session(replaced={**_UNTIL, "--games 20": "--games 2", "rounds=3": "rounds=1"}),
    "docs/checking.md": Session(files={"new.py": "print('1 0')\n"}, replaced={"--positions 5": "--positions 1"}),
    "docs/starters.md": Session(),
    "docs/tuning.md": Session(
        null_games=True,
        files={"mybot.yaml": _MY_BOT, "bot.sh": ADDS.format("$1")},
        replaced={" rails ": " count_up ", " steady": " ./boss1.sh"},
    ),
    "docs/viewer.md": Session(
        played="matches/games/cup",
        replaced={
            "GAME game.gif": "matches/games/cup game.gif",
            "FOLDER": "matches/games/cup",
            "GAME": "matches/samples/splendor.jsonl",
        },
        not_run={
            "arbiter play splendor human greedy --browser": NEEDS_BROWSER,
            "arbiter view FOLDER --wall": NEEDS_BROWSER,
        },
    ),
    "examples/tron/README.md": Session(
        folder="examples/tron",
        replaced={"--games 10": "--games 2"},
        not_run={"arbiter view": NEEDS_BROWSER, "pytest": "tests/test_examples.py runs the tests of the examples"},
    ),
    "protocols/drones/README.md": Session(
        programs={"my_agent.py": "python", "my_bot.js": "javascript", "their_bot.js": "javascript"},
        replaced={"rounds=1000": "rounds=3"},
    ),
    **{
        f"protocols/{name}/README.md": Session(programs={"my_agent.py": "python"})
        for name in ("green_circle", "heroes", "rails", "splendor")
    },
    "sample_agents/drones/README.md": Session(replaced={"rounds=1000 --games 4": "rounds=3 --games 2"}),
    "sample_agents/green_circle/README.md": Session(replaced={"-n 100": "-n 2"}),
    "sample_agents/heroes/README.md": Session(
        folder="sample_agents/heroes", replaced={"-n 4": "-n 1", "strong.cpp": "strong.py"}
    ),
    "sample_agents/misbehaving/README.md": Session(replaced={"500ms": "100ms"}),
    "sample_agents/rails/README.md": Session(replaced={"-n 200": "-n 2", "strong.cpp": "steady.py"}),
    "sample_agents/splendor/README.md": Session(replaced={"-n 100": "-n 2", "lookahead.rs": "greedy.py"}),
}  # fmt: skip
OWN_TESTS = {
    "docs/cluster.md": "test_cluster.py", "docs/first-bot.md": "test_first_bot.py", "docs/new-game.md": "test_new_game.py", "docs/referees.md": "test_referees.py",
}  # fmt: skip
"""Pages whose commands need more than a folder, and the files here that run them."""


def prepare(page: str, session: Session, folder: Path) -> Path:
    """Make the folder in which the commands of a page are typed: a small copy of the checkout; return where to type them."""
    slow = shutil.ignore_patterns("lookahead.rs", "Builder.java")
    shutil.copytree(ROOT / "sample_agents", folder / "sample_agents", ignore=slow)
    heroes = folder / "sample_agents" / "heroes"
    shutil.copy(heroes / "steady.py", heroes / "strong.py")
    (heroes / "strong.cpp").unlink()
    shutil.copytree(ROOT / "matches" / "samples", folder / "matches" / "samples")
    cup = (ROOT / "matches" / "splendor-cup.yaml").read_text(encoding="utf-8")
    write(folder / "matches" / "splendor-cup.yaml", cup.replace("  - planner\n", "").replace("games: 4", "games: 2"))
    write(folder / "arbiter.toml", _settings(null_games=session.null_games))
    if session.null_games:
        adder(folder, "boss1", 1)
    programs = list(blocks(text_of(page)))
    for name, language in session.programs.items():
        block = next(each for each in programs if each.language == language)
        write(folder / name, "\n".join(block.lines) + "\n")
    for name, text in session.files.items():
        write(folder / name, text)
    if session.folder.startswith("examples"):
        shutil.copytree(ROOT / session.folder, folder / session.folder)
    return folder / session.folder


def _settings(*, null_games: bool) -> str:
    nulls = "".join(f'\n[protocols.{name}]\nfolder = "{HERE / name}"\n' for name in ("count_up", "auction"))
    named = (ROOT / "arbiter.toml").read_text(encoding="utf-8")
    for slow, quick in BUILT_SLOWLY.items():
        assert slow in named
        named = named.replace(slow, f"{slow.split('/')[0]}/{quick}")
    for name, options in SHORT.items():
        named = named.replace(f'folder = "protocols/{name}"', f"options = {{{options}}}")
    return f"sandbox = 'none'\n{named}{nulls if null_games else ''}"

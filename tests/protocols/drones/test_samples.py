"""Whole matches between processes: the sample agents, and agents that fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.config.workspace import Workspace
from arbiter.records.reader import load_record
from arbiter.records.summary import GameSummary
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from tests.tools import ROOT

from .bots import ADAPTER, node

pytestmark = pytest.mark.slow

HERE = ROOT
SAMPLES = HERE / "sample_agents" / "drones"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a workspace whose arbiter.toml names the protocol, and make it the current folder."""
    (tmp_path / "arbiter.toml").write_text(f'[protocols.drones]\nfolder = "{HERE / "protocols" / "drones"}"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sample(name: str) -> str:
    return f"{Path(name).stem}={adapted(SAMPLES / name)}"


def adapted(file: Path) -> str:
    return f"'{node()}' '{ADAPTER}' '{file}'" if file.suffix == ".js" else str(file)


def match(*agents: str, rounds: int = 6, lifetime: str | None = None) -> GameSummary:
    report = play(
        "drones",
        agents,
        seed=3,
        options={"rounds": rounds},
        lifetime=lifetime,
        limits={"first_move": "20s"},
        save="games",
    )
    return report.games[0]


@pytest.mark.parametrize("name", ["rusher.js", "turtle.js", "adaptive.py", "counter.c", "random_moves.py"])
def test_a_sample_agent_plays_a_match_without_a_fault_and_says_what_it_is_up_to(name: str, place: Path) -> None:
    game = match(sample(name), f"opponent={adapted(SAMPLES / 'random_moves.py')}")
    assert game.faults == []
    assert sum(game.scores) == 6
    record = load_record(Path(game.record))
    kibitz = [text for line in record.answers if line.seat == 0 for text in line.kibitz]
    assert kibitz or name == "random_moves.py"


def test_a_sample_agent_says_first_what_its_idea_is() -> None:
    files = [file for file in SAMPLES.iterdir() if file.suffix != ".md"]
    assert len(files) == 5
    for file in files:
        first, second = file.read_text(encoding="utf-8").splitlines()[:2]
        assert (second if first.startswith("#!") else first).startswith(("# ", "// "))
        assert f"`{file.name}`" in (SAMPLES / "README.md").read_text(encoding="utf-8")


def test_compiled_agents_play_a_long_match_which_can_be_verified(place: Path) -> None:
    game = match(sample("counter.c"), sample("counter.c"), rounds=200)
    assert game.faults == []
    assert sum(game.scores) == 200
    assert list(differences(load_record(Path(game.record)), find_protocol("drones", Workspace()))) == []


def test_agents_can_be_started_for_every_move(place: Path) -> None:
    game = match(sample("counter.c"), sample("counter.c"), rounds=3, lifetime="move")
    assert game.faults == []
    assert sum(game.scores) == 3


def test_a_bot_that_throws_is_a_crash_with_its_stack_and_the_match_goes_on(place: Path) -> None:
    bot = place / "throws.js"
    bot.write_text("export default () => ({\n  playTurn() { throw new Error('lost the plot'); },\n});\n")
    game = match(adapted(bot), sample("counter.c"), rounds=4)
    assert game.scores == [0, 4]
    assert [fault.kind for fault in game.faults][:2] == ["crashed", "crashed"]
    evidence = next(line.fault for line in load_record(Path(game.record)).answers if line.fault)
    assert evidence.exit_code == 1
    assert "Error: lost the plot" in evidence.stderr
    assert "throws.js:2" in evidence.stderr


def test_a_process_that_is_replaced_in_the_middle_of_a_round_can_go_on(place: Path) -> None:
    agent = place / "dies.py"
    agent.write_text(
        "import json, pathlib, sys\n"
        "again = pathlib.Path('again').exists()\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    print('kibitz', message['type'], file=sys.stderr)\n"
        "    if message['type'] == 'turn':\n"
        "        if message['producers'] == 2 and not again:\n"
        "            pathlib.Path('again').touch()\n"
        "            sys.exit(3)\n"
        "        print('{\"newProducers\": 9}', flush=True)\n"
    )
    quiet = place / "quiet.py"
    quiet.write_text(
        "import sys\nfor line in sys.stdin:\n    if '\"turn\"' in line:\n        print('{}', flush=True)\n"
    )
    game = match(str(agent), str(quiet), rounds=1)
    assert [(fault.turn, fault.kind) for fault in game.faults] == [(2, "crashed")]
    third = next(line for line in load_record(Path(game.record)).answers if (line.turn, line.seat) == (3, 0))
    assert third.kibitz == ["matchStart", "roundStart", "turn"]
    assert third.move == "2 0 0"

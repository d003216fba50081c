"""Contest bots are recognised on the command line and run in the adapter; programs run as programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.records.reader import load_record

pytestmark = pytest.mark.slow

CLASS = "export default class Bot {\n  playTurn(own) { console.log('kibitz I have', own.soldiers); return { newSoldiers: 1 }; }\n}\n"
CLOSURE = "module.exports = () => ({ playTurn: () => ({ newProducers: 1 }) });\n"
SILENT = "export default function () { return { playTurn() {} }; }\n"
BROKEN = "export default function () { return { playTurn() { throw new Error('oh dear'); } }; }\n"
PROGRAM = (
    "const lines = require('readline').createInterface({ input: process.stdin });\n"
    "lines.on('line', (line) => { if (JSON.parse(line).type === 'turn') console.log('{\"newSoldiers\": 1}'); });\n"
)


@pytest.mark.parametrize(
    ("file", "source", "move"),
    [
        ("bot.js", CLASS, "0 1 0"),
        ("bot.mjs", CLASS, "0 1 0"),
        ("bot.js", CLOSURE, "1 0 0"),
        ("bot.cjs", CLOSURE, "1 0 0"),
        ("bot.js", SILENT, "0 0 0"),
        ("bot.js", PROGRAM, "0 1 0"),
    ],
)
def test_a_javascript_file_plays_as_what_it_is(file: str, source: str, move: str, tmp_path: Path) -> None:
    bot = tmp_path / file
    bot.write_text(source)

    report = play(
        "drones", [str(bot), "turtle"], options={"rounds": 1}, time_factor=20, seed=3, save=tmp_path / "games"
    )

    assert report.games[0].faults == []
    assert load_record(Path(report.games[0].record)).answers[0].move == move


def test_what_a_bot_prints_is_kibitz_and_not_an_answer(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text(CLASS)

    report = play(
        "drones", [str(tmp_path / "bot.js"), "turtle"], options={"rounds": 1}, time_factor=20, save=tmp_path / "games"
    )

    assert "I have 0" in load_record(Path(report.games[0].record)).answers[0].kibitz


def test_an_exception_in_a_hook_is_a_fault_with_the_stack_in_the_record(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text(BROKEN)

    report = play(
        "drones", [str(tmp_path / "bot.js"), "turtle"], options={"rounds": 1}, time_factor=20, save=tmp_path / "games"
    )

    first = load_record(Path(report.games[0].record)).answers[0]
    assert first.fault is not None
    assert (first.fault.kind, first.fault.exit_code, first.move) == ("crashed", 1, "0 0 0")
    assert "Error: oh dear" in first.fault.stderr
    assert "playTurn" in first.fault.stderr

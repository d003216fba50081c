"""Replays in the format of the contest site: read for Rails and Green Circle, written for Green Circle."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, cast

import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Chance, Fault, FaultKind
from arbiter.records.external_games import export_text, import_text
from arbiter.records.reader import Record, load_record
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from protocols.green_circle.game import GreenCircleGame
from tests.nullgame.command import arbiter
from tests.nullgame.script import Said, Script, header_of, perform

RAILS, GREEN_CIRCLE = find_protocol("rails", Workspace()), find_protocol("green_circle", Workspace())
SITE_GAME = json.loads((Path(__file__).parent / "rails" / "site_game.json").read_text(encoding="utf-8"))


def frame(agent: int, **more: str) -> dict[str, Any]:
    return {"agentId": agent, "gameInformation": "", "keyframe": agent < 1, "view": "KEY_FRAME", **more}


def rails_replay(*, init: bool = True, stderr: str = "", **changes: Any) -> str:
    """The recorded game of the site, in the shape of the site's own replay."""
    frames = [frame(-1)]
    for turn in SITE_GAME["turns"]:
        frames += [
            frame(agent, stdout=f"{out}\n", summary=f"${agent} did something") for agent, out in enumerate(turn["out"])
        ]
    if stderr:
        frames[1]["stderr"] = stderr
    agents = [{"index": 1, "arenaboss": {"nickname": "Boss 2"}}, {"index": 0, "codingamer": {"pseudo": "ada"}}]
    replay = {
        "gameId": 7,
        "refereeInput": "seed=1",
        "frames": frames,
        "agents": agents,
        "scores": SITE_GAME["scores"],
        "ranks": [0, 1],
    }
    replay |= {"init0": SITE_GAME["init0"]} if init else {}
    return json.dumps({**replay, **changes})


def imported(text: str, folder: Path) -> Record:
    return load_record(import_text(text, [GREEN_CIRCLE, RAILS], folder))


def test_a_rails_replay_becomes_the_game_that_was_played(tmp_path: Path) -> None:
    (tmp_path / "replay.json").write_text(rails_replay(), encoding="utf-8")
    assert arbiter("archive", "import", "replay.json", "--save", "games", folder=tmp_path).code == 0
    (path,) = (tmp_path / "games").glob("*.jsonl")
    record = load_record(path)
    assert record.result is not None
    assert record.result.scores == SITE_GAME["scores"]
    assert [seat.name for seat in record.header.seats] == ["ada", "Boss 2"]
    assert list(differences(record, RAILS)) == []


def test_what_an_older_interface_wrapped_is_read_as_well(tmp_path: Path) -> None:
    wrapped = imported(json.dumps({"success": json.loads(rails_replay())}), tmp_path)
    assert wrapped.result is not None
    assert wrapped.result.scores == SITE_GAME["scores"]


def test_the_map_is_found_where_an_agent_printed_its_input(tmp_path: Path) -> None:
    stderr = "\n".join(["hello", "0", *SITE_GAME["init0"], "12 3", "thinking"])
    record = imported(rails_replay(init=False, stderr=stderr), tmp_path)
    assert record.result is not None
    assert record.result.scores == SITE_GAME["scores"]


def test_a_player_without_output_has_failed(tmp_path: Path) -> None:
    frames = [frame(-1), frame(0, stdout="WAIT\n"), frame(1, stdout="WAIT\n"), frame(0, stdout="WAIT\n"), frame(1)]
    record = imported(rails_replay(frames=frames, scores=[]), tmp_path)
    faults = [(line.turn, line.seat) for line in record.answers if line.fault]
    assert faults == [(2, 1)]
    assert record.result is not None
    assert record.result.ranks == [1, 2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (rails_replay(init=False), "the replay has no map: add \"init0\""),
        (rails_replay(init=False, stderr="0\n21\n14\n"), "the replay has no map"),
        (rails_replay(scores=[1, 2]), "by the rules here, but with 1, 2 in the file"),
        (rails_replay(frames=[frame(0, stdout="WAIT"), 5]), "frame 1 must be an object, not 5"),
        (rails_replay(frames=[frame(0, stdout="WAIT"), frame(2)]), "frame 1: agentId must be -1 to 1, not 2"),
        (rails_replay(agents=[{"index": 5}]), "is not one of 2 agents"),
        (rails_replay(frames=[frame(0, stdout="WAIT\n"), frame(1, stdout="JUMP\n")]), "turn 1: unknown order 'JUMP'"),
    ],
)  # fmt: skip
def test_a_damaged_replay_is_refused_with_the_reason(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        imported(text, tmp_path)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def green_circle_game(path: Path, level: int, seed: int, *, fails: bool = False) -> Record:
    """A game of random answers, RANDOM among them."""
    rng = random.Random(seed)
    header = header_of(GREEN_CIRCLE, 2, options={"level": level}, seed=seed)
    game = cast(GreenCircleGame, GREEN_CIRCLE.start(2, header.options, header.setup, Chance(seed)))
    said: dict[int, list[Said]] = {0: [], 1: []}
    for phase in range(10_000):
        if game.result() is not None:
            break
        (seat,) = game.to_move()
        move: Said = rng.choice(game.display().legal(seat))
        if fails and phase == 60:
            move = Fault(FaultKind.LATE, "no answer within 50ms")
        said[seat].append(move)
        game.play({seat: game.fallback(seat, move) if isinstance(move, Fault) else str(move)})
    return perform(path, GREEN_CIRCLE, header, Script(said))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("fails", [False, True])
def test_a_green_circle_game_survives_the_shape_of_the_site(level: int, fails: bool, tmp_path: Path) -> None:
    first = green_circle_game(tmp_path / "first.jsonl", level, seed=level, fails=fails)
    assert any(line.move == "RANDOM" for line in first.answers)
    text = export_text(first, GREEN_CIRCLE)
    document = json.loads(text)
    assert set(document["frames"][1]) >= {"agentId", "gameInformation", "stdout", "view", "keyframe"}
    again = imported(text, tmp_path / "again")
    assert first.result is not None
    assert again.result is not None
    assert (again.result.scores, again.result.ranks) == (first.result.scores, first.result.ranks)
    assert again.result.data == first.result.data  # the debts: the same cards were drawn
    assert list(differences(again, GREEN_CIRCLE)) == []
    assert not any(line.chance for line in again.answers), "nothing is left to chance"
    assert [line.fault is not None for line in again.answers] == [line.fault is not None for line in first.answers]


def test_a_green_circle_replay_of_the_site_itself_lacks_the_cards(tmp_path: Path) -> None:
    document = json.loads(export_text(green_circle_game(tmp_path / "first.jsonl", 2, seed=1), GREEN_CIRCLE))
    del document["setup"]
    with pytest.raises(UserError, match="the replay does not say which cards were drawn"):
        imported(json.dumps(document), tmp_path / "again")

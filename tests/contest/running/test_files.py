"""Match files: every key is understood, and every mistake is one line that names the file and the line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.contest.definition import Contest
from arbiter.contest.match_file import load_contest
from arbiter.contest.statistics.question import GameCount
from arbiter.errors import UserError
from tests.contest.running.around import plan_of, varied
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import refusal

pytestmark = pytest.mark.slow

GOOD = """\
title: The Cup
about: of no consequence
protocol: auction
seats: 2
agents:
  - ann.sh
  - rob: bob.sh
  - cid=cid.sh
schedule:
  kind: swiss
  rounds: 4
  games: 2
options:
  rounds: 5
limits:
  move: 2s
  memory: 100MB
lifetime: game
clock: wall
sandbox: none
ponder: false
time_factor: 2
until: games(12)
workers: 3
set_aside: 7
retry_technical: true
"""


def read(place: Path, text: str) -> Contest:
    varied(place, "ann", "bob", "cid")
    return load_contest(write(place / "cup.yaml", text), save=place / "games")


def test_everything_it_says_is_understood(place: Path) -> None:
    contest = read(place, GOOD)

    assert contest.names == ("ann", "rob", "cid")
    assert contest.folder == place / "games" / "cup"
    assert contest.labels == {"title": "The Cup", "about": "of no consequence"}
    assert (contest.schedule.kind, contest.schedule.seats) == ("swiss", 2)
    assert contest.until == GameCount(12)
    assert (contest.workers, contest.set_aside, contest.retry_technical) == (3, 7, True)
    plan = plan_of(contest)
    assert (plan.options, plan.clock, plan.sandbox.level, plan.ponder) == ({"rounds": 5}, "wall", "none", False)
    assert {entrant.limits.move_ns for entrant in plan.entrants} == {4_000_000_000}
    assert {entrant.limits.memory_bytes for entrant in plan.entrants} == {100 << 20}


def test_protocol_and_agents_are_enough(place: Path) -> None:
    contest = read(place, "protocol: auction\nagents: [ann.sh, bob.sh]\n")
    assert (contest.schedule.kind, contest.names, contest.set_aside) == ("round_robin", ("ann", "bob"), 5)
    assert contest.definition.name == "cup"


def test_agents_are_relative_to_the_file_and_not_to_the_current_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    varied(place / "there", "ann", "bob")
    write(place / "there" / "cup.yaml", "protocol: auction\nagents: [ann.sh, bob.sh]\nname: there\n")
    write(place / "based.yaml", "protocol: auction\nagents: [ann.sh, bob.sh]\nbase: there\n")
    for file in ("there/cup.yaml", "based.yaml"):
        assert load_contest(Path(file)).names == ("ann", "bob")


MISTAKES: list[tuple[str, str, int | None, str]] = [
    ("protocol: auction", "protocol: auktion", 3, "unknown protocol 'auktion'; did you mean 'auction'?"),
    ("protocol: auction", "protocoll: auction", 3, "unknown key 'protocoll'; did you mean 'protocol'?"),
    ("protocol: auction\n", "", None, "'protocol' is missing"),
    ("title: The Cup", "title: 2026", 1, "title 2026: must be a string"),
    ("seats: 2", "seats: 7", 4, "seats 7: must be a whole number from 2 to 3"),
    ("  - ann.sh", "  - anna.sh", 6, "no such file 'anna.sh'"),
    ("  - ann.sh", "  - human", 6, "'human' cannot play in a contest"),
    ("  - rob: bob.sh", "  - rob: nobody.sh", 7, "no such file 'nobody.sh'"),
    ("  - rob: bob.sh", "  - {rob: bob.sh, roy: x}", 7, "agent {'rob': 'bob.sh', 'roy': 'x'}: must be a file"),
    ("  - cid=cid.sh", "  - 17", 8, "agent 17: must be a file"),
    ("kind: swiss", "kind: swis", 10, "unknown kind of contest 'swis'; did you mean 'swiss'?"),
    ("  kind: swiss\n", "", 9, "a contest needs its kind"),
    ("rounds: 4", "rounds: 0", 11, "swiss: rounds 0: must be a whole number, at least 1"),
    ("rounds: 4", "round: 4", 11, "swiss: unknown key 'round'; did you mean 'rounds'?"),
    ("kind: swiss\n  rounds: 4", "kind: gauntlet", 9, "gauntlet: 'challengers' is missing; it must be a list"),
    ("kind: swiss\n  rounds: 4", "kind: gauntlet\n  challengers: [dan]", 9, "challengers: unknown agent 'dan'"),
    ("  rounds: 5", "  round: 5", 14, "options: unknown auction option 'round'; did you mean 'rounds'?"),
    ("  move: 2s", "  move: 2", 16, "limits: limit move '2': must be a duration such as 10s"),
    ("lifetime: game", "lifetime: day", 18, "unknown lifetime 'day'; choose from move, game"),
    ("clock: wall", "clock: sand", 19, "unknown clock 'sand'; choose from fair, wall, cpu"),
    ("sandbox: none", "sandbox: beach", 20, "unknown sandbox 'beach'; choose from auto, none"),
    ("ponder: false", "ponder: maybe", 21, "ponder 'maybe': must be true or false"),
    ("time_factor: 2", "time_factor: 0", 22, "time factor 0: must be a number above 0"),
    ("until: games(12)", "until: better(ann,bob)", 23, "until 'better(ann,bob)': unknown agent 'bob'"),
    ("workers: 3", "workers: 0", 24, "workers 0: must be a whole number, at least 1"),
    ("set_aside: 7", "set_aside: -1", 25, "set_aside -1: must be a whole number, at least 0"),
    ("retry_technical: true", "protocol: auction", 26, "duplicate key 'protocol'"),
    ("about: of no consequence", "name: ../else", 2, "name '../else': must be a folder name: printable, without a slash"),
    ("about: of no consequence", "about: [of", 3, "expected ',' or ']', but got ':'"),
    ("about: of no consequence", "games: -2", 2, "it belongs to the schedule: write 'schedule: {kind: NAME, games: …}'"),
    ("about: of no consequence", "[a, b]: x", 2, "the name of a field must be text"),
    ("about: of no consequence", "about: *nobody", 2, "anchors and aliases are not supported"),
    ("about: of no consequence", "---", 2, "but found another document"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "line", "said"), MISTAKES)
def test_a_mistake_is_one_line_with_file_and_line(
    place: Path, good: str, bad: str, line: int | None, said: str
) -> None:
    assert GOOD.count(good) == 1

    text = refusal(lambda: read(place, GOOD.replace(good, bad)))
    where = f"{place / 'cup.yaml'}, line {line}: " if line else f"{place / 'cup.yaml'}: "
    assert text.startswith(where), text
    assert said in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "must consist of 'name: value' lines"),
        (b"- auction\n", "must consist of 'name: value' lines"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
        (b"a: \x07\n", "the character '\\x07' is not allowed"),
        (b"[" * 1000, ""),
    ],
)
def test_a_file_that_is_not_a_match_file_is_refused(place: Path, content: bytes, said: str) -> None:
    file = place / "cup.yaml"
    file.write_bytes(content)
    text = refusal(lambda: load_contest(file))
    assert text.startswith(f"{file}")
    assert said in text
    assert "\n" not in text


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, len(GOOD)),
    much=st.integers(0, 12),
    what=st.text(st.sampled_from("[]{}:,-#&*!|>'\"% \n\ta0"), max_size=4),
)
def test_a_file_with_a_random_typo_is_a_contest_or_one_line(place: Path, at: int, much: int, what: str) -> None:
    said = ""
    try:
        read(place, GOOD[:at] + what + GOOD[at + much :])
    except UserError as error:
        said = str(error)
    assert not said or re.fullmatch(rf"{place / 'cup.yaml'}(, line \d+)?: .+", said)


def test_the_command_complains_in_one_line(place: Path) -> None:
    varied(place, "ann", "bob", "cid")
    write(place / "cup.yaml", GOOD.replace("rounds: 4", "rounds: 0"))
    ran = arbiter("run", "cup.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arbiter: cup.yaml, line 11: swiss: rounds 0: must be a whole number, at least 1\n"


def test_looking_at_the_folder_of_a_stranger_builds_and_runs_nothing(place: Path) -> None:
    write(place / "cup" / "bot" / "agent.yaml", f"run: ./bot\nbuild: touch {place}/sprung\n")
    text = "protocol: auction\nagents: [./bot, ./bot]\nsandbox: none\nallow_uncontained_build: true\n"
    write(place / "cup" / "contest.yaml", text)
    for words in (("standings", "cup"), ("standings", "cup", "--follow"), ("standings", "cup/contest.yaml")):
        ran = arbiter(*words)
        assert (ran.code, "this contest has not been run yet" in ran.err) == (2, True)
    assert not (place / "sprung").exists()


def test_a_contest_without_the_folder_it_is_saved_in_is_suggested(place: Path) -> None:
    (place / "matches" / "games" / "cup").mkdir(parents=True)
    assert arbiter("standings", "cup").err == (
        "arbiter: no such file or folder 'cup'; did you mean matches/games/cup?\n"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.yaml", "no such file or folder 'nowhere.yaml'"),
        ("empty", "empty is a folder without contest.yaml: name a"),
    ],
)
def test_a_missing_file_is_named(place: Path, name: str, said: str) -> None:
    (place / "empty").mkdir()
    for command in ("run", "standings"):
        ran = arbiter(command, name)
        assert ran.code == 2
        assert ran.err.startswith(f"arbiter: {said}")
        assert ran.err.count("\n") == 1


def test_names_in_the_file_of_a_stranger_are_not_longer_than_a_page_can_link_to(place: Path) -> None:
    contest = write(
        place / "cup" / "contest.yaml", f"protocol: auction\nagents: [x]\nnames: [ann, {'M' * 1_000_000}]\n"
    )
    with pytest.raises(
        UserError, match=r"contest\.yaml.*the name 'MMM.*'… has 1,000,000 characters; at most 200"
    ) as caught:
        load_contest(contest.parent, only_look=True)
    assert len(str(caught.value)) < 300

"""The deals of a contest follow from a secret: nobody can know them before, and anybody can check them afterwards."""

from __future__ import annotations

import hashlib
import hmac
import json
import stat
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest import secret
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.match_file import load_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.report import build_report
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.contest.secret import SECRET_FILE
from arbiter.errors import UserError
from arbiter.game import Chance
from arbiter.records.format import Header, ResultLine
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from tests.contest.running.around import auction, records, varied
from tests.contest.running.invented import run_invented
from tests.nullgame.auction import protocol
from tests.nullgame.command import arbiter

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]
FOUR = {"kind": "round_robin", "games": 4}


def contest_of_four(place: Path, **schedule: object) -> Contest:
    return auction(place, varied(place, "ann", "bob"), {**FOUR, **schedule})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_seatings_of_a_deal_share_what_anybody_can_compute_from_the_secret(place: Path) -> None:
    contest = contest_of_four(place)
    played = run_contest(contest).ledger.played
    found = records(contest.folder)

    assert [record.header.seed for record in found] == [1, 1, 2, 2]
    one, same, two, _ = found
    assert (one.header.setup, one.seed) == (same.header.setup, same.seed)
    assert one.seed != two.seed
    assert all(record.seed is not None and record.seed != record.header.seed for record in found)
    (revealed,) = json.loads((contest.folder / SECRET_FILE).read_bytes())
    hidden, commitment = revealed["secret"], revealed["commitment"]
    assert commitment == f"sha256:{hashlib.sha256(hidden.encode()).hexdigest()}"
    for record in found:
        code = hmac.digest(hidden.encode(), f"deal {record.header.seed}".encode(), "sha256")
        assert (record.seed, record.header.commitment) == (int.from_bytes(code[:16]), commitment)
        assert list(differences(record, protocol)) == []
    assert {outcome.commitment for outcome in played.values()} == {commitment}
    assert Ledger(contest.folder).played == played
    other = replace(contest, folder=place / "other")
    run_contest(other)
    assert records(other.folder)[0].seed != one.seed


def test_the_commitment_is_published_before_the_first_game_and_the_secret_after_the_last(place: Path) -> None:
    contest = contest_of_four(place)
    seen: list[tuple[int, str, int, str]] = []

    def observe(progress: ContestProgress, _: object) -> None:
        file = contest.folder / SECRET_FILE
        (commitment,) = yaml.safe_load((contest.folder / CONTEST_FILE).read_text(encoding="utf-8"))["commitments"]
        assert f"a secret, {commitment}," in progress.chance
        (drawn,) = secret.load_secrets(contest.folder)
        seen.append((progress.now_played, commitment, mode(file), drawn.revealed))

    result = run_contest(contest, observe)

    assert seen[0] == (0, seen[-1][1], 0o600, "")
    assert {hidden for _, _, _, hidden in seen} == {""}
    (drawn,) = secret.load_secrets(contest.folder)
    assert drawn.revealed
    assert mode(contest.folder / SECRET_FILE) == 0o644
    assert [msgspec.to_builtins(one) for one in build_report(contest, result).chance] == [
        {"commitment": drawn.commitment, "secret": drawn.secret}
    ]
    looked_at = load_contest(contest.folder, only_look=True)
    assert build_report(looked_at, current_result(looked_at)).chance == build_report(contest, result).chance


def test_the_record_of_a_running_game_has_neither_seed_nor_secret_and_is_for_its_owner_only(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = contest_of_four(place)
    seen: list[tuple[int, list[str]]] = []

    def watched(path: Path) -> None:
        (drawn,) = secret.load_secrets(contest.folder)
        text = path.read_text(encoding="utf-8")
        seen.append((mode(path), [drawn.secret, *(str(drawn.deal_seed(number).seed) for number in (1, 2))]))
        assert not any(hidden in text for hidden in seen[-1][1])

    from arbiter.records.writer import RecordWriter

    written = RecordWriter.flush

    def flush(writer: RecordWriter) -> None:
        written(writer)
        watched(writer.path)

    monkeypatch.setattr(RecordWriter, "flush", flush)
    run_contest(contest)

    assert seen
    running = [found for found, _ in seen]
    assert running[0] == 0o600
    assert {mode(path) for path in contest.folder.glob("*.jsonl")} == {0o644}
    assert mode(contest.folder) == 0o700


def test_a_contest_that_was_killed_goes_on_with_its_secret(place: Path) -> None:
    contest = contest_of_four(place)
    run_invented(contest, most=1)
    (before,) = secret.load_secrets(contest.folder)
    assert not before.revealed

    result, _ = run_invented(contest)

    assert result
    assert result.complete
    (after,) = secret.load_secrets(contest.folder)
    assert (after.secret, bool(after.revealed)) == (before.secret, True)
    assert {record.header.commitment for record in records(contest.folder)} == {before.commitment}


def test_more_games_after_the_end_follow_from_another_secret_and_share_deals_that_were_begun(place: Path) -> None:
    agents = varied(place, "ann", "bob")
    run_contest(auction(place, agents, FOUR, until="games(3)"))
    (first,) = secret.load_secrets(place / "games" / "cup")

    contest = auction(place, agents, {"kind": "round_robin", "games": 6})
    result = run_contest(contest)

    old, new = secret.load_secrets(contest.folder)
    assert (old, new.revealed != "", new.secret != old.secret) == (first, True, True)
    found = records(contest.folder)
    assert [record.header.commitment for record in found] == [old.commitment] * 4 + [new.commitment] * 2
    assert [record.seed for record in found] == [
        drawn.deal_seed(number).seed for drawn, number in ((old, 1), (old, 1), (old, 2), (old, 2), (new, 3), (new, 3))
    ]
    assert len(result.counted) == 6
    assert arbiter("verify", contest.folder).code == 0
    assert run_contest(contest).progress.now_played == 0
    assert len(secret.load_secrets(contest.folder)) == 2


def test_a_seed_makes_the_deals_those_of_the_seed_and_says_that_agents_can_know_them(place: Path) -> None:
    contest = contest_of_four(place, seed=5)
    told: list[str] = []
    run_contest(contest, lambda progress, _: told.append(progress.chance))

    assert set(told) == {"agents can predict the deals: seed 5 was given"}
    assert not (contest.folder / SECRET_FILE).exists()
    assert [(record.header.seed, record.seed) for record in records(contest.folder)] == [(5, 5), (5, 5), (6, 6), (6, 6)]
    again = load_contest(contest.folder)
    assert again.seeded
    assert run_contest(again).progress.now_played == 0


def test_a_contest_without_a_secret_goes_on_without_one(place: Path) -> None:
    run_invented(contest_of_four(place, seed=1), most=2)
    contest = contest_of_four(place)
    told: list[str] = []

    result = run_contest(contest, lambda progress, _: told.append(progress.chance))

    assert told[0] == "agents can predict the deals: this contest was started without a secret"
    assert (result.complete, len(result.counted)) == (True, 4)
    assert not (contest.folder / SECRET_FILE).exists()


def test_a_seed_for_a_contest_with_a_secret_is_refused(place: Path) -> None:
    run_contest(contest_of_four(place))
    with pytest.raises(UserError, match=r"deals follow from a secret, but now seed 1 is given: leave it out"):
        run_contest(contest_of_four(place, seed=1))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda file: file.unlink(), r"secret.json is missing, and the deals to come follow from it: restore it"),
        (lambda file: file.write_bytes(b"[{"), r"secret.json is damaged \(.*\): restore it"),
        (
            lambda file: file.write_bytes(file.read_bytes().replace(b'"secret": "', b'"secret": "0')),
            r"secret.json: the secret does not have the sha256:\w+: restore it",
        ),
    ],
)
def test_a_lost_or_changed_secret_is_one_line(place: Path, change: object, said: str) -> None:
    contest = contest_of_four(place)
    run_invented(contest, most=2)
    assert callable(change)
    change(contest.folder / SECRET_FILE)
    with pytest.raises(UserError, match=said):
        run_contest(contest)


# -- arbiter verify


def test_verify_checks_that_all_deals_follow_from_the_secret(place: Path) -> None:
    contest = contest_of_four(place)
    run_contest(contest)
    (drawn,) = secret.load_secrets(contest.folder)

    ran = arbiter("verify", contest.folder)

    assert ran.code == 0
    assert f"chance   {drawn.commitment} is that of secret {drawn.secret}; 4 of 4 games follow from it" in ran.out
    (checked,) = arbiter("verify", contest.folder, "--json").document["chance"]
    assert (checked["secret"], checked["games"], checked["checked"]) == (drawn.secret, 4, 4)


def test_verify_finds_a_deal_that_was_picked(place: Path) -> None:
    contest = contest_of_four(place)
    run_contest(contest)
    path = contest.folder / "00003-ann-bob.jsonl"
    _deal_again(path, load_record(path).header.commitment)

    ran = arbiter("verify", contest.folder)

    (drawn,) = secret.load_secrets(contest.folder)
    assert ran.code == 1
    assert f"the seed of deal 2 does not follow from the secret with {drawn.commitment}" in ran.out
    assert "3 of 4 games follow from it" in ran.out


def test_verify_finds_a_game_that_was_played_without_the_secret(place: Path) -> None:
    contest = contest_of_four(place)
    run_contest(contest)
    (drawn,) = secret.load_secrets(contest.folder)
    seeded = replace(contest_of_four(place, seed=1), folder=place / "seeded")
    run_contest(seeded)
    name = "00003-ann-bob.jsonl"
    (contest.folder / name).write_bytes((seeded.folder / name).read_bytes())
    ran = arbiter("verify", "-q", contest.folder)
    assert ran.code == 1
    assert f"the header has no commitment, but contest.yaml has {drawn.commitment}" in ran.out


def test_verify_finds_a_secret_that_was_replaced(place: Path) -> None:
    contest = contest_of_four(place)
    run_contest(contest)
    secret.save(contest.folder, [secret.draw()])
    ran = arbiter("verify", contest.folder)
    assert ran.code == 1
    assert ran.out.count("secret.json has no secret with sha256:") == 4


def test_the_secret_of_a_stopped_contest_is_revealed_on_request(place: Path) -> None:
    contest = contest_of_four(place)
    run_invented(contest, most=2)
    (drawn,) = secret.load_secrets(contest.folder)
    assert drawn.secret not in arbiter("standings", contest.folder, "--verbose").out

    ran = arbiter("verify", contest.folder, "--reveal")

    assert f"secret {drawn.secret}" in ran.out
    assert drawn.secret in arbiter("standings", contest.folder, "--verbose").out
    result = run_contest(contest)
    assert result.complete
    assert len(secret.load_secrets(contest.folder)) == 2
    assert arbiter("verify", place, "--reveal").err == (
        f"arbiter: {str(place)!r} is not the folder of a contest with a secret: it has no secret.json\n"
    )


def _deal_again(path: Path, commitment: str) -> None:
    """Replace a record by one of a deal that suits somebody, with a digest that fits."""
    record = load_record(path)
    header, result = record.header, record.result
    assert isinstance(header, Header)
    assert isinstance(result, ResultLine)
    result.deal_seed = 7
    result.digest = record.digest().close(result.ranks, result.scores, 7)
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *record.answers, result)))


# -- the generator of drawn seeds


@given(st.integers(2**64, 2**128), st.integers(1, 1000))
def test_drawn_seeds_are_hashed(seed: int, below: int) -> None:
    digest = hashlib.sha512(f"play:{seed}:0".encode()).digest()
    words = [int.from_bytes(digest[start : start + 8]) for start in range(0, 64, 8)]
    chance = Chance(seed)
    assert [chance.below(below) for _ in words] == [int((word >> 11) / 2**53 * below) for word in words]

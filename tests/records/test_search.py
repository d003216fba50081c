"""Searching through the index finds the same games as reading every record."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.agents.ask.answer import Answer
from arbiter.errors import UserError
from arbiter.game import Fault, FaultKind
from arbiter.records.reader import Record, find_records, load_record
from arbiter.records.scoring import SeatResult
from arbiter.records.search import index
from arbiter.records.search.folder import INDEX, Found, search
from arbiter.records.search.kibitz import matching
from arbiter.records.search.moments import asked_us, moment_us
from arbiter.records.search.query import Query
from arbiter.records.search.scan import FolderScan, scan
from arbiter.records.summary import GameSummary
from tests.nullgame import count_up
from tests.nullgame.script import Said, Script, header_of, perform
from tests.records import games
from tests.tools import ROOT, missing

pytestmark = pytest.mark.slow

SAMPLES = ROOT / "matches" / "samples"
NAMES = ("anna", "bert", "Bert", "çelik")
REMARKS = ("no idea", "NO IDEA at all", "Straße 7", "STRASSE 8", "", "100% sure_", "two\nlines", "nul \0 inside")
KINDS = (FaultKind.LATE, FaultKind.CRASHED, FaultKind.NOT_STARTED)
DAYS = ("2026-11-01T10:00:00.000Z", "2026-11-01T23:59:59.999Z", "2026-11-02T00:00:00.000Z", "some day")


def game(path: Path, number: int, *, day: str | None = None) -> Record:
    """A game of Count up whose names, faults and kibitz depend on the number alone."""
    dice = random.Random(number)
    seats = dice.choice((1, 2, 2, 3))
    header = header_of(count_up.protocol, seats, seed=dice.randrange(3), options={"turns": dice.choice((3, 4, 6))})
    header.started, header.game = day or dice.choice(DAYS), number
    header.contest, header.stage = dice.choice((("", ""), ("cup", "final"), ("cup", "round 1")))
    for seat in header.seats:
        seat.name = dice.choice(NAMES)

    def said(seat: int) -> Said:
        words = dice.sample(REMARKS, dice.choice((0, 0, 1, 2)))
        fault = Fault(dice.choice(KINDS), "so it was") if dice.random() < 0.15 else None
        return Answer(seat, "" if fault else dice.choice("123"), 1, fault, kibitz=words)

    script = Script({seat: [said(seat) for _ in range(6)] for seat in range(seats)}, {0: dice.sample(REMARKS, 1)})
    path.parent.mkdir(parents=True, exist_ok=True)
    return perform(path, count_up.protocol, header, script)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def settle(folder: Path) -> None:
    """Make every file an hour old, so that the index trusts its modification time."""
    for path in folder.rglob("*.jsonl"):
        then = path.stat().st_mtime_ns - 3_600_000_000_000
        os.utime(path, ns=(then, then))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty games in nested folders, some cut off, some duplicated, and some files that are not records."""
    folder = tmp_path_factory.mktemp("archive")
    for number in range(50):
        path = folder / ("cup/final", "cup", "", "größe")[number % 4] / f"game {number}.jsonl"
        game(path, number)
        if number % 7 == 0:
            cut_short(path)
        if number % 10 == 1:
            shutil.copy(path, folder / f"again {number}.jsonl")
    for sample in SAMPLES.glob("*.jsonl"):
        shutil.copy(sample, folder)
    (folder / "cup" / "bad.jsonl").write_bytes(b"\xff\n")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "notes.txt").write_text("no record")
    settle(folder)
    return folder


# The reference implementation: read every record and test the conditions on it.


def holds(query: Query, record: Record, twice: set[str]) -> bool:
    header, result = record.header, record.result
    names, start = record.names, moment_us(header.started)
    asked_of = [seat for seat, name in enumerate(names) if not query.agents or name in query.agents]

    def ended(name: str, ending: SeatResult) -> bool:
        return any(each == name and plain_ending(record, seat) == ending for seat, each in enumerate(names))

    kinds = {line.fault.kind for line in record.answers if line.fault and line.seat in asked_of}
    words = [text for line in record.answers if line.seat in asked_of for text in line.kibitz]
    words += [
        text for seat, texts in (result.afterwards if result else {}).items() if seat in asked_of for text in texts
    ]

    def same(text: str) -> str:
        return text.casefold().replace("\n", " ")

    return (
        all(name in names for name in query.agents)
        and all(ended(name, SeatResult.WON) for name in query.won)
        and all(ended(name, SeatResult.DREW) for name in query.drew)
        and all(ended(name, SeatResult.LOST) for name in query.lost)
        and query.protocol in (None, header.protocol)
        and query.contest in (None, header.contest)
        and query.stage in (None, header.stage)
        and query.seed in (None, header.seed)
        and (not query.faults or bool(kinds if "any" in query.faults else kinds & set(query.faults)))
        and (query.since_us is None or (start is not None and start >= query.since_us))
        and (query.until_us is None or (start is not None and start <= query.until_us))
        and query.finished in (None, result is not None)
        and (not query.duplicates or (result is not None and result.digest in twice))
        and (query.kibitz is None or any(same(query.kibitz) in same(text) for text in words))
    )


def plain_ending(record: Record, seat: int) -> SeatResult | None:
    if record.result is None:
        return None
    ranks = record.result.ranks
    best = [each for each, rank in enumerate(ranks) if rank == 1]
    if best == [seat]:
        return SeatResult.WON
    return SeatResult.DREW if seat in best or (not best and len(ranks) > 1) else SeatResult.LOST


def plain_scan(folder: Path, query: Query) -> set[str]:
    """Return the names of the records that match."""
    return fitting(readable(folder), query)


def fitting(records: Sequence[Record], query: Query) -> set[str]:
    digests = [record.result.digest for record in records if record.result]
    twice = {digest for digest in digests if digests.count(digest) > 1}
    return {str(record.path) for record in records if holds(query, record, twice)}


def readable(folder: Path) -> list[Record]:
    records = []
    for path in find_records([folder]):
        with contextlib.suppress(UserError):
            records.append(load_record(path))
    return records


@pytest.fixture(scope="module")
def read(shelf: Path) -> list[Record]:
    """All records on the shelf."""
    return readable(shelf)


def names_of(found: Found) -> list[str]:
    return [each.record for each in found.games]


NAMED = st.lists(st.sampled_from((*NAMES, "strong", "nobody")), min_size=1, max_size=2).map(tuple)
MOMENTS = st.sampled_from([each for day in DAYS if (each := moment_us(day)) is not None])
WORDS = ("", "idea", "strasse", "STRAßE", "%", "_", "two lines", "\0", "o\nl", "card 7")
CONDITIONS: dict[str, st.SearchStrategy[object]] = {
    "agents": NAMED,
    "won": NAMED,
    "drew": NAMED,
    "lost": NAMED,
    "protocol": st.sampled_from(("count_up", "rails", "chess")),
    "faults": st.lists(st.sampled_from(("any", *map(str, KINDS))), min_size=1, max_size=2).map(tuple),
    "since_us": MOMENTS,
    "until_us": MOMENTS,
    "seed": st.sampled_from((0, 1, 2, 10**30)),
    "kibitz": st.sampled_from(WORDS),
    "contest": st.sampled_from(("", "cup")),
    "stage": st.sampled_from(("", "final")),
    "finished": st.booleans(),
    "duplicates": st.just(True),
}


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """A few conditions at a time: no game would match all of them."""
    chosen = draw(st.lists(st.sampled_from(list(CONDITIONS)), max_size=3, unique=True))
    order = {"sort": draw(st.sampled_from(("date", "length", "duration"))), "reverse": draw(st.booleans())}
    return Query(**{name: draw(CONDITIONS[name]) for name in chosen}, **order)  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(query=queries())
def test_the_index_finds_what_the_reference_implementation_finds(shelf: Path, read: list[Record], query: Query) -> None:
    found = search(shelf, query)
    assert set(names_of(found)) == fitting(read, query)
    assert len(found.games) == found.total == len(fitting(read, query))
    assert found.searched == len(read)


def value_of(query: Query) -> Callable[[GameSummary], int | None]:
    keys: dict[str, Callable[[GameSummary], int | None]] = {
        "date": lambda each: moment_us(each.started),
        "length": lambda each: each.turns,
        "duration": lambda each: each.duration_us,
    }
    return keys[query.sort]


@pytest.mark.parametrize("sort", ["date", "length", "duration"])
@pytest.mark.parametrize("reverse", [False, True])
def test_games_are_in_order_and_unknown_values_come_last(shelf: Path, sort: str, reverse: bool) -> None:
    query = Query(sort=sort, reverse=reverse)  # type: ignore[arg-type]
    values = [value_of(query)(each) for each in search(shelf, query).games]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=not reverse)
    assert values[len(known) :] == [None] * (len(values) - len(known))
    assert len(set(known)) > 2


def test_a_limit_returns_the_first_games_and_still_counts_all(shelf: Path) -> None:
    everything, some = search(shelf, Query()), search(shelf, Query(limit=4))
    assert some.games == everything.games[:4]
    assert some.total == everything.total == len(everything.games)


def test_equal_games_are_listed_together(shelf: Path) -> None:
    digests = [each.digest for each in search(shelf, Query(duplicates=True)).games]
    assert digests
    blocks = [digest for at, digest in enumerate(digests) if at == 0 or digests[at - 1] != digest]
    assert len(blocks) == len(set(blocks)) < len(digests)


def test_files_that_are_not_records_are_reported_and_harm_nothing(shelf: Path) -> None:
    found = search(shelf, Query())
    assert [each.path.relative_to(shelf).as_posix() for each in found.damaged] == ["cup/bad.jsonl", "empty.jsonl"]
    assert found.damaged[0].problem.startswith(", line 1: not a line of a saved game")
    assert found.damaged[1].problem == " is not a saved game: it does not begin with a header"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: lines[0].update(format=99), " has format 99; this arbiter reads formats up to 1: update the arbiter"),
        (lambda lines: lines[1].update(seat=7), ": invalid seat 7: the header has 2 seats"),
    ],
)  # fmt: skip
def test_a_manipulated_record_is_a_problem_of_that_record_alone(
    counted: Record, tmp_path: Path, change: Callable[[games.Lines], object], problem: str
) -> None:
    games.tampered(counted, tmp_path / "odd.jsonl", change)
    shutil.copy(counted.path, tmp_path / "good.jsonl")
    found = search(tmp_path, Query())
    assert [Path(each.record).name for each in found.games] == ["good.jsonl"]
    assert [each.problem for each in found.damaged] == [problem]


# Keeping the index up to date.


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the records that are opened, in order."""
    opened: list[str] = []

    def watched(path: Path) -> Record:
        opened.append(path.name)
        return load_record(path)

    monkeypatch.setattr(index, "load_record", watched)
    return opened


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Return a folder with three games that are an hour old."""
    for number in range(3):
        game(tmp_path / f"{number}.jsonl", number)
    settle(tmp_path)
    return tmp_path


def test_records_are_read_once(three: Path, reads: list[str]) -> None:
    assert search(three, Query()).total == 3
    assert sorted(reads) == ["0.jsonl", "1.jsonl", "2.jsonl"]
    before = (three / INDEX).read_bytes()
    assert search(three, Query()).total == 3
    assert len(reads) == 3
    assert (three / INDEX).read_bytes() == before


def test_only_new_and_changed_records_are_read_again(three: Path, reads: list[str]) -> None:
    search(three, Query())
    reads.clear()
    game(three / "below" / "3.jsonl", 3)
    cut_short(three / "1.jsonl")
    (three / "0.jsonl").unlink()
    found = search(three, Query())
    assert sorted(reads) == ["1.jsonl", "3.jsonl"]
    assert {Path(each.record).name: each.finished for each in found.games} == {
        "1.jsonl": False,
        "2.jsonl": True,
        "3.jsonl": True,
    }


def test_a_record_written_just_now_is_read_again_since_its_timestamp_may_not_change(
    three: Path, reads: list[str]
) -> None:
    path = three / "0.jsonl"
    status, seed = path.stat(), load_record(path).header.seed
    os.utime(path)
    now = path.stat().st_mtime_ns
    search(three, Query())
    path.write_bytes(path.read_bytes().replace(b'"seed":%d' % seed, b'"seed":8'))
    os.utime(path, ns=(now, now))
    assert path.stat().st_size == status.st_size
    assert [Path(each.record).name for each in search(three, Query(seed=8)).games] == ["0.jsonl"]


def test_the_index_moves_with_its_folder(three: Path, reads: list[str]) -> None:
    search(three, Query())
    moved = three.rename(three.with_name("moved"))
    assert names_of(search(moved, Query(sort="length"))) != []
    assert all(name.startswith(str(moved)) for name in names_of(search(moved, Query())))
    assert len(reads) == 3


def test_an_interrupted_first_search_keeps_the_records_it_read(
    three: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(index, "_BATCH", 1)
    with pytest.raises(KeyboardInterrupt):
        search(three, Query(), progress=stop)
    assert len(reads) == 2
    assert search(three, Query()).total == 3
    assert len(reads) == 3


def test_a_folder_without_games_is_left_as_it_is(tmp_path: Path) -> None:
    assert search(tmp_path, Query()) == Found([], 0, 0, [])
    assert list(tmp_path.iterdir()) == []


def test_the_index_may_be_kept_in_memory(three: Path) -> None:
    assert search(three, Query(), keep=False).total == 3
    assert not (three / INDEX).exists()


def overwrite(file: Path, at: int, data: bytes) -> None:
    whole = bytearray(file.read_bytes())
    whole[at : at + len(data)] = data
    file.write_bytes(whole)


def sql(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        db.execute(statement)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "not a database": lambda file: file.write_bytes(b"not a database" * 1000),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:5000]),
    "first page": lambda file: overwrite(file, 100, b"\xff" * 3000),
    "all but the first page": lambda file: overwrite(file, 4096, b"\xa5" * (file.stat().st_size - 4096)),
    "a table is missing": lambda file: sql(file, "DROP TABLE kibitz"),
    "a column of another name": lambda file: sql(file, "ALTER TABLE file RENAME COLUMN summary TO game"),
    "summaries of another kind": lambda file: sql(file, "UPDATE file SET summary = x'c0'"),
    "summaries that are none": lambda file: sql(file, "UPDATE file SET summary = NULL"),
    "another version": lambda file: sql(file, "PRAGMA user_version = 77"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_is_rebuilt(three: Path, damage: str, reads: list[str]) -> None:
    query = Query(kibitz="", agents=("anna",))
    before = search(three, query), search(three, Query())
    DAMAGE[damage](three / INDEX)
    assert (search(three, query), search(three, Query())) == before
    reads.clear()
    assert search(three, Query()) == before[1]
    assert reads == [], "the new index was not kept"
    assert [each.name for each in three.iterdir() if each.suffix != ".jsonl"] == [INDEX]


def test_an_index_of_another_version_may_have_other_tables(three: Path) -> None:
    sql(three / INDEX, 'CREATE TABLE "odd ""name" (x)')
    sql(three / INDEX, "CREATE TABLE game (x)")
    assert search(three, Query(agents=("anna",))).total == len(plain_scan(three, Query(agents=("anna",))))


def test_the_journal_of_a_stranger_deletes_no_file(three: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite deletes the file that a journal left behind names, if it takes it for that of several databases."""
    search(three, Query())
    precious = tmp_path_factory.mktemp("elsewhere") / "precious"
    precious.write_text("text", encoding="utf-8")
    magic, name = bytes.fromhex("d9d505f920a163d7"), os.fsencode(precious)
    header = (magic + struct.pack(">5I", 0, 0, 2, 512, 4096)).ljust(512, b"\0")
    end = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">2I", len(name), sum(name)) + magic
    (three / f"{INDEX}-journal").write_bytes(header + end)
    assert search(three, Query()).total == 3
    assert precious.exists()


def test_an_index_that_computes_forever_is_rebuilt(three: Path) -> None:
    search(three, Query())
    with contextlib.closing(sqlite3.connect(three / INDEX)) as db:
        db.execute("ALTER TABLE file RENAME TO rest")
        forever = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        db.execute(
            f"CREATE VIEW file AS {forever} SELECT x AS id, x AS path, 0 AS size, 0 AS changed, NULL AS problem, x AS summary FROM n"
        )
        db.commit()
    assert search(three, Query()).total == 3


def test_games_are_found_even_if_no_index_can_be_written(three: Path) -> None:
    (three / INDEX).mkdir()
    assert search(three, Query()).total == 3


def test_a_link_in_place_of_the_index_is_not_followed(three: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "other.sqlite"
    sql(other, "CREATE TABLE precious (x)")
    before = other.read_bytes()
    (three / INDEX).symlink_to(other)
    assert search(three, Query()).total == 3
    assert other.read_bytes() == before


@pytest.fixture
def powerless() -> Iterator[Path]:
    """Return a folder in which this process may only read."""
    folder = Path(tempfile.mkdtemp())
    try:
        for number in range(2):
            game(folder / f"{number}.jsonl", number)
        settle(folder)
        folder.chmod(0o555)
        if root := os.geteuid() == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_read_only_folder_is_searched_without_leaving_a_file(powerless: Path) -> None:
    assert search(powerless, Query()).total == 2
    assert sorted(each.name for each in powerless.iterdir()) == ["0.jsonl", "1.jsonl"]


def test_unreadable_files_are_reported_until_they_are_readable(powerless: Path) -> None:
    with as_owner():
        powerless.chmod(0o777)
        (powerless / "0.jsonl").chmod(0)
        (powerless / "closed").mkdir(mode=0)
    found = search(powerless, Query())
    assert [(each.path.name, each.problem) for each in found.damaged] == [
        ("0.jsonl", ": Permission denied"),
        ("closed", ": Permission denied"),
    ]
    assert (powerless / INDEX).exists()
    with as_owner():
        (powerless / "0.jsonl").chmod(0o644)
        (powerless / "closed").chmod(0o755)
    assert search(powerless, Query()).total == 2


@contextlib.contextmanager
def as_owner() -> Iterator[None]:
    if os.getuid() != 0:
        missing("running as root: being two users")
    mine = os.geteuid()
    os.seteuid(0)
    try:
        yield
    finally:
        os.seteuid(mine)


def test_an_unreadable_folder_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: No such file or directory"):
        search(tmp_path / "nowhere", Query())


def _search_often(folder: Path, times: int, results: multiprocessing.SimpleQueue[list[int]]) -> None:
    results.put([search(folder, Query()).total for _ in range(times)])


def test_several_arbiters_may_use_an_index_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_BATCH", 2)  # many transactions, so that they interleave
    for number in range(30):
        game(tmp_path / f"{number}.jsonl", number)
    context = multiprocessing.get_context("fork")
    results: multiprocessing.SimpleQueue[list[int]] = context.SimpleQueue()
    others = [context.Process(target=_search_often, args=(tmp_path, 5, results)) for _ in range(2)]
    for each in others:
        each.start()
    totals = []
    for number in range(30, 40):
        game(tmp_path / f"{number}.jsonl", number)
        totals.append(search(tmp_path, Query()).total)
    for each in others:
        each.join()
    assert [each.exitcode for each in others] == [0, 0]
    assert totals == list(range(31, 41))
    for seen in (results.get(), results.get()):
        assert seen == sorted(seen)
        assert set(seen) <= set(range(30, 41))
    assert sorted(names_of(search(tmp_path, Query()))) == sorted(plain_scan(tmp_path, Query()))
    assert (tmp_path / INDEX).exists()


def test_records_that_another_arbiter_adds_meanwhile_stay_indexed(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(folder: Path) -> FolderScan:
        tree = scan(folder)
        monkeypatch.setattr(index, "scan", scan)
        game(folder / "new.jsonl", 9)
        assert search(folder, Query()).total == 4
        return tree

    search(three, Query())
    monkeypatch.setattr(index, "scan", slow)
    assert search(three, Query()).total == 4


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("add", "remove", "cut", "spoil", "copy", "touch", "break the index", "lose the index")),
        st.integers(0, 5),
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_the_index_follows_any_change_to_the_files(steps: list[tuple[str, int, bool]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, number, look in steps:
            happen(folder, what, number)
            if look:
                assert set(names_of(search(folder, Query()))) == plain_scan(folder, Query())
        for query in (Query(), Query(finished=False), Query(duplicates=True), Query(agents=("anna",), kibitz="")):
            assert set(names_of(search(folder, query))) == plain_scan(folder, query)


def happen(folder: Path, what: str, number: int) -> None:
    path, file = folder / f"{number % 2}" / f"{number}.jsonl", folder / INDEX
    if what == "add" and not path.exists():
        game(path, number)
    elif what == "break the index" and file.exists():
        overwrite(file, 4096 * number, b"\xa5" * 4096)
    elif what == "lose the index":
        file.unlink(missing_ok=True)
    elif path.exists():
        changes: dict[str, Callable[[], object]] = {
            "remove": path.unlink,
            "cut": lambda: cut_short(path),
            "spoil": lambda: path.write_bytes(b"{}\n" * number),
            "copy": lambda: shutil.copy(path, folder / f"copy {number}.jsonl"),
            "touch": lambda: settle(folder),
        }
        changes.get(what, lambda: None)()


# Kibitz and times.


def test_kibitz_is_found_ignoring_case_and_with_its_turn(tmp_path: Path) -> None:
    record = game(tmp_path / "game.jsonl", 5)
    for line in record.answers:
        for text in line.kibitz:
            assert (line.turn, line.seat, text) in {
                (remark.turn, remark.seat, remark.text) for remark in matching(record, text.upper())
            }
    assert matching(record, "no such words") == []
    assert {record.names[remark.seat] for remark in matching(record, "", [record.names[0]])} == {record.names[0]}
    assert [remark.turn for remark in matching(record, "")][-1] is None


NOW = 1_800_000_000_000_000
HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1970-01-02", 24 * HOUR),
        ("1970-01-02T01:30", 25 * HOUR + HOUR // 2),
        ("1970-01-02 01:30:00.5Z", 25 * HOUR + HOUR // 2 + 500_000),
        ("1970-01-02T01:00+02:00", 23 * HOUR),
        ("2h", NOW - 2 * HOUR),
        ("90m", NOW - 90 * HOUR // 60),
        ("7d", NOW - 7 * 24 * HOUR),
        ("2w", NOW - 14 * 24 * HOUR),
    ],
)
def test_times_as_users_write_them(text: str, moment: int) -> None:
    assert asked_us(text, NOW, what="--since") == moment


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "-2h", "7", "7y", "1234567d", "²d"])
def test_a_text_that_is_not_a_time_is_quoted_with_examples(text: str) -> None:
    with pytest.raises(UserError, match=r"^--since '.*': must be a day such as 2026-11-01, .* 2h or 7d$"):
        asked_us(text, NOW, what="--since")


@given(text=st.text() | st.datetimes().map(str))
def test_any_text_in_a_record_is_a_time_or_none(text: str) -> None:
    moment = moment_us(text)
    assert moment is None or -(1 << 62) < moment < 1 << 62

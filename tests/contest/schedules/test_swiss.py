"""Swiss: every agent plays or has a bye, equals meet, and no pair meets again while that can be avoided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.score_sheet import ScoreSheet, SwissRound
from arbiter.contest.schedules.swiss import Swiss, draw_pairs
from tests.contest.fake_game import at_leisure, by_luck, by_strength, in_order, names, play_all, play_batch

Tables = set[frozenset[str]]


def rounds_of(played: dict[ScheduledGame, GameSummary]) -> list[Tables]:
    """The tables of each round."""
    count = max(int(scheduled.stage.removeprefix("round ")) for scheduled in played)
    return [
        {frozenset(scheduled.seats) for scheduled in played if scheduled.stage == f"round {number}"}
        for number in range(1, count + 1)
    ]


def pairs_of(tables: Tables) -> list[frozenset[str]]:
    return [frozenset(pair) for table in tables for pair in combinations(table, 2)]


def all_rounds(agents: list[str]) -> Iterator[tuple[list[frozenset[str]], str]]:
    """Return every way to pair them, with the agent that has the bye."""
    if len(agents) % 2:
        for out in agents:
            for pairs, _ in all_rounds([agent for agent in agents if agent != out]):
                yield pairs, out
    elif not agents:
        yield [], ""
    else:
        for other in agents[1:]:
            rest = [agent for agent in agents[1:] if agent != other]
            for pairs, _ in all_rounds(rest):
                yield [frozenset((agents[0], other)), *pairs], ""


contests = st.tuples(st.integers(2, 4), st.integers(0, 9), st.integers(1, 7), st.integers(0, 9))


@at_leisure
@given(contests)
def test_every_agent_plays_every_round_or_has_a_bye_and_byes_rotate(contest: tuple[int, int, int, int]) -> None:
    seats, more, rounds, luck = contest
    agents, schedule = names(seats + more), Swiss(seats=seats, rounds=rounds, games=2 * seats)
    played = play_all(schedule, agents, by_luck(luck))
    byes: Counter[str] = Counter(dict.fromkeys(agents, 0))
    for tables in rounds_of(played):
        seated = Counter(agent for table in tables for agent in table)
        assert set(seated.values()) == {1}
        assert len(seated) == len(agents) - len(agents) % seats
        byes.update(set(agents) - set(seated))
        assert max(byes.values()) - min(byes.values()) <= 1
    assert len(played) == rounds * (len(agents) // seats) * 2 * seats == schedule.total(agents, {})
    assert schedule.total(agents, played) == len(played)


@at_leisure
@given(contests)
def test_within_a_round_every_table_plays_all_seatings_of_the_same_seeds(contest: tuple[int, int, int, int]) -> None:
    seats, more, rounds, luck = contest
    played = play_all(Swiss(seats=seats, rounds=rounds, seed=5), names(seats + more), by_luck(luck))
    seeds = {scheduled.stage: scheduled.seed for scheduled in played}
    assert len(set(seeds.values())) == rounds
    assert all(seeds[scheduled.stage] == scheduled.seed for scheduled in played)
    sat = Counter((scheduled.stage, agent, seat) for scheduled in played for seat, agent in enumerate(scheduled.seats))
    assert set(sat.values()) == {1}


@at_leisure
@given(st.integers(2, 8), st.integers(1, 7), st.integers(0, 99))
def test_repeated_pairs_and_byes_are_as_few_as_any_pairing_allows(count: int, rounds: int, luck: int) -> None:
    agents = names(count)
    met: Counter[frozenset[str]] = Counter()
    byes = Counter(dict.fromkeys(agents, 0))
    for tables in rounds_of(play_all(Swiss(rounds=min(rounds, count - 1)), agents, by_luck(luck))):
        # A bye is repeated if somebody else has had fewer.
        fewest = min(byes.values())

        def repetitions(pairs: list[frozenset[str]], out: str, fewest: int = fewest) -> int:
            return sum(met[pair] > 0 for pair in pairs) + (bool(out) and byes[out] > fewest)

        best = min(repetitions(pairs, out) for pairs, out in all_rounds(agents))
        (out,) = set(agents).difference(*tables) or {""}
        assert repetitions(pairs_of(tables), out) == best
        met.update(pairs_of(tables))
        byes.update([out] if out else [])


def test_the_upper_half_meets_the_lower_half_and_then_equals_meet() -> None:
    agents = list("abcdefgh")
    first, second, third = rounds_of(play_all(Swiss(rounds=3), agents, in_order(agents)))
    assert first == {frozenset(pair) for pair in ("ae", "bf", "cg", "dh")}
    assert second == {frozenset(pair) for pair in ("ac", "bd", "eg", "fh")}
    assert frozenset("ab") in third
    assert frozenset("gh") in third


def test_the_bye_goes_to_the_lowest_agent_without_one() -> None:
    agents = list("abcde")
    rounds = rounds_of(play_all(Swiss(rounds=3), agents, in_order(agents)))
    first, second, third = (set(agents).difference(*tables) for tables in rounds)
    # e has a point for its bye; then c and d have lost, a has won twice, and so on.
    assert (first, second) == ({"e"}, {"d"})
    assert third not in ({"e"}, {"d"}, {"a"})


def test_a_perfect_order_is_found() -> None:
    agents = names(16)
    schedule = Swiss(rounds=4)
    order = schedule.final_order(agents, play_all(schedule, agents, in_order(agents)))
    assert (order[0].agent, order[0].place, order[0].figures["points"]) == (agents[0], 1, 4)
    assert (order[-1].agent, order[-1].figures["points"]) == (agents[-1], 0)


def test_larger_tables_are_filled_by_standing() -> None:
    agents = names(16)
    first, second = rounds_of(play_all(Swiss(seats=4, rounds=2), agents, in_order(agents)))
    assert first == {frozenset(agents[index::4]) for index in range(4)}
    assert frozenset(agents[:4]) in second
    assert frozenset(agents[12:]) in second


def test_tie_breaks_are_buchholz_then_sonneborn_berger() -> None:
    def a_round(*results: tuple[str, float, str, float]) -> SwissRound:
        points = {agent: gain for one, won, other, lost in results for agent, gain in ((one, won), (other, lost))}
        return SwissRound([(one, other) for one, _, other, _ in results], points)

    sheet = ScoreSheet(
        [
            a_round(("a", 1, "c", 0), ("b", 1, "d", 0)),
            a_round(("a", 0.5, "b", 0.5), ("c", 1, "d", 0)),
            a_round(("b", 0, "c", 1), ("a", 0.5, "d", 0.5)),
        ],
        1.0,
    )
    positions = {position.agent: position for position in sheet.positions(list("dcba"))}
    assert {agent: tuple(position.figures.values()) for agent, position in positions.items()} == {
        "a": (2, 2 + 1.5 + 0.5, 2 + 0.75 + 0.25),
        "c": (2, 2 + 0.5 + 1.5, 0.5 + 1.5),
        "b": (1.5, 0.5 + 2 + 2, 0.5 + 1),
        "d": (0.5, 1.5 + 2 + 2, 1),
    }
    assert [(agent, positions[agent].place) for agent in "acbd"] == [("a", 1), ("c", 2), ("b", 3), ("d", 4)]


def test_tied_agents_share_a_place() -> None:
    agents = names(4)
    schedule = Swiss(rounds=3)
    order = schedule.final_order(agents, play_all(schedule, agents, by_strength(dict.fromkeys(agents, 0.0))))
    assert [position.place for position in order] == [1, 1, 1, 1]


def test_a_bye_is_worth_its_parameter() -> None:
    agents = list("abc")
    for bye in (1.0, 0.5, 0.0):
        schedule = Swiss(rounds=1, bye=bye)
        order = schedule.final_order(agents, play_all(schedule, agents, in_order(agents)))
        figures = {position.agent: tuple(position.figures.values()) for position in order}
        assert figures == {"a": (1, 0, 0), "b": (0, 1, 0), "c": (bye, bye, bye * bye)}
        assert {each.agent: each.note for each in order} == {"a": "", "b": "", "c": "bye in round 1"}


@at_leisure
@given(st.integers(4, 9), st.integers(0, 9))
def test_more_rounds_than_before_are_played_after_those_that_were(count: int, luck: int) -> None:
    agents, game = names(count), by_luck(luck)
    short = play_all(Swiss(rounds=3), agents, game)
    assert play_all(Swiss(rounds=5), agents, game, short) == play_all(Swiss(rounds=5), agents, game)


def test_more_games_per_round_than_before_keep_the_pairs_and_play_what_is_missing() -> None:
    agents, game = names(8), by_luck()
    short = play_all(Swiss(rounds=3, games=2), agents, game)
    longer = play_all(Swiss(rounds=3, games=4), agents, game, short)
    assert rounds_of(longer) == rounds_of(short)
    assert set(
        Counter(frozenset(scheduled.seats) for scheduled in longer if scheduled.stage == "round 2").values()
    ) == {4}


@at_leisure
@given(st.integers(4, 9), st.integers(0, 9))
def test_agents_join_and_leave_and_past_rounds_stay(count: int, luck: int) -> None:
    agents, game, schedule = names(count), by_luck(luck), Swiss(rounds=6)
    played: dict[ScheduledGame, GameSummary] = {}
    for _ in range(2):
        play_batch(schedule, agents, played, game)
    before = rounds_of(played)
    later = [*agents[1:], "newcomer"]
    played = play_all(schedule, later, game, played)
    rounds = rounds_of(played)
    assert rounds[:2] == before
    assert len(rounds) == 6
    for tables in rounds[2:]:
        seated = {agent for table in tables for agent in table}
        assert agents[0] not in seated
        assert len(seated) == len(later) - len(later) % 2
    assert any("newcomer" in table for tables in rounds[2:4] for table in tables)
    assert {position.agent for position in schedule.final_order(later, played)} == set(later)


def test_a_late_agent_gets_no_points_for_rounds_it_missed_but_the_last() -> None:
    agents, game, schedule = names(6), in_order(["newcomer", *names(6)]), Swiss(rounds=5)
    played: dict[ScheduledGame, GameSummary] = {}
    for _ in range(3):
        play_batch(schedule, agents, played, game)
    joined = ["newcomer", *agents]
    played = play_all(schedule, joined, game, played)
    (newcomer,) = [position for position in schedule.final_order(joined, played) if position.agent == "newcomer"]
    assert newcomer.figures["points"] == 1 + 2


@at_leisure
@given(st.integers(4, 9), st.integers(1, 4), st.integers(0, 9))
def test_an_agent_that_is_known_to_be_late_gets_no_point_before_it_plays(count: int, before: int, luck: int) -> None:
    agents, game, schedule = names(count), by_luck(luck), Swiss(rounds=5)
    played: dict[ScheduledGame, GameSummary] = {}
    for _ in range(before):
        play_batch(schedule, agents, played, game)
    told, joined = schedule.admitting("late", [f"round {number}" for number in range(1, before + 1)]), [*agents, "late"]
    (waiting,) = [each for each in told.final_order(joined, played) if each.agent == "late"]
    assert (waiting.figures["points"], waiting.note) in ((0, ""), (1, f"bye in round {before + 1}"))
    everything = play_all(told, joined, game, dict(played))
    assert rounds_of(everything)[:before] == rounds_of(played)
    assert schedule.admitting("late", []) == schedule
    (late,) = [each for each in told.final_order(joined, everything) if each.agent == "late"]
    own = [scheduled for scheduled in everything if "late" in scheduled.seats]
    assert {scheduled.stage for scheduled in own}.isdisjoint(f"round {number}" for number in range(1, before + 1))
    sat_out = 5 - before - len({scheduled.stage for scheduled in own})
    assert late.note.count("and") + bool(late.note) == sat_out


def test_games_of_an_agent_that_leaves_during_a_round_are_not_played() -> None:
    agents, game, schedule = names(6), by_luck(), Swiss(rounds=3)
    first = schedule.next_games(agents, {})
    gone = first[0].seats[0]
    played = {first[0]: game(first[0])}
    rest = [agent for agent in agents if agent != gone]
    following = schedule.next_games(rest, played)
    assert all(gone not in scheduled.seats for scheduled in following)
    assert {agent for scheduled in following for agent in scheduled.seats} == set(rest) - {first[0].seats[1]}
    finished = play_all(schedule, rest, game, played)
    assert len(rounds_of(finished)) == 3
    assert schedule.total(rest, finished) == len(finished)


def test_a_game_that_is_annulled_is_played_again_and_later_rounds_are_kept() -> None:
    agents, schedule = names(6), Swiss(rounds=4)
    whole = play_all(schedule, agents, by_luck(1))
    annulled = next(scheduled for scheduled in whole if scheduled.stage == "round 2")
    rest = {scheduled: outcome for scheduled, outcome in whole.items() if scheduled != annulled}
    assert schedule.next_games(agents, rest) == [annulled]
    assert play_all(schedule, agents, by_luck(2), rest).keys() == whole.keys()


def test_many_agents_are_paired_round_after_round_without_repetition() -> None:
    agents = names(61)
    schedule = Swiss(rounds=7)
    rounds = rounds_of(play_all(schedule, agents, in_order(agents, noise=20)))
    assert max(Counter(pair for tables in rounds for pair in pairs_of(tables)).values()) == 1


def test_pairing_does_not_fail_when_everyone_has_met_everyone() -> None:
    agents = ("a", "b", "c", "d")
    everyone = [SwissRound([agents[:2], agents[2:]], {}), SwissRound([("a", "c"), ("b", "d")], {})]
    sheet = ScoreSheet([*everyone, SwissRound([("a", "d"), ("b", "c")], {}), everyone[0]], 1.0)
    assert draw_pairs(agents, sheet) in ([("a", "c"), ("b", "d")], [("a", "d"), ("b", "c")])


def test_an_unavoidable_repetition_is_with_the_opponent_met_least_often() -> None:
    often = {"ab": 1, "ac": 2, "ad": 3, "ae": 2, "af": 2, "ef": 0}
    pairs = ["".join(pair) for pair in combinations("abcdef", 2)]
    sheet = ScoreSheet([SwissRound([(pair[0], pair[1])], {}) for pair in pairs for _ in range(often.get(pair, 1))], 0.0)
    assert draw_pairs("abcdef", sheet) == [("a", "b"), ("c", "d"), ("e", "f")]

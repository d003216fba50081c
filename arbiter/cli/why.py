"""``arbiter why``: find out why games were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from arbiter.author.why_contest import AgentStory, Share, stories
from arbiter.author.why_game import GameStory, SeatStory, story_of
from arbiter.cli import common, options, terminal
from arbiter.config.workspace import Workspace
from arbiter.contest.statistics.wording import percent
from arbiter.errors import UserError, unknown
from arbiter.game import Protocol
from arbiter.records.addresses import address_of, games_at
from arbiter.records.reader import Record, load_record
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_label
from arbiter.text import count, fitted, format_number, prose, safe, terminal_width
from arbiter.units import show_duration

_WORSE = " *"
_MOST_AGENTS, _MOST_ROWS, _MOST_FAULTS, _MOST_KIBITZ = 4, 6, 5, 6


@click.command("why")
@click.argument("games", metavar="GAME")
@options.shared("as", ".  [default: all who did not win]")
@common.json_option
def command(games: str, name: str | None, as_json: bool) -> None:
    """Show why GAME was lost: a file, 'last', CONTEST#37, 37 in the folder of a contest, or a folder of games.

    For a game: faults, the turn from which the agent was behind, the slowest answers and the kibitz around them. For a
    folder: with which seats, opponents, openings and kinds of fault an agent loses, and which games to look at.

    \b
    Examples:
      arbiter why last
      arbiter why matches/games/cup#37
      arbiter why matches/games --as my_bot
    """
    agent, paths = name, games_at([games])
    if not paths:
        raise UserError(f"no saved game in {games!r}")
    if len(paths) == 1:
        record = load_record(paths[0])
        _check_agent(agent, record.names)
        protocol = find_protocol(record.header.protocol, Workspace())
        story = story_of(record, protocol, agent)
        common.print_json(story) if as_json else print_game(story, protocol)
        return
    unreadable: list[str] = []
    found = stories(_records(paths, unreadable), agent)
    if not found:
        _check_agent(agent, dict.fromkeys(name for record in _records(paths, []) for name in record.names))
        raise UserError(f"no finished game among {count(len(paths), 'saved game')} in {games!r}")
    if as_json:
        from arbiter.cli.documents import Losses

        common.print_json(Losses(agents=found, unreadable=unreadable))
        return
    for problem in unreadable:
        terminal.note(f"left out: {problem}")
    several = len({each.protocol for each in found}) > 1
    for each in found[:_MOST_AGENTS]:
        print_agent(each, f" in {safe(each.protocol, 40)}" if several else "")
    if len(found) > _MOST_AGENTS:
        others = ", ".join(dict.fromkeys(safe(each.name, 40) for each in found[_MOST_AGENTS:]))
        click.echo(prose(f"--as NAME shows another agent: {others}"))


def _check_agent(agent: str | None, names: Sequence[str] | dict[str, None]) -> None:
    if agent is not None and agent not in names:
        raise unknown("agent", agent, dict.fromkeys(names), where="--as")


def _records(paths: Sequence[Path], unreadable: list[str]) -> Iterator[Record]:
    for path in paths:
        try:
            yield load_record(path)
        except UserError as error:
            unreadable.append(str(error))


def print_game(story: GameStory, protocol: Protocol) -> None:
    """Print why a game ended as it did."""
    if story.finished:
        ended = ", ".join(
            f"{safe(name, 40)} {format_number(score)}" for name, score in zip(story.names, story.scores, strict=True)
        )
        click.echo(prose(f"{ended}: {safe(story.reason)} ({count(story.turns, 'turn')})"))
    else:
        click.echo(f"unfinished: the game was cut off after turn {story.turns}")
    for seat in story.seats:
        click.echo()
        for line in _seat_lines(story, seat, seat_label(protocol, seat.seat)):
            click.echo(line)
    if not story.seats:
        click.echo("there is nothing to explain: the winner made no fault; --as NAME shows any agent")
    first = next(((seat, moment) for seat in story.seats for moment in seat.moments if moment.asked), None)
    if first:
        seat, moment = first
        where = address_of(story.record)
        arbiter = common.this_command()
        click.echo(f"\nlook at it:  {arbiter} show {where} --turn {moment.turn}")
        asking = where if seat.has_program else f"{where} AGENT"
        click.echo(
            f"try again:   {arbiter} rerun {asking} --seat {protocol.first_seat + seat.seat} --turn {moment.asked}"
        )


def _seat_lines(story: GameStory, seat: SeatStory, label: str) -> Iterator[str]:
    yield click.style(f"{safe(seat.name, 40)} ({label}){f', {seat.result}' if seat.result else ''}", bold=True)
    for fault in seat.faults[:_MOST_FAULTS]:
        what = f"turn {fault.turn}, {fault.kind}: {safe(fault.detail)}; played instead: {safe(fault.move, 60)}"
        yield click.style(prose(what, "  fault    ", " " * 11), fg="red")
        yield from (prose(safe(note), "           ", " " * 11) for note in fault.notes)
    if len(seat.faults) > _MOST_FAULTS:
        yield f"           … and {count(len(seat.faults) - _MOST_FAULTS, 'more fault')}"
    if fell_behind := seat.fell_behind:
        leader = safe(story.names[fell_behind.leader], 40)
        since = (
            f"behind {leader} since turn {fell_behind.turn}" if fell_behind.turn else f"not behind {leader} in points"
        )
        worst = (
            f"; lost most in turn {fell_behind.worst_turn}: {format_number(fell_behind.worst_loss)}"
            if fell_behind.worst_turn
            else ""
        )
        yield prose(f"{since}, by {format_number(fell_behind.final)} in the end{worst}", "  scores   ", " " * 11)
    if seat.slowest:
        slow = ", ".join(
            f"turn {each.turn} {show_duration(each.charged_us * 1000)}"
            + (f" of {show_duration(each.limit_us * 1000)}" if each.limit_us else "")
            for each in seat.slowest
        )
        yield prose(slow, "  slowest  ", " " * 11)
    for moment in seat.moments:
        for move in moment.moves:
            yield prose(safe(move), f"  turn {moment.turn:<4}", " " * 11)
        for turn, text in moment.kibitz[:_MOST_KIBITZ]:
            yield click.style(prose(safe(text), f"           {turn:>4}: ", " " * 17), dim=True)


def print_agent(story: AgentStory, where: str = "") -> None:
    """Print where an agent loses."""
    click.echo(
        f"{click.style(safe(story.name, 40), bold=True)}{where}: {count(story.games, 'game')}, "
        f"{story.won} won, {story.drew} drawn, {story.lost} lost"
    )
    for title, shares in (
        ("seat", story.seats), ("opponent", story.opponents), ("first moves", story.openings), ("fault", story.faults)
    ):  # fmt: skip
        if shares and (len(shares) > 1 or title == "fault"):
            click.echo()
            click.echo(_table(title, shares))
    if any(share.notable for share in (*story.seats, *story.opponents, *story.openings, *story.faults)):
        click.echo(f"\n{_WORSE.strip()} worse than in its other games, by more than chance explains")
    if story.look_at:
        click.echo("\ngames to look at")
        width = max(len(game.because) for game in story.look_at)
        for game in story.look_at:
            click.echo(f"  {game.because:<{width}}  arbiter why {address_of(game.record)}")
    click.echo()


def _table(title: str, shares: Sequence[Share]) -> str:
    rows = [
        (
            f"{safe(share.what, 60)}{_WORSE if share.notable else ''}",
            share.games,
            share.lost,
            percent(share.points),
        )
        for share in shares[:_MOST_ROWS]
    ]
    return fitted(rows, [title, "games", "lost", "points"], right=(1, 2, 3), width=terminal_width(), shorten=(0,))

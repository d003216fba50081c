"""What ``arbiter play`` prints for people: moves, games and results."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common, terminal
from arbiter.cli.play_notes import play_notes
from arbiter.cli.transcript import Transcript, evidence, move_line, round_heading
from arbiter.config.workspace import Workspace
from arbiter.game import Game, Protocol, wrapped
from arbiter.playing.plan import Plan
from arbiter.playing.report import PlayReport, add_up
from arbiter.records.addresses import address_of
from arbiter.records.format import AnswerLine
from arbiter.records.notes import notes_on
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import GameSummary
from arbiter.registry import find_protocol
from arbiter.seat_names import SeatNames
from arbiter.text import count, fitted, format_number, prose, safe, terminal_width
from arbiter.units import show_duration

LAST_MOVES = 6
"""Moves shown after a single game."""


class PlayScreen:
    """Prints games as they are played, and the results at the end."""

    def __init__(self, plan: Plan, games: int, seed: int, *, quiet: bool) -> None:
        self._plan, self._games, self._quiet = plan, games, quiet
        self._names = [entrant.agent.name for entrant in plan.entrants]
        self._played: list[GameSummary] = []
        self._round: int | None = None
        """The round of the last move that was printed."""
        if not quiet:
            changed = [
                safe(f"{name}={_shown(value)}", 40)
                for name, value in plan.options.items()
                if value != _default(plan, name)
            ]
            heading = " · ".join([" vs ".join(map(safe, self._names)), *common.shown_seed(seed), *changed])
            title = f"{click.style(plan.protocol.title, bold=True)} · "
            click.echo("\n".join(wrapped(heading, terminal_width(), first=title)))
            self._progress(0)

    def _progress(self, done: int) -> None:
        if self._games > 1:
            terminal.progress(f"playing game {done + 1} of {self._games} …" if done < self._games else "")

    def move(self, game: Game, line: AnswerLine) -> None:
        """Print one answer as it comes."""
        turned = len(self._played) % len(self._names)
        names = SeatNames(self._plan.protocol, [*self._names[turned:], *self._names[:turned]])
        display = game.display()
        number = display.numbers().get("round")
        if number is not None and number != self._round and len(self._names) > 1:
            click.echo(round_heading(number))
        self._round = number
        click.echo(move_line(display.describe(line.seat, line.move), line, names))

    def game_over(self, game: GameSummary) -> None:
        """Print one line for a game that has ended, if there are several."""
        self._played.append(game)
        self._round = None
        if self._games > 1 and not self._quiet:
            terminal.progress("")
            names = SeatNames(self._plan.protocol, game.seats).short
            scores = "  ".join(f"{name} {format_number(score)}" for name, score in zip(names, game.scores, strict=True))
            faults = f"  {count(len(game.faults), 'fault')}" if game.faults else ""
            click.echo(f"game {len(self._played):>3}  {scores}  {common.winners(names, game.ranks)}{faults}")
            self._progress(len(self._played))

    def interrupted(self) -> None:
        """Print the results of the games that had ended when the series was stopped."""
        terminal.progress("")
        if self._played and not self._quiet:
            report = PlayReport(games=self._played, totals=add_up(self._names, self._played))
            click.echo(f"\n{results_table(report, self._plan.protocol)}")
            click.echo(f"\nsaved    {common.display_path(Path(self._played[-1].record).parent)}")

    def finish(self, report: PlayReport) -> None:
        """Print the results, the last moves, where the games are saved and what to type next."""
        if self._quiet:
            click.echo(results_table(report, self._plan.protocol))
            return
        click.echo()
        click.echo(results_table(report, self._plan.protocol))
        last = report.games[-1]
        records = [load_record(Path(game.record)) for game in report.games]
        shown: list[tuple[str, str]] = []
        if self._games == 1:
            names = SeatNames(self._plan.protocol, last.seats)
            reason = names.in_words(safe(last.reason))
            winners, turns = common.winners(names.short, last.ranks), count(last.turns, "turn")
            click.echo("\n" + prose(f"{winners}: {reason} ({turns})"))
            shown = _faults(last, records[-1], names)
            _last_moves(records[-1])
        for note in play_notes(records, shown):
            click.echo(click.style(prose(note, "note     ", " " * 9), fg="yellow"))
        click.echo(f"\nsaved    {common.display_path(last.record if self._games == 1 else Path(last.record).parent)}")
        click.echo(f"look     {common.this_command()} show {address_of(last.record)}")
        faulty = next((game for game in report.games if game.faults), None)
        if faulty:
            click.echo(f"faults   {common.this_command()} show {address_of(faulty.record)} --faults")


def _shown(value: object) -> object:
    lines = str(value).splitlines()
    return f"({len(lines)} lines)" if len(lines) > 1 else value


def _default(plan: Plan, name: str) -> object:
    return next(option.default for option in plan.protocol.options if option.name == name)


def results_table(report: PlayReport, protocol: Protocol) -> str:
    """A table of the agents with wins, points, faults and think times, best first."""
    single = len(report.games) == 1
    rows = []
    for name, total in sorted(report.totals.items(), key=lambda item: (-item[1].wins, -item[1].draws, -item[1].score)):
        kinds: dict[str, int] = {}
        for game in report.games:
            for fault in game.faults:
                if game.seats[fault.seat] == name:
                    kinds[fault.kind] = kinds.get(fault.kind, 0) + 1
        faults = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "-"
        mean = show_duration(total.think_us * 1000 // max(1, total.answers))
        times = [mean, show_duration(total.slowest_us * 1000)]
        if single:
            seat = report.games[0].seats.index(name)
            figures = [safe(name), format_number(total.score), total.answers]
            rows.append([report.games[0].ranks[seat], protocol.first_seat + seat, *figures, *times, faults])
        else:
            points = format_number(total.score / max(1, total.games))
            rows.append([safe(name), total.wins, total.draws, total.losses, points, *times, faults])
    if single:
        rows.sort(key=lambda row: int(str(row[0])))
        heads = ["rank", protocol.seat_word, "agent", "points", "moves", "mean think", "slowest", "faults"]
        return fitted(rows, heads, (0, 1, 3, 4, 5, 6), width=terminal_width(), wrap=[7], shorten=[2])
    heads = ["agent", "wins", "draws", "losses", "points", "mean think", "slowest", "faults"]
    return fitted(rows, heads, range(1, 7), width=terminal_width(), wrap=[7], shorten=[0])


def _faults(game: GameSummary, record: Record, names: SeatNames) -> list[tuple[str, str]]:
    """Print the first faults, with the evidence for the first of each kind; return the notes that were shown, by agent."""
    faulty = (line for line in record.answers if line.fault)
    kinds: set[tuple[int, str]] = set()
    shown: list[tuple[str, str]] = []
    for fault, line in zip(game.faults[:5], faulty, strict=False):
        what = f"{names.full[fault.seat]}: {fault.kind}, {safe(fault.detail)}"
        click.echo(click.style(prose(what, f"  turn {fault.turn}, ", " " * 6), fg="red"))
        if (fault.seat, fault.kind) not in kinds:
            shown += [(record.names[fault.seat], note) for note in notes_on(line)]
            for row in evidence(line):
                click.echo(row)
        kinds.add((fault.seat, fault.kind))
    if len(game.faults) > 5:
        click.echo(f"  … and {count(len(game.faults) - 5, 'more fault')}")
    return shown


def _last_moves(record: Record) -> None:
    click.echo("\nthe last moves")
    transcript = Transcript(record, find_protocol(record.header.protocol, Workspace()))
    for heading, moment in transcript.by_round(transcript.turns[-LAST_MOVES:]):
        if heading:
            click.echo(heading)
        click.echo(moment.text)
        for event in moment.events:
            click.echo(prose(event, " " * 6, " " * 8))

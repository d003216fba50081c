"""``arbiter bench``: what this machine makes of games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from arbiter.cli import common

if TYPE_CHECKING:
    from arbiter.bench.machine import Machine


@click.command("bench")
@click.option("--quick", is_flag=True, help="A glance: a few seconds, and rougher figures.")
@common.json_option
def command(quick: bool, as_json: bool) -> None:
    """Measure this machine, in about a quarter of a minute.

    What does the arbiter add to a turn here? Can the clocks be trusted, also when games share a core? How many games at
    once does it bear? Have nothing else running meanwhile.
    """
    from arbiter.bench import machine

    waiting = sys.stderr.isatty() and not as_json

    def tell(what: str) -> None:
        if waiting:
            click.echo(f"\r\x1b[Kmeasuring {what} …", nl=False, err=True)

    found = machine.look(quick=quick, tell=tell)
    if waiting:
        click.echo("\r\x1b[K", nl=False, err=True)
    if as_json:
        common.print_json(found)
    else:
        show(found)


def show(found: Machine) -> None:
    """For people."""
    for title, rows in (("a turn", _turn_rows(found)), ("clocks", _clock_rows(found))):
        click.echo(click.style(title, bold=True))
        click.echo(common.table(rows, ["what", "here"]) + "\n")
    click.echo(click.style("workers", bold=True) + " with agents that think for 5 ms a move")
    click.echo(common.table(_worker_rows(found), ["workers", "moves/s", "times one", "usual", "longest"], range(5)))
    for complaint in found.clocks.complaints:
        click.echo(click.style(f"\n{complaint}", fg="yellow"), nl=False)
    click.echo(f"\n{found.advice}")


def _turn_rows(found: Machine) -> list[tuple[str, str]]:
    turns = found.turns
    rows = [
        ("a line to an agent and its line back", _us(turns.bare_us)),
        ("the same as a turn: clock, referee, record", f"{_us(turns.turn_us)}  (adds {_us(turns.added_us)})"),
        ("to start a small program and see it end", _us(turns.bare_spawn_us)),
        ("the same as a turn, without a sandbox", _us(turns.spawn_us)),
    ]
    if turns.contained_spawn_us is not None:
        added = f"(adds {_us(turns.added_to_spawn_us)})"
        rows.append((f"the same in sandbox {turns.sandbox}", f"{_us(turns.contained_spawn_us)}  {added}"))
    return rows


def _clock_rows(found: Machine) -> list[tuple[str, str]]:
    clocks = found.clocks
    shared = clocks.sharing
    return [
        ("smallest step of the clock", f"{clocks.step_ns} ns"),
        ("a wait of 1 ms ends late by", _us(clocks.wait_late_us)),
        (f"CPU time used in a loop of {clocks.spin_wall_ms:.1f} ms", f"{clocks.spin_cpu_ms:.1f} ms"),
        ("waiting for a core is told by the kernel", "yes" if clocks.kernel_tells else "no"),
        ("taken from a core by this machine's host", f"{100 * found.stolen:.1f} %"),
        (
            f"{shared.games} games on one core, {shared.used_ms:.0f} of {shared.limit_ms:.0f} ms a move",
            f"{shared.late_by_charge} of {shared.moves} ruled late; by wall time {shared.late_by_wall} would be",
        ),
        (
            "most that such a move took, and was charged",
            f"{shared.largest_wall_ms:.1f}, {shared.largest_charge_ms:.1f} ms",
        ),
    ]


def _worker_rows(found: Machine) -> list[tuple[str, ...]]:
    one = found.capacity.loads[0].moves_per_s
    return [
        (
            str(load.workers),
            f"{load.moves_per_s:.0f}",
            f"{load.moves_per_s / one:.2f}",
            f"{load.usual_ms:.1f} ms",
            f"{load.longest_ms:.1f} ms",
        )
        for load in found.capacity.loads
    ]


def _us(value: float) -> str:
    return f"{value / 1000:.2f} ms" if value >= 1000 else f"{value:.1f} µs"

"""``arbiter doctor --bench``: measure this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arbiter.cli import common, terminal
from arbiter.text import format_table
from arbiter.units import show_size

if TYPE_CHECKING:
    from arbiter.bench.machine import MachineReport


def bench(*, quick: bool, as_json: bool) -> None:
    """Measure the overhead per turn, the clocks, and how many workers this machine can run."""
    from arbiter.bench import machine

    report = machine.measure(quick=quick, progress=lambda part: terminal.progress(f"measuring {part} …"))
    terminal.progress("")
    if as_json:
        common.print_json(report)
    else:
        print_report(report)


def print_report(report: MachineReport) -> None:
    """Print the report as tables and a line of advice."""
    for title, rows in (
        ("machine", _machine_rows(report)),
        ("time per turn", _turn_rows(report)),
        ("clocks", _clock_rows(report)),
    ):
        click.echo(click.style(title, bold=True))
        width = max(len(label) for label, _ in rows)
        for label, value in rows:
            click.echo(f"  {label:<{width}}  {value}")
        click.echo()
    click.echo(click.style("workers", bold=True) + ", with agents that use 5 ms of CPU time per move")
    headers = ["workers", "moves/s", "speed-up", "median move", "longest move"]
    click.echo(format_table(_worker_rows(report), headers, range(5)))
    for complaint in report.clocks.complaints:
        click.echo("\n" + click.style(terminal.hanging("", complaint, 0), fg="yellow"), nl=False)
    click.echo("\n" + terminal.hanging("", report.advice, 0))


def _machine_rows(report: MachineReport) -> list[tuple[str, str]]:
    physical = f" ({report.physical_cores} physical)" if report.physical_cores else ""
    return [
        ("usable cores", f"{report.cores}{physical}"),
        ("memory", f"{show_size(report.memory_bytes)}, {show_size(report.available_bytes)} available"),
        ("load average over the last minute", f"{report.busy:.2f}"),
        ("CPU steal time (taken by the host)", f"{100 * report.stolen:.1f} %"),
    ]


def _turn_rows(report: MachineReport) -> list[tuple[str, str]]:
    turns = report.turns
    rows = [
        ("bare round trip: a line to an agent and one back", _us(turns.bare_us)),
        ("the same as a turn, with clock and record", f"{_us(turns.turn_us)}  ({_added(turns.added_us)})"),
        ("bare spawn: run a small program to its exit", _us(turns.bare_spawn_us)),
        ("the same as a turn, without a sandbox", _us(turns.spawn_us)),
    ]
    if turns.contained_spawn_us is not None:
        added = f"({_added(turns.added_to_spawn_us)})"
        rows.append((f"the same as a turn, in sandbox {turns.sandbox}", f"{_us(turns.contained_spawn_us)}  {added}"))
    return rows


def _clock_rows(report: MachineReport) -> list[tuple[str, str]]:
    clocks = report.clocks
    shared = clocks.sharing
    return [
        ("resolution of the monotonic clock", f"{clocks.step_ns} ns"),
        ("a 1 ms timer fires late by (median)", _us(clocks.wait_late_us)),
        (f"CPU time of a busy loop of {clocks.spin_wall_ms:.1f} ms", f"{clocks.spin_cpu_ms:.1f} ms"),
        ("run-queue wait is reported by the kernel", "yes" if clocks.kernel_tells else "no"),
        (f"{shared.games} games on one core", f"{shared.used_ms:.0f} of {shared.limit_ms:.0f} ms used per move"),
        ("  moves ruled late", f"{shared.late_by_charge} of {shared.moves}"),
        ("  moves late by wall time", f"{shared.late_by_wall} of {shared.moves}"),
        ("  largest wall time of a move", f"{shared.largest_wall_ms:.1f} ms"),
        ("  largest charge for a move", f"{shared.largest_charge_ms:.1f} ms"),
    ]


def _worker_rows(report: MachineReport) -> list[tuple[str, ...]]:
    one = report.capacity.loads[0].moves_per_s
    return [
        (
            str(load.workers),
            f"{load.moves_per_s:.0f}",
            f"{load.moves_per_s / one:.2f}",
            f"{load.usual_ms:.1f} ms",
            f"{load.longest_ms:.1f} ms",
        )
        for load in report.capacity.loads
    ]


def _added(value: float) -> str:
    """Format what a measurement adds to another; on a busy machine that may be less than nothing."""
    return f"{'−' if value < 0 else '+'}{_us(abs(value))}"


def _us(value: float) -> str:
    return f"{value / 1000:.2f} ms" if value >= 1000 else f"{value:.1f} µs"

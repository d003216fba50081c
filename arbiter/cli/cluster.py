"""``arbiter cluster``: start a cluster on this machine, or look at the hosts of one."""

from __future__ import annotations

import signal
from pathlib import Path

import click

from arbiter.cli import common, options
from arbiter.cli.terminal import progress
from arbiter.cli.values import WholeNumber
from arbiter.cluster.connect import connect
from arbiter.errors import EXIT_FOUND
from arbiter.text import safe


@click.group("cluster")
def command() -> None:
    """Start a Dask cluster on this machine, or look at the hosts of one.

    Contests are played on it with  arbiter match|tournament|run … --cluster ADDRESS.

    \b
    Examples:
      arbiter cluster start --workers 4
      arbiter cluster doctor tcp://127.0.0.1:8786
    """


@command.command("start")
@options.shared("workers", ".  [default: one per core]")
@options.shared("host", ".  [default: 127.0.0.1]")
@click.option(
    "--scheduler-port",
    default=8786,
    type=WholeNumber(0, 65535),
    metavar="N",
    help="Port of the scheduler.  [default: 8786]",
)
@click.option(
    "--scheduler-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the address to a file, for --cluster and other machines.",
)
@options.shared("tls")
def start(workers: int | None, host: str, scheduler_port: int, scheduler_file: Path | None, tls: Path | None) -> None:
    """Start a scheduler and a worker here, until Ctrl-C.

    Other machines join with 'dask worker ADDRESS'. Serving on another address than the loopback address requires TLS.

    \b
    Examples:
      arbiter cluster start
      arbiter cluster start --workers 4 --scheduler-file cluster.json
    """
    from arbiter.cluster.local import local_cluster

    with local_cluster(workers, host, scheduler_port, scheduler_file, tls) as address:
        try:
            click.echo(f"cluster  {address}   (Ctrl-C to stop)")
            click.echo(f"play     {common.this_command()} match … --cluster {scheduler_file or address}")
            signal.pause()
        except KeyboardInterrupt:
            click.echo("stopped")


@command.command("doctor")
@click.argument("address")
@options.shared("tls")
@common.json_option
def doctor(address: str, as_json: bool, tls: Path | None) -> None:
    """Show which hosts of a cluster can play, and why others cannot.

    ADDRESS is that of the scheduler, or a scheduler file. The exit status is 1 if a host cannot play.

    \b
    Examples:
      arbiter cluster doctor tcp://127.0.0.1:8786
      arbiter cluster doctor cluster.json --json
    """
    progress(f"connecting to {safe(address)} …")
    try:
        client = connect(address, tls)
    finally:
        progress("")
    from arbiter.cluster.survey import survey

    progress("asking the hosts …")
    try:
        found = survey(client)
    finally:
        progress("")
        client.close(timeout=2)
    if as_json:
        common.print_json(found)
    elif not found:
        click.echo("no workers: start one on each host with  dask worker ADDRESS")
    else:
        rows = [
            (
                safe(row.host),
                row.worker,
                row.threads,
                row.facts.cores if row.facts else "",
                safe(row.facts.cpu) if row.facts else "",
                f"{row.facts.speed:g}" if row.facts else "",
                row.sandbox,
                safe(row.problem) or "ready",
            )
            for row in found
        ]
        headers = ["host", "worker", "threads", "cores", "CPU", "speed", "sandbox", "state"]
        click.echo(common.fitted_table(rows, headers, right=(2, 3, 5)))
    if not found or any(row.problem for row in found):
        click.get_current_context().exit(EXIT_FOUND)

"""The command line: one file a command, imported when it is called."""

from __future__ import annotations

import errno
import importlib
import io
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from arbiter.errors import EXIT_BUG, EXIT_USAGE, UserError, unknown
from arbiter.version import __version__

COMMANDS = {
    "play": "Play games between agents, here and now.",
    "match": "Play until it is clear which of two agents is better.",
    "tournament": "Have many agents play each other.",
    "run": "Run a match or tournament from a file, or go on with it.",
    "standings": "Show how a contest stands, without playing.",
    "annul": "Take a game out of a contest; it is played again.",
    "games": "List saved games, and find some among them.",
    "show": "Look at a saved game in the terminal.",
    "inputs": "Print the exact bytes an agent was sent.",
    "verify": "Replay saved games through the rules and say what differs.",
    "agents": "List the agents known here and whether they can run.",
    "protocols": "List the games, or one with its options and limits.",
    "doctor": "Say what this machine offers.",
    "bench": "Measure what this machine makes of games.",
    "completion": "Print the completion script for a shell.",
}


class LazyCommands(click.Group):
    """Knows the commands by name and imports one only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"arbiter.cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"arbiter.cli.{cmd_name}.command is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was called, or the one that was meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(str(unknown("command", args[0], COMMANDS)))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was called."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Whoever read our output has had enough: no failure, though click would make it exit code 1.
            _say_no_more()
            return None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            _say_no_more()
            raise UserError(f"cannot write {error.filename or 'what there is to say'}: {error.strerror}") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in ``arbiter --help``, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="arbiter")
def cli() -> None:
    """Sits programs at a table, referees their games and writes them down.

    \b
    arbiter play splendor greedy random         two sample agents
    arbiter play splendor ./my_bot.py greedy    your own against one
    arbiter show matches/samples/splendor.jsonl a game to look at
    """


def main() -> None:
    """The console script. Exit codes: 0 done, 1 found something, 2 wrong use, 70 a bug of ours."""
    _give_words_somewhere_to_go()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            # A file name, or a letter that this terminal has not got, is no reason to stop.
            stream.reconfigure(errors="backslashreplace")
    _listen_to_signals()
    try:
        code = cli.main(prog_name="arbiter", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)  # click returns the code of an Exit
    except UserError as error:
        _complain(str(error))
        sys.exit(EXIT_USAGE)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(EXIT_USAGE)
    except click.ClickException as error:
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "arbiter"
        message = error.format_message().replace("\n\t", " ")  # click lists choices one a line
        _complain(f"{message}  (try '{command} --help')")
        sys.exit(EXIT_USAGE)
    except (click.Abort, KeyboardInterrupt):
        _complain("stopped")
        sys.exit(128 + signal.SIGINT)
    except Exception:  # noqa: BLE001 - the outermost frame: whatever arrives here is a bug of ours
        traceback.print_exc()
        _complain(f"this is a bug of arbiter {__version__}; the lines above belong in a report")
        sys.exit(EXIT_BUG)


def _give_words_somewhere_to_go() -> None:
    """Python has None for a stream that was closed before it started."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for good


def _say_no_more() -> None:
    """Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _listen_to_signals() -> None:
    """Leave through the ordinary way out, so that no agent survives us; the first signal is enough for that."""

    def leave(number: int, _: object) -> None:
        for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)

    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(each) != signal.SIG_IGN:  # as nohup has it, and shells for what runs in the background
            signal.signal(each, leave)
    # Whoever started us may have it ignored, and then nobody could learn how an agent has ended.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _complain(text: str) -> None:
    click.echo(f"{click.style('arbiter:', fg='red', bold=True)} {text}", err=True)

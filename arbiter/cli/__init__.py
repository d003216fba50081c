"""The command line: one module per command, imported only when that command runs."""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import itertools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from arbiter import signals
from arbiter.cli import colour
from arbiter.cli.exiting import exit_quickly
from arbiter.cli.grouped_help import help_all, shows_all
from arbiter.cli.values import Choice
from arbiter.errors import EXIT_BUG, EXIT_USAGE, UserError, missing_dependency, unknown
from arbiter.version import __version__

GROUPS = {
    "Commands": {
        "play": "Play games between agents.",
        "new": "Write a first agent, or a first game of your own.",
        "check": "Check whether an agent is fit to play.",
        "match": "Play the same agents repeatedly to find out which is better.",
        "tournament": "Run a tournament between many agents.",
        "games": "List and search saved games; statistics.",
        "show": "Show a saved game in the terminal.",
        "view": "Show saved games in the browser.",
        "why": "Find out why games were lost.",
        "export": "Write a saved game as a web page, JSON, CSV, SVG or GIF.",
    },
    "Agents and games": {
        "protocols": "List the protocols, or show one with its agents and options.",
        "rerun": "Ask agents the questions of saved games again.",
        "tune": "Search for better values of the parameters of an agent.",
        "verify": "Check saved games by replaying them through the rules.",
        "archive": "Pack, unpack, prune and import saved games.",
    },
    "Contests": {
        "run": "Run or resume a match or tournament described in a file.",
        "standings": "Show, follow or export the standings of a contest.",
        "annul": "Annul games of a contest so that they are played again.",
        "cluster": "Start a cluster here, or look at the hosts of one.",
        "arena": "Run a server where agents on other machines play.",
    },
    "Machine": {
        "doctor": "Show what this machine supports, or measure it.",
    },
}
"""The commands under their headings: those of the first in ``arbiter --help``, all in ``arbiter --help-all``."""
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}


_UNABLE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
"""Errors of a file system that are never a bug in the arbiter."""
_UNUSABLE_PATH = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR)
"""Errors about a path that the user named; reported with that path."""


class LazyCommands(click.Group):
    """A command group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"arbiter.cli.{cmd_name.replace('-', '_')}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"arbiter.cli.{cmd_name}.command is not a command")
        if not any("--help-all" in each.opts for each in command.get_params(ctx)):
            command.params.append(help_all(hidden=True))
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the command line, after deciding whether to print in colour."""
        with _output_errors():  # of --help and --version
            color = colour.decide(args, os.environ)
            return super().make_context(info_name, colour.without_flag(args), parent, color=color, **extra)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command; ``help`` is short for ``--help``. Suggest a similar name if it is unknown."""
        if args[:1] == ["help"]:
            if args[1:2] in ([], ["help"]):
                click.echo(ctx.get_help())
                ctx.exit()
            args = [*args[1:2], "--help"]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(str(unknown("command", args[0], COMMANDS)))
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            _refuse_empty_values(command, rest, ctx)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; handle a closed pipe and a full disk on output."""
        with _output_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command list of ``arbiter --help`` without importing any command."""
        widest = max(map(len, COMMANDS))
        for heading, commands in GROUPS.items() if shows_all(ctx) else list(GROUPS.items())[:1]:
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), text) for name, text in commands.items()])
        if not shows_all(ctx):
            more = [name for commands in list(GROUPS.values())[1:] for name in commands]
            formatter.write_paragraph()
            formatter.write_text(f"{len(more)} more commands with --help-all: {', '.join(more)}.")


@contextlib.contextmanager
def _output_errors() -> Iterator[None]:
    """Turn the errors of a closed pipe, a full disk and an unusable path inside the block into what users see."""
    try:
        yield
    except BrokenPipeError:
        # The reader closed the pipe (head, less): not a failure, although click would exit with status 1.
        _discard(sys.stdout)
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        if error.errno in _UNUSABLE_PATH and error.filename:
            raise UserError(f"{os.fsdecode(error.filename)}: {error.strerror}") from None
        if error.errno not in _UNABLE_TO_WRITE:
            raise
        _discard(sys.stdout)
        raise UserError(f"cannot write {error.filename or 'output'}: {error.strerror}") from None


def _refuse_empty_values(command: click.Command, words: list[str], ctx: click.Context) -> None:
    """Fail if an option is given an empty value, which click takes for the current folder or for no value at all."""
    flags = {
        flag
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
        for flag in (*option.opts, *option.secondary_opts)
    }
    for flag, value in [*itertools.pairwise(words), *(word.split("=", 1) for word in words if "=" in word)]:
        if flag == "--":
            return
        if flag in flags and not value.strip():
            named = click.Context(command, info_name=command.name, parent=ctx)
            raise click.BadParameter(f"{value!r}: must not be empty", ctx=named, param_hint=repr(flag))


def _print_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    """Print the completion script of a shell, and leave."""
    if shell is None or ctx.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    try:
        click.echo(found(cli, {}, "arbiter", "_ARBITER_COMPLETE").source())
    except RuntimeError as error:  # click runs bash to check its version
        raise UserError(f"cannot print completion for {shell}: {error}") from None
    ctx.exit()


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="arbiter")
@click.option(
    "--color",
    type=Choice(list(colour.CHOICES)),
    expose_value=False,
    help="Colour the output, in every command; auto: in a terminal, unless NO_COLOR is set.  [default: auto]",
)
@click.option(
    "--completion",
    type=Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
    help="Print the completion script of a shell, to be saved where the shell looks for such scripts.",
)
def cli() -> None:
    """Run games between programs: ask each for its moves, enforce the rules and the clock, and save every game.

    \b
    Examples:
      arbiter play splendor greedy random          two sample agents
      arbiter play splendor ./my_bot.py greedy     your bot against one of them
      arbiter show matches/samples/splendor.jsonl  look at a saved game

    'arbiter COMMAND --help' explains a command and gives examples.
    """


cli.params.append(help_all())


def main() -> NoReturn:
    """Run the console script.

    Exit status: 0 success; 1 the command found a problem; 2 usage error; 70 a bug in arbiter.
    """
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            # Text that the terminal's encoding cannot represent (a file name, say) is escaped, not an error.
            stream.reconfigure(errors="backslashreplace")
    signals.install()
    # The parent may have left SIGCHLD ignored; children would then be reaped before their exit status can be read.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    exit_quickly(_run())


def _run() -> int:
    """Run the command and return its exit status."""
    try:
        code = cli.main(prog_name="arbiter", standalone_mode=False)
        return code if isinstance(code, int) else 0  # click returns the exit status of click.exceptions.Exit
    except SystemExit as leaving:
        signals.finish()
        if isinstance(leaving.code, str):
            raise
        return leaving.code or 0
    except UserError as error:
        _print_error(error.located())
        return EXIT_USAGE
    except click.exceptions.NoArgsIsHelpError as error:
        try:
            click.echo(error.format_message())
        except OSError:  # the output cannot be written, and nothing else was to be done
            _discard(sys.stdout)
        return EXIT_USAGE
    except click.ClickException as error:
        _print_error(_worded(error))
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        signals.finish()
        _print_error("stopped")
        return 128 + signal.SIGINT
    except Exception as error:  # noqa: BLE001 - the outermost frame: any other exception is a bug in arbiter
        from arbiter.registry import as_protocol_error

        if blamed := as_protocol_error(error) or missing_dependency(error):
            _print_error(str(blamed))
            return EXIT_USAGE
        import traceback

        traceback.print_exc()
        _print_error(f"this is a bug in arbiter {__version__}; please report it with the traceback above")
        return EXIT_BUG


def _replace_closed_streams() -> None:
    """Open /dev/null for output streams that were closed at start-up, which Python sets to None."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - stays open


def _discard(stream: TextIO) -> None:
    """Redirect an output stream to /dev/null, so that Python's flush at exit does not fail a second time."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _worded(error: click.ClickException) -> str:
    """Return a mistake that click has found as one line that says where help is."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = error.format_message().replace("\n\t", " ")  # click lists choices one per line
    # click does not know the command of an option without its value.
    used = f"arbiter {sys.argv[1]}" if sys.argv[1:] and sys.argv[1] in COMMANDS else "arbiter"
    return f"{message}  (try '{context.command_path if context else used} --help')"


def _print_error(text: str) -> None:
    prefix = click.style("arbiter:", fg="red", bold=True)
    try:
        click.echo(f"{prefix} {text}", err=True, color=colour.decide(sys.argv[1:], os.environ))
    except OSError:  # nobody can be told, but the exit status tells programs
        _discard(sys.stderr)

"""``arbiter completion``: print a shell completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from arbiter.cli.values import Choice
from arbiter.errors import UserError


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    Save it where the shell looks for such scripts; for zsh, ~/.zfunc must be in fpath. Open a new terminal afterwards.

    \b
    Examples:
      mkdir -p ~/.local/share/bash-completion/completions
      arbiter completion bash > ~/.local/share/bash-completion/completions/arbiter
      arbiter completion zsh > ~/.zfunc/_arbiter
      arbiter completion fish > ~/.config/fish/completions/arbiter.fish
    """
    from arbiter.cli import bash_completion, cli

    bash_completion.register()
    found = get_completion_class(shell)
    if found is None:
        raise UserError(f"unknown shell {shell!r}; choose from bash, zsh, fish")
    try:
        click.echo(found(cli, {}, "arbiter", "_ARBITER_COMPLETE").source())
    except RuntimeError as error:  # click runs bash to check its version
        raise UserError(f"cannot print completion for {shell}: {error}") from None

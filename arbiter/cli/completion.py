"""``arbiter completion``: the completion script for a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from arbiter.errors import UserError


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash   arbiter completion bash > ~/.local/share/bash-completion/completions/arbiter
    zsh    arbiter completion zsh > ~/.zfunc/_arbiter      (with ~/.zfunc in fpath)
    fish   arbiter completion fish > ~/.config/fish/completions/arbiter.fish
    """
    from arbiter.cli import cli

    found = get_completion_class(shell)
    if found is None:
        raise UserError(f"no completion for {shell!r}")
    try:
        click.echo(found(cli, {}, "arbiter", "_ARBITER_COMPLETE").source())
    except RuntimeError as error:  # click asks bash for its version
        raise UserError(f"completion for {shell}: {error}") from None

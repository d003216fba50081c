"""``arbiter archive``: what is done to saved games at rest."""

from __future__ import annotations

import click

from arbiter.cli.import_games import import_games
from arbiter.cli.pack import pack
from arbiter.cli.prune import prune
from arbiter.cli.unpack import unpack


@click.group("archive")
def command() -> None:
    """Pack saved games into archives, restore them, drop parts of old ones, and import those of other arbiters.

    \b
    Examples:
      arbiter archive pack matches/games/splendor-cup
      arbiter archive unpack matches/games/splendor-cup
      arbiter archive prune matches/games --drop kibitz --before 90d
      arbiter archive import game-1.json
    """


for each in (pack, unpack, prune, import_games):
    command.add_command(each)

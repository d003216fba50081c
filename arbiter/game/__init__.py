"""The interface between a protocol and the arbiter. Protocols import nothing else from the arbiter.

A *protocol* is a set of rules with the wire format that agents see. It opens *games*: pure state, with no input or output,
no clock and no randomness of its own. Code that reads bytes does not know the rules; code that knows the rules never sees
a file descriptor.

One turn, as the referee drives it::

    seats = game.to_move()                        # the seats that must answer now
    text  = game.prompt(seat)                     # what each of them is sent, byte for byte
    move  = game.read(seat, answer)               # the answer in canonical text, or IllegalMove
    move  = Move(game.fallback(seat, fault))      # ... or the move that the rules prescribe instead
    game.play({seat: move.text, ...})             # advance by one turn

What people see, such as boards and moves in words, is a :class:`Display`, which a game may leave out.

Only canonical text reaches :meth:`Game.play`, and only canonical text is recorded, so a saved game is replayed by
feeding its moves and its recorded chance to a new game.

The package also has helpers that most games need: ``ranks_from_scores``; ``option``, ``options_of`` and ``chosen`` for options as
a typed value; ``words_of``, ``numbers_of`` and ``word_of`` to parse answers; ``quoted``, ``paint``, ``padded`` and others for text.
"""

from arbiter.game.answers import Fault, FaultKind, GarbledMove, IllegalMove, Move, numbers_of, word_of, words_of
from arbiter.game.chance import BadOutcome, Chance
from arbiter.game.corpus import Corpus, Variant
from arbiter.game.display import Display
from arbiter.game.external_games import ExternalGame, ExternalGameFormat, ExternalMove
from arbiter.game.interface import Adapter, Game, GameLibrary, Lifetime, Protocol
from arbiter.game.options import BadSetup, Option, Options, OptionValue, chosen, option, options_of
from arbiter.game.rest import RestWire
from arbiter.game.results import Json, Result, ranks_from_scores
from arbiter.game.text import columns, padded, paint, quoted, wrapped

__all__ = [
    "Adapter",
    "BadOutcome",
    "BadSetup",
    "Chance",
    "Corpus",
    "Display",
    "ExternalGame",
    "ExternalGameFormat",
    "ExternalMove",
    "Fault",
    "FaultKind",
    "Game",
    "GameLibrary",
    "GarbledMove",
    "IllegalMove",
    "Json",
    "Lifetime",
    "Move",
    "Option",
    "OptionValue",
    "Options",
    "Protocol",
    "RestWire",
    "Result",
    "Variant",
    "chosen",
    "columns",
    "numbers_of",
    "option",
    "options_of",
    "padded",
    "paint",
    "quoted",
    "ranks_from_scores",
    "word_of",
    "words_of",
    "wrapped",
]

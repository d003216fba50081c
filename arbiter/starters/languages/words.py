"""Programs that read words: every language has a function for each structure, for what is sent once, and for a turn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from arbiter.starters.description import Description, Field, Structure
from arbiter.starters.languages.base import SourceWriter, plain_structures


class WordsWriter(SourceWriter):
    """Writes programs whose input may be words."""

    read_start, read_turn = "read_start", "read_turn"
    """Names of the functions that read what is sent once, and what is sent every turn."""

    def reading_functions(self, wire: Description) -> list[str]:
        """Write the functions that read the input."""
        structures = plain_structures(wire.structures, wire.root)
        parts = [self.unpacker(each) for each in structures if each.separator]
        parts += [self.reader(each, wire) for each in structures if not each.separator]
        if wire.start:
            about = "Reads what is sent once, before the first turn."
            parts.append(self.filler(self.read_start, about, wire, wire.start))
        parts.append(self.filler(self.read_turn, "Reads what is sent every turn.", wire, wire.turn))
        return parts

    @abstractmethod
    def unpacker(self, structure: Structure) -> str:
        """Write the function that makes a structure from a single word."""

    @abstractmethod
    def reader(self, structure: Structure, wire: Description) -> str:
        """Write the function that reads a structure word by word."""

    @abstractmethod
    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        """Write a function that reads fields of the whole position."""

"""Reads lines of answers that have nothing but a move and its times, like most lines, without decoding each of them as JSON.

The arbiter writes such a line in one way only. All lines are compared with that form at the same time, field by field, and every
byte is checked. A line that is written differently or has anything else in it is left to the JSON decoder.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from arbiter.records.packed.answers import Answers
from arbiter.records.packed.arrays import Flags, Numbers

_PADDING = 64
"""Bytes after the text, so that a word can be read at any position of it."""
_QUOTES, _QUOTES_WITH_WAIT = 18, 20
"""How many quotation marks a line has, without and with a run-queue wait."""
_WORD = 8
"""Bytes of a word, and the most digits of a number: longer times, which are rare, are left to the JSON decoder."""
_ZEROS, _SIX_MORE, _HIGH_BITS = (int.from_bytes(bytes([byte] * _WORD)) for byte in (ord("0"), 0x76, 0x80))


def read_plain_lines(texts: Sequence[bytes]) -> tuple[Answers, Flags]:
    """Return the answers of games, given the lines of each, and for each game whether all its lines are plain; if not, its
    answers are meaningless."""
    lines = _Lines(texts)
    quote, waits = lines.quote, lines.waits
    turn = lines.number(lines.after(b'{"type":"answer","turn":', lines.starts), quote(6) - 1)
    seat = lines.number(lines.after(b',"seat":', quote(6) - 1), quote(8) - 1)
    move = lines.text(lines.after(b',"move":"', quote(8) - 1), quote(11))
    wall_us = lines.number(lines.after(b'","wall_us":', quote(11)), quote(14) - 1)
    cpu_us = lines.number(lines.after(b',"cpu_us":', quote(14) - 1), quote(16) - 1)
    brace = lines.ends - 1
    charged_at, charged_end = lines.after(b',"charged_us":', quote(16) - 1), np.where(waits, quote(18) - 1, brace)
    charged_us = lines.number(charged_at, charged_end)
    waited_at = lines.after(b',"waited_us":', charged_end, where=waits)
    waited_us = lines.number(np.where(waits, waited_at, charged_at), brace) * waits
    lines.closed_at(brace)
    lines.fits &= seat < 128
    counts = np.diff(np.searchsorted(lines.ends, np.cumsum([0, *map(len, texts)])))
    plain = np.ones(len(texts), np.bool_)
    plain[np.repeat(np.arange(len(texts)), counts)[~lines.fits]] = False
    return Answers(counts, turn, seat, move, wall_us, cpu_us, charged_us, waited_us), plain


class _Lines:
    """Lines, and whether each of them has passed all checks so far. Positions refer to the text of all lines together."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        padded = b"".join([*texts, bytes(_PADDING)])
        self._bytes = np.frombuffer(padded, np.uint8)
        self._words = np.ndarray(len(padded) - _WORD + 1, "<u8", padded, strides=(1,))  # one at every byte
        self.ends = np.flatnonzero(self._bytes == ord("\n"))
        self.starts = np.concatenate([[0], self.ends + 1])[:-1]
        self._quotes = np.append(np.flatnonzero(self._bytes == ord('"')), len(padded) - _PADDING)
        past = np.searchsorted(self._quotes, self.ends)
        self._first_quotes = np.concatenate([[0], past])[:-1]
        number = past - self._first_quotes
        self.waits = number == _QUOTES_WITH_WAIT
        self.fits = self.waits | (number == _QUOTES)

    def quote(self, number: int) -> Numbers:
        """Return the position in each line of the quotation mark with this number, from 0; of any other if there are too few."""
        return self._quotes.take(self._first_quotes + number, mode="clip")

    def after(self, literal: bytes, at: Numbers, *, where: Flags | None = None) -> Numbers:
        """Return the position after a literal of at least eight bytes, which each line must have at ``at`` (``where`` it is
        expected)."""
        last = len(literal) - _WORD
        for start in (*range(0, last, _WORD), last):
            word = int.from_bytes(literal[start : start + _WORD], "little")
            found = self._words[at + start] == word
            self.fits &= found if where is None else found | ~where
        return at + len(literal)

    def closed_at(self, at: Numbers) -> None:
        """Check that each line has a closing brace at this position."""
        self.fits &= self._bytes[at] == ord("}")

    def number(self, start: Numbers, end: Numbers) -> Numbers:
        """Return the number between two positions of each line."""
        length = end - start
        self.fits &= (length >= 1) & (length <= _WORD) & ((length == 1) | (self._bytes[start] != ord("0")))
        before = (_WORD - length.clip(1, _WORD)).astype(np.uint64) * 8
        digits = (self._words[end - _WORD] ^ _ZEROS) >> before << before
        self.fits &= (digits | (digits + _SIX_MORE)) & _HIGH_BITS == 0
        # The first digit is in the lowest byte. Add up neighbours: pairs of digits, then of pairs, then of fours.
        pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF
        fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFF
        return ((fours * 10_000 + (fours >> 32)) & 0xFFFFFFFF).astype(np.int64)

    def text(self, start: Numbers, end: Numbers) -> pa.StringArray:
        """Return the text between two positions of each line, which must be ASCII without escapes."""
        length = np.where(self.fits, end - start, 0)
        ends = np.zeros(len(length) + 1, np.int32)
        np.cumsum(length, out=ends[1:])
        found = self._bytes[np.arange(ends[-1]) + np.repeat(start - ends[:-1], length)]
        strange = np.flatnonzero((found < 32) | (found > 126) | (found == ord("\\")))
        self.fits[np.searchsorted(ends, strange, "right") - 1] = False
        return pa.StringArray.from_buffers(len(length), pa.py_buffer(ends), pa.py_buffer(found))

"""Header lines as the values of a row.

The headers of a match differ in only four values, so everything else is decoded once and then recognised by its text.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import msgspec

from arbiter.records.format import FORMAT
from arbiter.records.packed import shapes
from arbiter.records.packed.lines import PackedHeader, decode_header
from arbiter.records.packed.templates import template
from arbiter.records.packed.values import Row, column_number, moment_ms, number_text, restored_moment, word_text
from arbiter.records.reader import NOT_A_LINE

_KEYS = (b'"seed":', b'"setup":', b'"started":"', b'"game":')
"""Keys of the four values, in the order of a header."""
_MOMENT = len("2026-11-16T02:38:56.260Z")
_LONGEST = 18
"""The most digits of a number that fits its column."""
_check_json = msgspec.json.Decoder(msgspec.Raw).decode


class _Cut(NamedTuple):
    """A header, cut at four values."""

    rest: tuple[bytes, ...]
    """The text before, between and after them."""
    seed: bytes
    setup: bytes
    started: bytes
    game: bytes


class Headers:
    """Reads headers, and caches them by everything except the four values."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, ...], Row] = {}

    def row(self, line: bytes) -> Row:
        """Return the values of a header line, for the caller to add to. Raises what a decoder raises, and ValueError if the line
        is from a newer arbiter."""
        cut = _cut(line)
        if cut is None:
            return _row(decode_header(line), line)
        known = self._known.get(cut.rest)
        if known is not None and (values := _values(cut)) is not None:
            return known | values
        header = decode_header(line)
        row = _row(header, line)
        if _is_cut_right(cut, header):
            self._known[cut.rest] = row.copy()  # the caller adds what only this game has
        return row


def _cut(line: bytes) -> _Cut | None:
    """Cut a header where its four values seem to be; None if there are no such places."""
    seed = line.find(_KEYS[0]) + len(_KEYS[0])
    seed_end = line.find(b",", seed)
    setup = line.find(_KEYS[1], seed_end) + len(_KEYS[1])
    setup_end = line.find(b',"setup_given":', setup)
    started = line.rfind(_KEYS[2]) + len(_KEYS[2])
    started_end = started + _MOMENT
    game = line.find(_KEYS[3], started_end) + len(_KEYS[3])
    game_end = line.find(b",", game)
    if not 0 < seed < seed_end < setup < setup_end < started < started_end < game < game_end:
        return None
    rest = line[:seed], line[seed_end:setup], line[setup_end:started], line[started_end:game], line[game_end:]
    return _Cut(rest, line[seed:seed_end], line[setup:setup_end], line[started:started_end], line[game:game_end])


def _is_cut_right(cut: _Cut, header: PackedHeader) -> bool:
    """Return whether the four values are those of the header itself, not of an object in it. If so, the same holds for every
    header with the same text around them, provided that its values are JSON."""
    rest = b"\0".join(cut.rest)
    return all(rest.count(key) == 1 for key in _KEYS) and cut[1:] == (
        str(header.seed).encode(), bytes(header.setup), header.started.encode(), str(header.game).encode()
    )  # fmt: skip


def _values(cut: _Cut) -> Row | None:
    """Return the columns of the four values; None if one of them is not in its usual form."""
    if not (_is_number(cut.seed) and _is_number(cut.game) and cut.started.isascii()):
        return None
    text = cut.started.decode()
    started = moment_ms(text)
    if not restored_moment(text, started):
        return None
    try:
        shape, numbers = _setup(cut.setup)
    except NOT_A_LINE:
        return None
    return {
        "seed": int(cut.seed),
        "game": int(cut.game),
        "started": started,
        "setup_shape": shape,
        "setup_numbers": numbers,
    }


def _is_number(text: bytes) -> bool:
    return text.isdigit() and len(text) <= _LONGEST and (len(text) == 1 or text[:1] != b"0")


@functools.lru_cache(64)  # games with paired seeds share their setup
def _setup(text: bytes) -> tuple[str, list[int]]:
    """Return the shape and the numbers of a setup. Raises DecodeError if it is not one value in JSON."""
    _check_json(text)
    return shapes.split(text.decode())


def _row(header: PackedHeader, line: bytes) -> Row:
    if header.format > FORMAT:
        raise ValueError("written by a newer arbiter")
    started, setup = moment_ms(header.started), bytes(header.setup).decode()
    version, game, seed = map(column_number, (header.version, header.game, header.seed))
    shape, numbers = shapes.split(setup)
    columns = {
        "protocol": word_text(header.protocol),
        "version": number_text(version),
        "seed": number_text(seed),
        "setup": setup,
        "started": restored_moment(header.started, started),
        "game": number_text(game),
        "contest": word_text(header.contest),
        "stage": word_text(header.stage),
    }
    return {
        "protocol": header.protocol,
        "version": version,
        "contest": header.contest,
        "stage": header.stage,
        "game": game,
        "seed": seed,
        "setup_shape": shape,
        "setup_numbers": numbers,
        "started": started,
        "agents": [seat.name for seat in header.seats],
        "fingerprints": [seat.fingerprint for seat in header.seats],
        "header": template(line.decode(), columns),
    }

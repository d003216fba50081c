"""The lines of a record as packing reads them.

Decoding checks the ranges of the columns, creates no empty lists, and does not decode values that are kept as text, so packing
takes half as long as with the structs of the reader.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from arbiter.records.format import Header, ResultLine
from arbiter.records.packed.values import LARGEST

_Number = Annotated[int, msgspec.Meta(gt=-LARGEST, lt=LARGEST)]
_Time = Annotated[int, msgspec.Meta(gt=-(LARGEST // 4), lt=LARGEST // 4)]
"""Differences and sums of several times fit 64 bits."""
_Turn = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
_Seat = Annotated[int, msgspec.Meta(ge=0, le=127)]


class PlainAnswer(msgspec.Struct, tag_field="type", tag="answer", omit_defaults=True, gc=False):
    """An answer with nothing but a move and its times, like most answers; such a struct is encoded fastest."""

    turn: int
    seat: int
    move: str
    wall_us: int
    cpu_us: int
    charged_us: int
    waited_us: int = 0


class PackedFault(msgspec.Struct, omit_defaults=True, kw_only=True, gc=False):
    """As :class:`arbiter.records.format.FaultInfo`."""

    kind: str
    detail: str
    said: str = ""
    said_bytes: _Number = 0
    stderr: str = ""
    exit_code: _Number | None = None
    memory: _Number = 0


class PackedAnswer(msgspec.Struct, tag_field="type", tag="answer", omit_defaults=True, kw_only=True, gc=False):
    """As :class:`arbiter.records.format.AnswerLine`, with the fields in the same order."""

    turn: _Turn
    seat: _Seat
    move: str
    fault: PackedFault | None = None
    message: str = ""
    wall_us: _Time
    cpu_us: _Time
    charged_us: _Time
    waited_us: _Time = 0
    left_us: _Number | None = None
    kibitz: tuple[str, ...] = ()
    chance: tuple[_Number, ...] = ()
    started: bool = False
    notes: tuple[str, ...] = ()


class PackedHeader(Header, tag_field="type", tag="header", kw_only=True):
    """A header with its setup as text."""

    setup: msgspec.Raw


class PackedResult(ResultLine, tag_field="type", tag="result", kw_only=True):
    """A result without the further results of the protocol, which are checked to be JSON."""

    data: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)


decode_header = msgspec.json.Decoder(PackedHeader).decode
decode_answers = msgspec.json.Decoder(PackedAnswer).decode_lines
decode_result = msgspec.json.Decoder(PackedResult).decode

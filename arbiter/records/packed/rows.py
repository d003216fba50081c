"""From the bytes of records to columns: the part of an archive that is written at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from arbiter.records.format import AnswerLine, FaultInfo, Header, ResultLine, decode
from arbiter.records.packed import shapes
from arbiter.records.packed.schema import COLUMNS, schema
from arbiter.records.packed.templates import Values, raw_values, template
from arbiter.records.packed.values import LARGEST, as_text, digest_bytes, moment_ms, moment_text, number
from arbiter.records.reader import NOT_A_LINE

_decode_answers = msgspec.json.Decoder(list[AnswerLine]).decode_lines
_encode_lines = msgspec.json.Encoder().encode_lines

ANSWER_COLUMNS = ("turn", "seat", "move", "wall_us", "cpu_us", "charged_us", "waited_us")
_ANNULLED = b'{"type":"annulled"'


class Rows:
    """Rows of an archive, added one record at a time."""

    def __init__(self) -> None:
        self._plain: dict[str, list[Any]] = {
            name: [] for name, kind in COLUMNS.items() if not pa.types.is_list(kind) or name in _SMALL_LISTS
        }
        self._lines: dict[str, list[Any]] = {name: [] for name in ANSWER_COLUMNS}
        self._ends = [0]
        """Where the answers of each game end."""
        self._sparse: dict[str, _Sparse] = {name: _Sparse(name) for name in _SPARSE}
        self._setups: dict[str, tuple[str, list[int]]] = {}
        """Setups seen before: games with paired seeds share theirs."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, name: str, data: bytes, modified_ms: int = 0, log: bytes | None = None) -> None:
        """Add the record ``data`` of a file called ``name``: any bytes, although only a record has facts."""
        for row in self._plain.values():
            row.append(None)
        self._set(name=name, modified=modified_ms, stderr_log=log)
        try:
            answers = self._add_game(data)
        except (*NOT_A_LINE, ValueError, OverflowError):
            for row in self._plain.values():
                row[-1] = None
            self._set(name=name, modified=modified_ms, stderr_log=log)
            answers = ()
            self._set(exact=data)
        self._add_answers(answers)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            self._plain[name][-1] = value

    def _add_game(self, data: bytes) -> Sequence[AnswerLine]:
        """Fill in a row and return its answers. Raises ValueError or what decoding raises if this is not a whole record."""
        head, middle, tail, annulled = _parts(data)
        header, result, answers = decode(head), decode(tail), _decode_answers(middle)
        if not isinstance(header, Header) or not isinstance(result, ResultLine):
            raise ValueError("no header or no result")
        _check(answers, len(header.seats))
        if _encode_lines(answers) != middle:
            self._set(exact=data)
        seats = [seat for seat, lines in result.afterwards.items() for _ in lines]
        if any(not 0 <= seat < len(header.seats) for seat in seats):
            raise ValueError("kibitz of a seat that the game does not have")
        self._add_header(header, head.decode())
        self._add_result(result, tail.decode(), len(answers))
        self._set(
            turns=len({line.turn for line in answers}),
            annulled=None if annulled is None else annulled.decode(),
        )
        return answers

    def _add_header(self, header: Header, line: str) -> None:
        started = moment_ms(header.started)
        facts: dict[str, Any] = {
            "protocol": header.protocol,
            "version": number(header.version),
            "contest": header.contest,
            "stage": header.stage,
            "game": number(header.game),
            "seed": number(header.seed),
        }
        columns: Values = {key: as_text(value) for key, value in facts.items() if value is not None}
        if started is not None:
            columns["started"] = moment_text(started)
        values = raw_values(line)
        if values is not None and (setup := values.get("setup")) is not None:
            shape, numbers = self._setups.get(setup) or shapes.split(setup)
            self._setups[setup] = shape, numbers
            self._set(setup_shape=shape, setup_numbers=numbers)
            columns["setup"] = setup
        self._set(
            **facts,
            started=started,
            agents=[seat.name for seat in header.seats],
            fingerprints=[seat.fingerprint for seat in header.seats],
            header=line if values is None else template(values, columns),
        )

    def _add_result(self, result: ResultLine, line: str, answers: int) -> None:
        ended, digest, deal_seed = moment_ms(result.ended), digest_bytes(result.digest), number(result.deal_seed)
        columns: Values = {
            "ranks": as_text(result.ranks),
            "scores": as_text(result.scores),
            "reason": as_text(result.reason),
            "deal_seed": as_text(deal_seed),
            "afterwards": as_text(result.afterwards),
        }
        if ended is not None:
            columns["ended"] = moment_text(ended)
        if digest is not None:
            columns["digest"] = f'"sha256:{digest.hex()}"'
        if [seat for seat, lines in result.afterwards.items() if not lines]:
            del columns["afterwards"]  # a seat without kibitz would not come back
        else:
            self._sparse["kibitz"].add(
                [(answers + seat, text) for seat, texts in result.afterwards.items() for text in texts]
            )
        values = raw_values(line)
        shape, numbers = shapes.split(line if values is None else template(values, columns).replace("\0", "\1"))
        self._set(
            ended=ended,
            ranks=[rank if abs(rank) < LARGEST else None for rank in result.ranks],
            scores=result.scores,
            reason=result.reason,
            deal_seed=deal_seed,
            digest=digest,
            result=shape,
            result_numbers=numbers,
        )

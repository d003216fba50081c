"""A record as it grows: reads what is new in the file, replays it, and keeps every turn ready to be sent.

The arbiter that plays the game is another process, which only appends to the file; a watcher costs it nothing.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.exports.document import GameDocument, encode_json, result_facts
from arbiter.records.format import AnnulledLine, AnswerLine, Header, ResultLine, decode_line
from arbiter.records.reader import NOT_A_LINE, Record, check_record_format, check_size, record_bytes
from arbiter.registry import as_protocol_error, find_protocol
from arbiter.web.drawings import drawing_of

_SHARE = 19
"""After reading the record of a running game, its feed rests this many times as long as that took …"""
_LONGEST_REST_S = 2.0
"""… but at most this long, so its pages are never further behind than that."""


class Feed:
    """The document of one record, brought up to date by :meth:`refresh`, which any thread may call."""

    def __init__(self, path: Path, seat: int | None = None, *, drawn: bool = False) -> None:
        """Read a record for everybody, or for the person in a seat, who may not see everything.

        With ``drawn``, terminal boards are left out if the protocol has a drawing.
        """
        self.path, self._seat, self._drawn = path, seat, drawn
        self._looked_at = 0.0
        self._took_s = 0.0
        self._joined: tuple[int, int, bytes] = (0, 0, b"")
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._file: tuple[int, int] | None = None
        """Device and inode of the file that was read so far."""
        self._offset = 0
        self._rest = b""
        self.header: Header | None = None
        self._document: GameDocument | None = None
        self._pending: list[AnswerLine] = []
        """The answers of a turn that is not complete yet."""
        self.turns: list[bytes] = []
        """Every turn, encoded."""
        self.ending: dict[str, Any] = {"result": None, "annulled": "", "problem": ""}

    @property
    def over(self) -> bool:
        """Whether nothing more is to come: the game has a result, or its record cannot be read further."""
        return self.ending["result"] is not None or bool(self.ending["problem"])

    def is_due(self, every_s: float) -> bool:
        """Return whether to refresh now, so that many watchers of a game together look at its record this often.

        Less often for a game that is played faster than its positions can be prepared: the games come first.
        """
        now = time.monotonic()
        if self._lock.locked():  # somebody is reading it
            return False
        if now - self._looked_at < max(every_s * 0.9, min(_SHARE * self._took_s, _LONGEST_REST_S)):
            return False
        self._looked_at = now
        return True

    def refresh(self) -> None:
        """Read what was added to the record. Raises UserError if it is not the record of a game that can be shown."""
        with self._lock:
            start = time.thread_time()
            try:
                self._read()
            except OSError as error:
                raise UserError(f"{self.path}: {error.strerror}") from None
            finally:
                self._took_s = time.thread_time() - start

    def turns_after(self, sent: int) -> tuple[int, bytes]:
        """Return the number of turns there are, and those after ``sent`` as JSON; watchers at the same turn share it."""
        known = len(self.turns)
        joined = self._joined
        if joined[:2] != (sent, known):
            self._joined = joined = sent, known, b",".join(self.turns[sent:known])
        return known, joined[2]

    def _read(self) -> None:
        if self._read_packed():
            return
        status = self.path.stat()
        identity = (status.st_dev, status.st_ino)
        if identity != self._file or status.st_size < self._offset:
            self._forget()
            self._file = identity
        if status.st_size == self._offset:
            return
        check_size(self.path, status.st_size)
        with self.path.open("rb") as file:
            file.seek(self._offset)
            data = file.read()
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if not self.ending["problem"]:
                self._take(line)

    def _read_packed(self) -> bool:
        """Read a packed game, which does not grow; returns whether it is one."""
        if self.path.exists() or not at_rest.holds(self.path):
            return False
        if self.header is None:
            for line in record_bytes(self.path).split(b"\n")[:-1]:
                if not self.ending["problem"]:
                    self._take(line)
        return True

    def _take(self, raw: bytes) -> None:
        try:
            line = decode_line(raw)
        except NOT_A_LINE as error:
            return self._fail(f"not a line of a saved game ({error})")
        try:
            self._enter(line)
        except UserError as error:
            return self._fail(str(error))
        except Exception as error:
            if blamed := as_protocol_error(error):
                return self._fail(str(blamed))
            raise

    def _enter(self, line: Header | AnswerLine | ResultLine | AnnulledLine) -> None:
        if isinstance(line, Header):
            check_record_format(self.path, line)
            record, protocol = Record(self.path, line, (), None, torn=False), find_protocol(line.protocol, Workspace())
            with_boards = not self._drawn or drawing_of(protocol) is None
            self._document, self.header = GameDocument(record, protocol, self._seat, with_boards=with_boards), line
        elif self._document is None:
            raise UserError("it does not begin with a header")
        elif isinstance(line, AnswerLine):
            self._pending.append(line)
            if not self._document.wants(self._pending):
                lines, self._pending = self._pending, []
                self.turns.append(encode_json(self._document.add(line.turn, lines)))
        elif isinstance(line, ResultLine):
            self.ending["result"] = result_facts(line, self._document.names)
        else:
            self.ending["annulled"] = line.because

    def _fail(self, reason: str) -> None:
        """Stop here: what was read so far is shown, with the reason."""
        if self._document is None:
            self._forget()
            raise UserError(f"{self.path}: {reason}")
        self.ending["problem"] = f"turn {len(self.turns) + 1} of this record cannot be shown: {reason}"

    @property
    def protocol(self) -> str:
        """The name of the protocol. Raises UserError before there is a header."""
        if self.header is None:
            raise UserError(f"{self.path} is not a saved game, or its first line is not written yet")
        return self.header.protocol

    @property
    def has_view(self) -> bool:
        """Whether there is a view to draw: a protocol need not say what a seat may see of it."""
        return self._document is not None and self._document.start["start"]["view"] is not None

    def document(self, more: dict[str, Any]) -> bytes:
        """Return the whole document as JSON, with ``more`` added to it, after :meth:`refresh`."""
        with self._lock:
            assert self._document is not None
            head = encode_json({**self._document.start, **self.ending, **more})
            return head[:-1] + b',"turns":[' + b",".join(self.turns) + b"]}"

"""The encoding of a source file, which javac needs as an option: it refuses characters that it cannot decode, even in
comments."""

from __future__ import annotations

UTF_8 = "UTF-8"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The byte-order mark that some editors write at the start of UTF-8 files. javac, scalac and shells refuse it."""


def encoding_of(source: bytes) -> str:
    """Return the encoding of a source, under a name that Java and Python know.

    Whatever is not valid UTF-8 or marked as UTF-16 is read as Windows or ISO Latin-1, which differ in few letters: every
    text can be decoded by the last one.
    """
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    for encoding in (UTF_8, "windows-1252"):
        try:
            source.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "ISO-8859-1"


def decoded(source: bytes) -> str:
    """Return the text of a source, without a byte-order mark."""
    return source.decode(encoding_of(source), errors="replace").removeprefix("\ufeff")

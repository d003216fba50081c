"""Sources are compiled whatever encoding their authors' editors save them in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arbiter import play
from arbiter.agents.prepare.source_text import BYTE_ORDER_MARK, decoded, encoding_of
from tests.agents.prepare.test_languages import need

pytestmark = pytest.mark.slow

JAVA = (
    "public class Bot {\n  // Für Zoë\n  static int größe = 2;\n  public static void main(String[] a) {\n"
    '    System.out.println("é".length() + größe - 1);\n  }\n}\n'
)
SCALA = 'object Bot { def main(a: Array[String]): Unit = println("é".length + 1) }\n'


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("windows.java", JAVA.replace("Zoë", "“Zoë” €").encode("cp1252")),
        ("undefined in windows.java", JAVA.replace("Zoë", "\x81").encode("iso-8859-1")),
        ("marked.java", BYTE_ORDER_MARK + JAVA.encode()),
        ("marked utf-16.java", JAVA.encode("utf-16")),
        ("latin.scala", SCALA.encode("iso-8859-1")),
    ],
)
def test_a_source_in_any_encoding_is_compiled_as_its_author_wrote_it(place: Path, name: str, source: bytes) -> None:
    file = place / name
    file.write_bytes(source)
    need(file)
    report = play("count_up", [str(file)], options={"turns": 1}, limits={"first_move": "30s", "move": "30s"})
    assert report.games[0].faults == []
    assert report.games[0].scores == [2.0]
    assert file.read_bytes() == source


@given(st.binary())
@example(b"\x81")
@example(b"\xff\xfe\x00")
def test_whatever_the_bytes_there_is_an_encoding(source: bytes) -> None:
    encoding = encoding_of(source)
    if encoding != "UTF-16":  # marked as such, and possibly cut off
        source.decode(encoding)
    assert isinstance(decoded(source), str)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_recognised_with_or_without_a_mark(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert decoded(text.encode()) == text
        assert decoded(BYTE_ORDER_MARK + text.encode()) == text
        assert encoding_of(BYTE_ORDER_MARK + text.encode()) == "UTF-8"

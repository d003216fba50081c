"""Parameters of requests, from query, form and JSON."""

from __future__ import annotations

from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from arbiter.arena.params import form

_TEXT = st.text("abN1_=&%+ ;\n\u00e9", max_size=40)


@given(_TEXT)
def test_a_form_is_read_as_the_standard_library_reads_it(text: str) -> None:
    data = text.encode()
    assert form(data) == dict(parse_qsl(text, keep_blank_values=True, errors="replace"))


@given(st.lists(st.tuples(st.text("abc_1", min_size=1, max_size=4), st.text("xyz_2", max_size=4)), max_size=15))
def test_also_on_the_short_way_for_plain_fields(fields: list[tuple[str, str]]) -> None:
    text = "&".join(f"{name}={value}" for name, value in fields)
    assert form(text.encode()) == dict(parse_qsl(text, keep_blank_values=True))

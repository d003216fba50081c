"""The format for readmes and chats."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from markdown_it import MarkdownIt

from arbiter.contest.formats.markdown import markdown
from arbiter.contest.report import Report
from tests.contest.formats.making import HOSTILE, hostile, made


def tables(text: str) -> list[list[str]]:
    """The lines of every table."""
    return [table.strip().split("\n") for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]


@pytest.mark.parametrize(
    "make",
    [partial(made, {"kind": "swiss"}, "abcdefgh"), partial(made, {"kind": "round_robin", "games": 8}, "ab"), hostile],
)
def test_all_lines_of_a_table_have_as_many_columns(make: Callable[[], Report]) -> None:
    shown = tables(markdown(make()))
    assert shown
    for table in shown:
        assert len({line.count("|") for line in table}) == 1
        assert re.fullmatch(r"(\|(:-+|-+:))+\|", table[1])


def test_the_answer_is_first_and_in_bold() -> None:
    found = made({"kind": "round_robin", "games": 4}, "abc", title="Cup")
    lines = markdown(found).split("\n")
    assert lines[0] == "# Cup"
    assert lines[2] == f"**{found.answer}**"


def test_names_of_programs_stay_readable() -> None:
    text = markdown(made({"kind": "round_robin"}, ["greedy_cpp", "my-bot.py", "C++"]))
    for name in ("greedy_cpp", "my-bot.py", "C++"):
        assert re.search(rf"\| {re.escape(name)} +\|", text)


def test_hostile_names_are_rendered_as_they_are() -> None:
    """By a real renderer of GitHub's kind of Markdown, with everything on that could do harm."""
    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown(hostile()))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "pi|pe `code` *bold* [link](javascript:alert(1))" in page
    tags = set(re.findall(r"<(/?\w+)", page))
    assert {tag.strip("/") for tag in tags} <= {
        "h1", "h2", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li",
    }  # fmt: skip
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    assert body.count("<tr>") == len(HOSTILE)
    assert "@here" not in markdown(hostile())
    assert "https://" not in markdown(hostile())

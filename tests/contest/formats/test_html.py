"""The page: complete in one file, safe whatever the names of the agents, and linked to the games."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote

import msgspec
import pytest

from arbiter.contest.formats.html import html
from arbiter.contest.report import Report, build_report
from tests.contest.formats.making import FOLDER, HOSTILE, contest, ended, hostile, made
from tests.contest.statistics.making import outcome

VOID = {"meta", "input", "br"}
OPTIONAL_END = {"td", "tr"}


class Page(HTMLParser):
    """Reads a page as strictly as its authors promise to write it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} comes twice"
        if tag in OPTIONAL_END:
            while self._open[-1] in OPTIONAL_END and self._open[-1] != tag and tag == "tr":
                self._open.pop()
            if self._open[-1] == tag:
                self._open.pop()
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open[-1] != tag and self._open[-1] in OPTIONAL_END:
            self._open.pop()
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


REPORTS: dict[str, Callable[[], Report]] = {
    "swiss": lambda: made({"kind": "swiss"}, "abcdefgh", title="Cup"),
    "knockout": lambda: made({"kind": "knockout"}, "abcdefgh"),
    "duel": lambda: made({"kind": "round_robin", "games": 30}, "ab"),
    "gauntlet": lambda: made({"kind": "gauntlet", "challengers": ["a"]}, "abcd"),
    "many": lambda: made({"kind": "round_robin"}, [f"{number:02d}" for number in range(25)]),
    "hostile": hostile,
}


@cache
def report_of(name: str) -> Report:
    """One of REPORTS, made when it is first needed and not when tests are collected."""
    return REPORTS[name]()


@pytest.fixture(params=REPORTS)
def found(request: pytest.FixtureRequest) -> Report:
    return report_of(request.param)


def test_it_is_well_formed_and_needs_nothing_else(found: Report) -> None:
    page = Page(html(found))
    assert not {tag for tag, _ in page.tags} & {
        "link", "img", "iframe", "object", "embed", "base", "form", "use", "image",
    }  # fmt: skip
    for tag, attributes in page.tags:
        assert "src" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes), tag
        for value in attributes.values():
            assert "url(" not in (value or "") or str(value).startswith("url(#inside-progress-")
    names = [str(attributes["id"]) for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert "@import" not in html(found)


def test_only_its_own_script_may_run(found: Report) -> None:
    text = html(found)
    page = Page(text)
    assert len(page.all("script")) == 1
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (policy,) = [str(one["content"]) for one in page.all("meta") if one.get("http-equiv")]
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"


def test_every_game_is_linked_by_its_relative_path() -> None:
    found = report_of("swiss")
    links = {unquote(str(one["href"])) for one in Page(html(found)).all("a")}
    assert {game.record for game in found.games} <= links
    assert all(link.startswith("cup/") for link in links)


def test_it_has_the_command_that_shows_a_game() -> None:
    found = report_of("duel")
    assert f"arbiter show cup/{found.highlights[0].game:05d}.jsonl" in html(found)


def test_the_answer_its_colour_and_the_title_are_at_the_top() -> None:
    found = made({"kind": "round_robin", "games": 40}, ["a", "z"], title="Is it better?")
    text = html(found)
    assert "<title>Is it better?</title>" in text
    assert found.verdict == "yes"
    assert text.index('<div class="answer yes"><p><b>Yes</b>a is better than z: yes') < text.index("<table")


def test_a_contest_without_a_title_is_called_after_its_agents() -> None:
    found = report_of("duel")
    untitled = msgspec.structs.replace(found, title=found.name)
    page = Page(html(untitled))
    assert " against ".join(row.agent for row in found.rows) in page.words
    assert any(word.endswith(f" · {found.name}") for word in page.words)


def test_plots_have_a_version_for_phones_with_the_same_words() -> None:
    wide, narrow = (
        picture for picture in re.findall(r"<svg.*?</svg>", html(report_of("swiss")), re.S) if "Elo rating" in picture
    )
    assert 'width="900"' in wide
    assert 'width="380"' in narrow


def test_hostile_names_are_escaped() -> None:
    found = hostile()
    text = html(found)
    page = Page(text)
    assert "<script>alert" not in text
    shown = "".join(page.words)
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert "\u202e" not in text
    assert "\x1b" not in text
    for one in page.all("a"):
        link = str(one["href"])
        assert re.fullmatch(r"[A-Za-z0-9_.~/%-]+", link), link
        assert link.startswith("cup/")
    assert text.encode()  # no half of a pair of surrogates is left


def test_a_note_on_an_agent_is_below_its_name() -> None:
    page = html(hostile())
    assert '<td class="name">=1+1<small class="note">set aside after 5 games, all void</small></td>' in page
    assert ">note</th>" not in page


def test_sorting_goes_by_figures_and_not_by_words() -> None:
    text = html(report_of("duel"))
    assert re.search(r'<td class="r" data-v="-?\d+(\.\d+)?">(\+|−)\d', text)
    heads = [one for one in Page(text).all("th") if one.get("data-by")]
    assert {one["data-by"] for one in heads} == {"number", "text"}


def test_a_contest_without_games_has_a_page_too() -> None:
    of = contest({"kind": "round_robin"}, "abc")
    text = html(build_report(of, ended(of, [], complete=False), beside=FOLDER))
    Page(text)
    assert "no game has been played yet" in text
    assert "<svg" not in text


def test_identical_games_are_linked() -> None:
    of = contest({"kind": "round_robin"}, "ab")
    games = [outcome("ab", (1, 2), seed, moves_hash="same") for seed in (1, 2)]
    text = html(build_report(of, ended(of, games), beside=FOLDER))
    assert 'Identical moves: games <a href="00001.jsonl">1</a>, <a href="00002.jsonl">2</a>' in text

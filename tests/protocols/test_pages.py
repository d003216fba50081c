"""What the pages for agent authors publish is so."""

from __future__ import annotations

import re

import pytest

from .drawings import protocol_of
from .golden import GAMES
from .page import Page


@pytest.mark.parametrize("game", GAMES)
def test_the_published_options_are_those_of_the_game(game: str) -> None:
    (table, *_) = re.findall(r"(?:^\|.*\n)+", Page(game).text.split("## Options")[1], re.MULTILINE)
    published = re.findall(r"^\| `(\w+)` \| (\w+) \|", table, re.MULTILINE)
    assert published == [(option.name, str(option.default).lower()) for option in protocol_of(game).options]


@pytest.mark.parametrize("game", ["drones", "heroes", "splendor"])
def test_the_published_limits_are_those_of_the_protocol(game: str) -> None:
    published = re.findall(r"^\| [^|]* \| ([0-9]+[^|]*?) \|$", Page(game).text, re.MULTILINE)
    assert set(protocol_of(game).limits.values()) <= {re.sub("[ ,]", "", amount) for amount in published}


@pytest.mark.parametrize("game", GAMES)
def test_links_within_the_page_lead_somewhere(game: str) -> None:
    text = Page(game).text
    headings = {re.sub("[^a-z -]", "", each.lower()).replace(" ", "-") for each in re.findall("^#+ (.*)$", text, re.M)}
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= headings

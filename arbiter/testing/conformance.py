"""The conformance suite: named checks of everything that the arbiter, the viewer and the commands rely on in a protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arbiter.game import Protocol
from arbiter.testing import about, playing, showing
from arbiter.testing.playthrough import Answers
from arbiter.testing.subject import CheckedProtocol


@dataclass(frozen=True, slots=True)
class ConformanceCheck:
    """One check. Raises AssertionError that says what is wrong."""

    name: str
    run: Callable[[CheckedProtocol], None]


CHECKS = tuple(
    ConformanceCheck(str(function.__name__).replace("_", "-"), function)
    for function in (
        about.describes_itself,
        about.options_have_valid_defaults,
        about.refuses_setups_it_cannot_start_from,
        about.has_a_guide_for_authors_of_agents,
        about.starter_gives_legal_answers,
        playing.plays_whole_games,
        playing.goes_on_after_wrong_answers,
        playing.reads_any_text,
        playing.has_a_move_for_every_fault,
        playing.equal_seeds_make_equal_games,
        playing.games_share_nothing,
        playing.listed_answers_are_legal,
        showing.texts_fit_the_terminal,
        showing.views_are_plain_data,
        showing.draws_every_position,
    )
)
"""In the order in which an author wants to see them pass."""


def conformance(protocol: Protocol, *, answers: Answers | None = None, games: int = 1) -> Callable[..., Any]:
    """Return a pytest test with one case per check; assign it to a name that starts with ``test_``.

    :param protocol: the protocol to test.
    :param answers: returns a random answer of a seat, mostly legal. By default the moves come from ``Protocol.corpus()`` if there
        is one, else from ``Display.legal()``.
    :param games: the number of games per number of seats (or variant of the corpus) that each check plays.
    """
    import pytest

    subject = CheckedProtocol(protocol, answers, games)

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
    def test_conformance(check: ConformanceCheck) -> None:
        check.run(subject)

    return test_conformance


def check_all(protocol: Protocol, *, answers: Answers | None = None, games: int = 1) -> None:
    """Run all checks without pytest. Raises AssertionError for the first that fails."""
    for check in CHECKS:
        check.run(CheckedProtocol(protocol, answers, games))

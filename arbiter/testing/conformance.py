"""The conformance suite: named checks of everything that the arbiter, the viewer and the commands rely on in a protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arbiter.game import Protocol
from arbiter.testing import about, playing, showing
from arbiter.testing.playthrough import Answers
from arbiter.testing.subject import CheckedProtocol


class BrokenPromiseError(AssertionError):
    """A protocol does not keep a promise: which one, what was found, and how it is usually broken."""


@dataclass(frozen=True, slots=True)
class ConformanceCheck:
    """One check of a promise that a protocol makes."""

    look: Callable[[CheckedProtocol], None]
    """Raises AssertionError that says what was found."""
    promise: str
    usually: str
    """How the promise is usually broken."""

    @property
    def name(self) -> str:
        """The name that pytest shows."""
        return self.look.__name__.replace("_", "-")

    def run(self, subject: CheckedProtocol) -> None:
        """Check the promise. Raises BrokenPromiseError."""
        try:
            self.look(subject)
        except Exception as error:  # noqa: BLE001  (whatever a game raises breaks its promise)
            ours = isinstance(error, AssertionError)
            found = str(error) if ours else f"the game raises {error!r}"
            lines = (f"promise: {self.promise}", f"found: {found}", f"usual cause: {self.usually}")
            raise BrokenPromiseError("\n".join(lines)) from (error.__cause__ if ours else error)


_STATE = (
    "state is kept outside the game object, in a class, a module or the setup itself, instead of in a copy of one's own"
)
_FOLLOWS = (
    "names of agents in prompts or results (write 'seat 0', which is shown with its name; who() is for boards), random "
    "numbers that are not from Chance, the order of a set, or what another game left behind"
)
CHECKS = tuple(
    ConformanceCheck(look, promise, usually)
    for look, promise, usually in (
        (about.describes_itself, "a protocol describes itself", "an attribute of the class is missing or misspelt"),
        (
            about.options_have_valid_defaults,
            "each option accepts its default and its choices, as values and as typed text",
            "the default is outside minimum and maximum, or of another type than the annotation",
        ),
        (
            about.refuses_setups_it_cannot_start_from,
            "start() refuses a setup that it cannot start from with BadSetup and one line",
            "start() uses an entry of the setup before it has checked type and range; true is also an int",
        ),
        (
            about.has_a_guide_for_authors_of_agents,
            "a README.md beside the rules says what agents read and answer",
            "the file is missing, or does not start with a heading",
        ),
        (
            about.starter_gives_legal_answers,
            "the starter from wire.yaml gives a legal answer wherever it is asked",
            "wire.yaml does not list the fields in the order in which prompt() writes them, or choose: forgets a rare position",
        ),
        (
            playing.plays_whole_games,
            "games end with a result, and come out the same when they are played again from the record",
            _FOLLOWS,
        ),
        (
            playing.goes_on_after_wrong_answers,
            "a game goes on, or ends, with the move that fallback() prescribes",
            "play() does not know the text that fallback() returns, or asks a seat that is out",
        ),
        (
            playing.reads_any_text,
            "read() returns a move or raises IllegalMove with one printable line, and changes nothing",
            "int() of unchecked text (use numbers_of), or the answer in the reason as it came (use quoted)",
        ),
        (
            playing.has_a_move_for_every_fault,
            "fallback() returns a move for every kind of fault in every position",
            "fallback() handles illegal answers only, or plays the move itself",
        ),
        (playing.equal_seeds_make_equal_games, "equal seeds and answers make equal games", _FOLLOWS),
        (playing.games_share_nothing, "a game does not change when another one is played", _STATE),
        (
            playing.listed_answers_are_legal,
            "each answer of Display.legal() is legal, and listed once",
            "legal() and read() decide what is legal in two places",
        ),
        (
            showing.texts_fit_the_terminal,
            "boards, moves and events are printable text, boards at most 80 columns wide",
            "a board grows with an option or with the number of seats, or contains tabs",
        ),
        (
            showing.views_are_plain_data,
            "each view is plain JSON data, a new object, with one score per seat or none",
            "view() returns tuples, numbers as keys, or a list that play() changes later",
        ),
        (
            showing.draws_every_position,
            "drawing.js draws each position in both layouts with known elements",
            "a value that is null in some positions, or text below 11 units in the narrow layout",
        ),
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
        try:
            check.run(subject)
        except BrokenPromiseError as broken:
            if broken.__cause__:  # the traceback leads to the line of the game that raised
                raise
            pytest.fail(str(broken), pytrace=False)

    return test_conformance


def check_all(protocol: Protocol, *, answers: Answers | None = None, games: int = 1) -> None:
    """Run all checks without pytest. Raises BrokenPromiseError for the first that fails."""
    for check in CHECKS:
        check.run(CheckedProtocol(protocol, answers, games))

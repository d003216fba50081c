"""Checks of what people see: text on a terminal, plain data for viewers, drawings."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from arbiter.game import Display, Json, Variant, columns
from arbiter.testing import drawing
from arbiter.testing.subject import CheckedProtocol
from arbiter.web.drawings import drawing_of

_WIDTH = 80
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_MOST_POSITIONS = 150
_DRAWN_POSITIONS = 48
"""Positions of all variants together; few, since each is drawn four times and may have a thousand elements."""
_DRAWN_PER_VARIANT = 6
"""The fewest positions of a variant, however many variants there are."""


def texts_fit_the_terminal(subject: CheckedProtocol) -> None:
    """Check boards, descriptions of moves and events over whole games: printable, and boards at most 80 columns wide."""
    known: set[str] = set()
    for variant in subject.variants():
        game = subject.opened(variant, 1)
        display = game.display([f"agent-{seat} (seat {seat})" for seat in range(variant.seats)])
        for moves in _moves(subject, variant):
            _check_boards(display, variant, known)
            for seat, move in moves.items():
                _check_line(display.describe(seat, move), f"describe({seat}, {move!r})")
            game.play(moves)
            for line in (*display.events(), *(line for seat in moves for line in display.news(seat))):
                _check_line(line, "events()")
        _check_boards(display, variant, known)


def _moves(subject: CheckedProtocol, variant: Variant) -> Iterator[Mapping[int, str]]:
    """Yield the moves of a game, turn by turn, up to the number of positions that are checked."""
    return (turn.moves for turn in subject.known(variant).turns[:_MOST_POSITIONS])


def _check_boards(display: Display[Any], variant: Variant, known: set[str]) -> None:
    """Check the boards of all seats; lines that are ``known`` have been checked already."""
    for seat in (None, *range(variant.seats)):
        for line in {*display.board(seat).split("\n")} - known:
            plain = _STYLE.sub("", line)
            assert plain.isprintable(), f"board({seat}) has control characters: {line!r}"
            assert columns(line) <= _WIDTH, f"board({seat}) is {columns(line)} columns wide: {plain!r}"
            known.add(line)


def _check_line(text: str, what: str) -> None:
    assert isinstance(text, str), f"{what} must be text, not {text!r}"
    assert text.isprintable(), f"{what} must be one printable line, not {text!r}"


def views_are_plain_data(subject: CheckedProtocol) -> None:
    """Check that views survive JSON, that each view is a new object, and that there is one score per seat or none."""
    for variant in subject.variants():
        game = subject.opened(variant, 1)
        display, kept = game.display(), []
        for moves in (*_moves(subject, variant), None):
            view = game.view()
            kept.append((view, json.dumps(view)))
            _check_plain(view)
            for shown in (display.view_for(seat) for seat in range(variant.seats)):
                if shown != view:
                    _check_plain(shown)
            scores = display.scores_so_far()
            assert len(scores) in (0, variant.seats), f"scores_so_far() must have one score per seat, not {scores!r}"
            if moves is not None:
                game.play(moves)
        for view, text in kept:
            assert json.dumps(view) == text, "a view changed when the game went on: return a copy"


def _check_plain(view: Json) -> None:
    assert json.loads(json.dumps(view)) == view, "a view is not plain JSON data"


def draws_every_position(subject: CheckedProtocol) -> None:
    """Draw positions of random games in both layouts, if there is a drawing.js.

    Needs Node: skipped where it is not installed, but failed under CI.
    """
    path = drawing_of(subject.protocol)
    if path is None:
        return
    if drawing.node() is None:
        import pytest

        message = "Node is not installed: drawings are JavaScript"
        assert not os.environ.get("CI"), message
        pytest.skip(message)
    drawn = []
    most = max(_DRAWN_PER_VARIANT, _DRAWN_POSITIONS // len(subject.variants()))
    for variant in subject.variants():
        positions = drawing.followed(subject.opened(variant, 1), _moves(subject, variant))
        spread = positions[:: max(1, len(positions) // most)] + positions[-1:]
        drawn.append((spread, [f"agent-{seat}" for seat in range(variant.seats)]))
    drawing.draw_games(path, drawn)

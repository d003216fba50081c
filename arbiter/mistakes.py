"""Typical mistakes of beginners, found in an answer that the rules refused: the likely cause in a sentence."""

from __future__ import annotations

from arbiter.game import Game, IllegalMove

_MOST_LINES = 50
"""The most lines of an answer that are tried one by one."""
_MOST_CHARACTERS = 4096


def likely_causes(game: Game, seat: int, answer: str) -> list[str]:
    """Return a sentence for each typical mistake in an answer that :meth:`Game.read` refused; most have none."""
    causes, text = [], answer[:_MOST_CHARACTERS]
    if text.startswith("\ufeff"):
        causes.append("the answer begins with a byte-order mark (BOM): print UTF-8 without one")
    if "\r" in text:
        causes.append("the answer contains a carriage return: end lines with a line feed only, not with CRLF")
    lines = text.splitlines()[:_MOST_LINES]
    if len(lines) > 1:
        causes.append(f"the answer has {len(lines)} lines{_legal_line(game, seat, lines)}: print only the move on standard "
                      "output, and debug text on standard error")  # fmt: skip
    return causes


def _legal_line(game: Game, seat: int, lines: list[str]) -> str:
    for number, line in enumerate(lines, 1):
        try:
            game.read(seat, line)
        except IllegalMove:
            continue
        return f", of which line {number} alone would be a legal move"
    return ""

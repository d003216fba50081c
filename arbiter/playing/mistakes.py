"""Finds typical mistakes of beginners in an answer that the rules refused, and states the likely cause in a sentence.

A sentence is written only if the answer would be ruled differently without the mistake, or if it just states what was observed.
"""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.game import Game, IllegalMove, quoted

_MOST_LINES = 50
"""The most lines of an answer that are tried one by one."""
_MOST_WORDS = 20
"""The most words of an answer after which the rest is tried as a move."""
_MOST_CHARACTERS = 4096


def typical_mistakes(game: Game, seat: int, answer: str, surplus: str = "") -> list[str]:
    """Return a sentence for each typical mistake in an answer that :meth:`Game.read` refused; usually none.

    ``surplus`` is what a long-lived agent printed after its one-line answer.
    """
    causes, text = [], answer[:_MOST_CHARACTERS]
    if text.startswith("\ufeff"):
        causes.append("the answer begins with a byte-order mark (BOM): print UTF-8 without one")
    if "\r" in text and _refusal(game, seat, text.replace("\r", "")) != _refusal(game, seat, text):
        causes.append("the answer contains a carriage return: end lines with a line feed only, not with CRLF")
    lines = text.splitlines()[:_MOST_LINES]
    if len(lines) > 1:
        causes.append(f"the answer has {len(lines)} lines{_legal_line(game, seat, lines)}: print only the move on standard "
                      "output, and debug text on standard error")  # fmt: skip
    elif end := _legal_end(game, seat, text):
        causes.append(f"the answer ends with {quoted(end)}, which alone would be a legal move: debug text, and the prompt of a "
                      "function such as Python's input(…), must not go to standard output")  # fmt: skip
    return [*causes, *_in_surplus(game, seat, surplus)]


def _in_surplus(game: Game, seat: int, surplus: str) -> list[str]:
    """Return what the output after a refused one-line answer reveals; nothing if there is none."""
    lines = [line.strip() for line in surplus.splitlines()[:_MOST_LINES] if line.strip()]
    if not lines:
        return []
    legal = next((line for line in lines if _refusal(game, seat, line) is None), None)
    seen = f"a later line, {quoted(legal)}, would be a legal move" if legal else f"it went on with {quoted(lines[0])}"
    return [f"the first line it printed was taken for the answer, and {seen}: print only the move on standard output, and "
            "debug text on standard error"]  # fmt: skip


def _legal_line(game: Game, seat: int, lines: Sequence[str]) -> str:
    for number, line in enumerate(lines, 1):
        if _refusal(game, seat, line) is None:
            return f", of which line {number} alone would be a legal move"
    return ""


def _legal_end(game: Game, seat: int, text: str) -> str:
    """Return the end of a line that alone would be legal, if the words before it contain a letter."""
    words = text.split()
    for start in range(1, min(len(words), _MOST_WORDS)):
        end = " ".join(words[start:])
        if any(letter.isalpha() for letter in words[start - 1]) and _refusal(game, seat, end) is None:
            return end
    return ""


def _refusal(game: Game, seat: int, text: str) -> str | None:
    """Return why the rules refuse an answer; None if it is legal."""
    try:
        game.read(seat, text)
    except IllegalMove as refused:
        return refused.reason
    return None

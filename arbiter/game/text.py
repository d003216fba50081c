"""Text for people: terminal styles, and values quoted in messages."""

from __future__ import annotations

_CODES = {
    "bold": "1", "dim": "2", "reverse": "7", "black": "30", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36", "white": "37", "grey": "90",
}  # fmt: skip
_LONGEST_QUOTED = 40


def paint(text: str, *styles: str) -> str:
    """Return the text in terminal styles, such as ``paint("gold", "yellow", "bold")``. The caller may strip them."""
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def quoted(value: object) -> str:
    """Quote a value, such as an agent's answer, for one line of a message: shortened, and in ASCII.

    Letters that only look like the expected ones are thus shown as escapes.
    """
    # One character more than is ever shown: a longer text is always cut, and ascii() never sees megabytes.
    shown = ascii(value[: _LONGEST_QUOTED + 1] if isinstance(value, str) else value)
    if len(shown) <= _LONGEST_QUOTED + 2:
        return shown
    return shown[:_LONGEST_QUOTED] + "…" + (shown[0] if isinstance(value, str) else "")

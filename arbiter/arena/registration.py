"""Lists of teams: one name per line, or a CSV table with the names in a column headed team or name, or else in the first.

A list without such a heading is a table if all its lines have as many cells; otherwise a comma is a part of a name.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from arbiter.arena.store import Store
from arbiter.errors import UserError
from arbiter.text import safe

MOST_TEAMS = 1000
_HEADINGS = ("team", "team name", "name", "teams", "équipe", "equipe", "nom")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Registered:
    """The outcome of registering a list of teams."""

    keys: dict[str, str]
    """The key of each new team, by its name."""
    known: list[str]
    """Names that were already registered."""
    refused: list[str]
    """Sentences about names that cannot be registered."""


def spreadsheet_text(data: bytes) -> str:
    """Decode a file that a spreadsheet program may have written."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def names_in(text: str) -> list[str]:
    """Return the names in a list, in order. Raises UserError if it is too long or not a table."""
    if "\0" in text:
        raise UserError("the list of teams must be text in UTF-8: a name per line, or a CSV table")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [
            row
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise UserError(f"the list of teams cannot be read: {error}") from None
    column = 0
    if rows and (headed := [at for at, cell in enumerate(rows[0]) if cell.strip().casefold() in _HEADINGS]):
        column, rows = headed[0], rows[1:]
    elif len(rows) < 2 or len({len(row) for row in rows}) > 1:
        rows = [[line] for line in text.splitlines() if line.strip()]
    if len(rows) > MOST_TEAMS:
        raise UserError(f"the list has {len(rows)} teams; at most {MOST_TEAMS} are accepted")
    return [" ".join(row[column].split()) for row in rows if len(row) > column and row[column].strip()]


def register_all(store: Store, names: Sequence[str]) -> Registered:
    """Register the teams that are new."""
    done = Registered({}, [], [])
    known = {name.casefold() for name in store.teams()}
    for name in names:
        if name.casefold() in known:
            done.known.append(name)
            continue
        try:
            done.keys[name] = store.register(name)
            known.add(name.casefold())
        except UserError as error:
            done.refused.append(safe(str(error)))
    return done


def csv_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a CSV table in which a spreadsheet program takes no text for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_without_formula(cell) for cell in row] for row in rows])
    return text.getvalue()


def _without_formula(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell

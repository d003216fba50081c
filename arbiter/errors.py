"""The three ways to fail, kept apart.

An agent's fault is a value (:class:`arbiter.game.Fault`) and never an exception. A user's mistake is a
:class:`UserError`: one line, exit code 2. Anything else that is raised is a bug of ours: a traceback, exit
code 70.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

EXIT_DONE = 0
EXIT_FOUND = 1
"""The run found something: a record that does not verify, a check that fails."""
EXIT_USAGE = 2
EXIT_BUG = 70


class UserError(Exception):
    """Something the user can put right. The text quotes the offending value and says what to do."""


class FieldError(UserError):
    """A user's mistake in one field of an input; a reader of files turns ``path`` into a line number."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path
        """Keys and indices from the outermost field inwards, such as ``("limits", "move")``."""


@contextlib.contextmanager
def field(*path: str | int) -> Iterator[None]:
    """Raise a UserError from inside the block as a FieldError about ``path``, unless it already names a field."""
    try:
        yield
    except FieldError:
        raise
    except UserError as error:
        raise FieldError(str(error), *path) from None

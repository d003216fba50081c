"""The three ways to fail, kept apart.

An agent's fault is a value (:class:`arbiter.game.Fault`) and never an exception. A user's mistake is a
:class:`UserError`: one line, exit code 2. Anything else that is raised is a bug of ours: a traceback, exit
code 70.
"""

from __future__ import annotations

EXIT_DONE = 0
EXIT_FOUND = 1
"""The run found something: a record that does not verify, a check that fails."""
EXIT_USAGE = 2
EXIT_BUG = 70


class UserError(Exception):
    """Something the user can put right. The text quotes the offending value and says what to do."""

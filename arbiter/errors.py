"""The three ways to fail, and the wording of the one that users see.

An agent's fault is a value (:class:`arbiter.game.Fault`), never an exception. A user's mistake is a :class:`UserError`:
one line and exit status 2. Any other exception is a bug in the arbiter: a traceback and exit status 70.

The functions below word a bad value the same way wherever it was given. They return the error for the caller to raise.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import stat
import sys
from collections.abc import Iterable, Iterator
from typing import Self

EXIT_DONE = 0
EXIT_FOUND = 1
"""The run found something: a record that does not verify, a check that fails."""
EXIT_USAGE = 2
EXIT_BUG = 70

_PACKAGES = {"PIL": "pillow", "pyspiel": "open_spiel", "resvg_py": "resvg-py", "yaml": "pyyaml"}
"""Packages that are not named as the module they install."""
_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a mapping of names to values",
}


class UserError(Exception):
    """A mistake the user can correct. The text quotes the offending value and says what to do.

    It may quote untrusted text (file names, agent.yaml, compiler output), so control characters are escaped here, once for
    all places that print it.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text if text.isprintable() else "".join(map(_shown, text)))
        self._file = ""

    def in_file(self, file: object) -> Self:
        """Name the file with the mistake, unless the text already names one; return the error itself."""
        self._file = self._file or str(file)
        return self

    def located(self) -> str:
        """The text, preceded by the file if the text does not name it."""
        if not self._file or str(self).startswith(self._file):
            return str(self)
        return f"{''.join(map(_shown, self._file))}: {self}"


class FieldError(UserError):
    """A user's mistake in one field of an input; a reader of files turns ``path`` into a line number."""

    def __init__(self, error: UserError | str, *path: str | int) -> None:
        super().__init__(str(error))
        self.path = path
        """Keys and indices from the outermost field inwards, such as ``("limits", "move")``."""


class LocatedError(UserError):
    """A user's mistake whose message names the file, and the line where that is known."""


@contextlib.contextmanager
def in_field(*path: str | int) -> Iterator[None]:
    """Raise a UserError from inside the block as a FieldError about ``path``, unless it already names a field."""
    try:
        yield
    except FieldError:
        raise
    except UserError as error:
        raise FieldError(error, *path) from None


def unknown(what: str, name: object, known: Iterable[str], *, where: str = "", otherwise: str = "") -> UserError:
    """Return the error for a name that is not among the known ones: ``unknown clock 'x'; choose from fair, wall, cpu``.

    If a known name is similar, it is suggested instead of the list. ``otherwise`` adds another possibility to the list.
    """
    names = list(known)
    choices = [*names, f"or give {otherwise}"] if otherwise else names
    if close := nearest(str(name), names):
        advice = f"did you mean {close!r}?"
    else:
        advice = f"choose from {', '.join(choices)}" if choices else "none are defined"
    return UserError(f"{where}{': ' if where else ''}unknown {what} {name!r}; {advice}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to a misspelt one, or None if no name is similar."""
    import difflib  # here, since it would slow down the start of every command

    return next(iter(difflib.get_close_matches(name, list(known), 1)), None)


def wrong_value(what: str, value: object, wanted: str) -> UserError:
    """Return the error for an invalid value: ``time factor -1: must be a number above 0, such as 3``."""
    if value is None:
        return UserError(f"{what} has no value: must be {wanted}")
    whole = isinstance(value, float) and value.is_integer()
    return UserError(f"{what} {f'{value:g}' if whole else repr(value)}: must be {wanted}")


def wrong_type(what: str, value: object, types: Iterable[type]) -> UserError:
    """Return the error for a value of the wrong type: ``seats True: must be a whole number``."""
    return wrong_value(what, value, " or ".join(describe_type(kind) for kind in types))


def out_of_range(what: str, value: object, least: float, most: float | None = None, kind: type = int) -> UserError:
    """Return the error for a number outside its range: ``games -2: must be a whole number, at least 1``."""
    if most is None:
        return wrong_value(what, value, f"{describe_type(kind)}, at least {_number(least)}")
    span = f"{describe_type(kind)} from {_number(least)} to {_number(most)}" if least < most else _number(least)
    return wrong_value(what, value, span)


def _number(value: float) -> str:
    return str(int(value)) if abs(value) < 1e16 and value == int(value) else f"{value:g}"


def not_installed(what: str, *modules: str) -> str:
    """Return ``a GIF needs pillow: /usr/bin/python3 -m pip install pillow`` if modules are missing; empty if all are there."""
    from importlib.util import find_spec

    missing = [_PACKAGES.get(name, name) for name in modules if find_spec(name) is None]
    return f"{what} needs {' and '.join(missing)}: {install_command(*missing)}" if missing else ""


def missing_dependency(error: BaseException) -> UserError | None:
    """Return the one line about an import that failed for want of a package; None for any other error."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    module = error.name.partition(".")[0]
    ours = module == "arbiter" or module in sys.stdlib_module_names
    return None if ours else UserError(not_installed("arbiter", module) or str(error))


def install_command(*packages: str) -> str:
    """Return the command that installs packages for the Python that runs the arbiter, quoted for a shell."""
    from importlib.util import find_spec

    python = shlex.quote(sys.executable)
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return " ".join([pip, *packages])


def not_a_file(path: object, mode: int) -> UserError:
    """Return the error for something else where a file is expected: ``x.yaml is not a file but a named pipe``."""
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    return UserError(f"{path} is not a file but {kinds.get(stat.S_IFMT(mode), 'a device')}")


def cannot(what: str, error: OSError) -> UserError:
    """Return the error for something that the system refused: ``cannot pack games: games/x: No space left on device``."""
    about = f"{error.filename}: " if error.filename else ""
    # Not its own text: that of pyarrow is two sentences with the number of the error.
    return UserError(f"cannot {what}: {about}{os.strerror(error.errno) if error.errno else error}")


def _shown(letter: str) -> str:
    return letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1]


def describe_type(kind: type) -> str:
    """Return the name of a type in a message: ``a whole number``."""
    return _TYPES[kind]

"""The saved games of the tests of commands."""

from tests.cli.conftest import shelf

__all__ = ["shelf"]

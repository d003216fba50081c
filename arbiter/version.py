"""The version of the arbiter and of its package."""

__version__ = "0.1.0"

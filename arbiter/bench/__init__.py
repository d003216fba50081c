"""Measuring: what this machine and the arbiter on it add to games. ``arbiter bench`` shows it; ``make bench`` builds on it."""

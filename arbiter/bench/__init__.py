"""Measurements of this machine and of the arbiter's overhead. ``arbiter bench`` shows them; ``make bench`` builds on them."""

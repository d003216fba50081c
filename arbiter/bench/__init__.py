"""Measurements of this machine and of the arbiter's overhead. ``arbiter doctor --bench`` shows them; ``make bench`` builds on them."""

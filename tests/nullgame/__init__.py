"""Two games with hardly any rules, agents for them, and helpers for tests of the arbiter itself."""

"""Agents that attack the arbiter, their opponent and the machine, and the result at every level of the sandbox."""

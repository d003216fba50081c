"""Programs that attack the arbiter, their opponent and the machine, and what comes of it at every level."""

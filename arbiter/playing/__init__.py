"""From settings and agents to finished games: a plan, the games of a series, and the turn loop of each."""

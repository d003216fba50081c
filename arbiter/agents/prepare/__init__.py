"""From what the user typed to a command that runs: find the agent, build it, and say how to start it."""

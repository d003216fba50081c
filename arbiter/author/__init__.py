"""Tools for the authors of agents: asking an agent again, checking it, and finding out why it lost."""

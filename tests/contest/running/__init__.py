"""Contests that are really run: worker processes, records, resuming."""

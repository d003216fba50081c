"""Search saved games: :func:`arbiter.records.archive.search.search` answers a query about a folder and its subfolders."""

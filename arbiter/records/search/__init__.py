"""Search saved games: :func:`arbiter.records.search.folder.search` answers a query about a folder and its subfolders."""

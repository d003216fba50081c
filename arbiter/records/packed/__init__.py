"""Packed games: the finished records of a folder as rows of Parquet files beside them. docs/archive.md describes the
columns.

Everything here needs the libraries of the extra ``archive`` and is imported only where a folder has such a file.
"""

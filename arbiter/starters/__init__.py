"""Starters: small agents that can play at once, generated in any language for any protocol that describes its wire format.

description.py    the wire format as values: structures and fields
wire_file.py      reads a description from the wire.yaml in a protocol's folder
python_subset.py  translates the function that chooses an answer from a subset of Python to a syntax tree
nodes.py          the nodes of that syntax tree
languages/        one file per language, which writes structures, readers, expressions and statements
files/            a small JSON reader for each language that has none
project.py        the files of a starter: program, agent.yaml, README.md
"""

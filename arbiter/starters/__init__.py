"""Starters: small agents that play at once, generated for any protocol that describes its wire format, in any language.

description.py   what an agent reads, as values: structures, fields, and how the game is put together from them
wire_file.py     reads a description from the wire.yaml in a protocol's folder
thinking.py      how the answer is chosen, written in a subset of Python: from its text to typed nodes
nodes.py         those nodes
languages/       one file per language: how structures, readers, expressions and statements are written in it
files/           a small JSON reader for each language that has none
project.py       the files of a starter: program, agent.yaml, README.md
"""

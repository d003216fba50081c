"""JSON: the whole report, for programs."""

from __future__ import annotations

import json as standard

import msgspec

from arbiter.contest.report import Report


def json(report: Report) -> str:
    """Return the report as one JSON document."""
    try:
        return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"
    except UnicodeEncodeError:  # the path of a record is not UTF-8; escaped, it survives
        return standard.dumps(msgspec.to_builtins(report, str_keys=True), indent=2) + "\n"

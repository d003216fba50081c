"""The result of a contest: one typed document with everything that is shown of it (see :mod:`arbiter.contest.formats`)."""

from arbiter.contest.report.build import build_report
from arbiter.contest.report.document import Report

__all__ = ["Report", "build_report"]

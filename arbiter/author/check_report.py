"""The result of ``arbiter check``, as typed data and as JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from xml.etree import ElementTree as ET

import msgspec

Status = Literal["ok", "warning", "failed", "left out"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with an agent."""

    where: str
    """Which question: the position or the game, the turn and the seat."""
    problem: str
    said: str = ""
    """What the agent answered."""
    causes: tuple[str, ...] = ()
    """What is known about the cause."""
    input: str = ""
    """The file with the exact input of the agent."""
    reproduce: str = ""
    """What to type to see it again."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One property that an agent should have, and whether it has it."""

    name: str
    lifetime: str
    status: Status
    summary: str
    findings: tuple[Finding, ...] = ()


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """What answers were charged, in microseconds, and the limit."""

    answers: int
    p50_us: int
    p99_us: int
    max_us: int
    limit_us: int


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found out about an agent."""

    protocol: str
    agent: str
    checks: tuple[Check, ...]
    times: dict[str, Times]
    """By lifetime."""
    memory: dict[str, int]
    """Peak memory in bytes by lifetime, where known."""
    folder: str = ""
    """The folder with inputs and saved games of what went wrong; empty if there is none."""
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing failed; warnings do not count."""
        return all(check.status != "failed" for check in self.checks)


def percentile(values: Sequence[int], share: float) -> int:
    """Return the value that this share of all values does not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def junit(report: CheckReport) -> bytes:
    """Return the report in the XML format that most CI servers read."""
    failed = sum(check.status == "failed" for check in report.checks)
    skipped = sum(check.status == "left out" for check in report.checks)
    counts = {"tests": str(len(report.checks)), "failures": str(failed), "skipped": str(skipped), "errors": "0"}
    suite = ET.Element("testsuite", {"name": f"arbiter check {report.protocol} {_xml(report.agent)}", **counts})
    for check in report.checks:
        case = ET.SubElement(
            suite, "testcase", {"classname": f"{report.protocol}.{check.lifetime}", "name": check.name}
        )
        if check.status == "failed":
            ET.SubElement(case, "failure", {"message": _xml(check.summary)}).text = _xml(in_words(check.findings))
        elif check.status == "left out":
            ET.SubElement(case, "skipped", {"message": _xml(check.summary)})
        else:
            ET.SubElement(case, "system-out").text = _xml("\n".join([check.summary, in_words(check.findings)]))
    data: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return data


def in_words(findings: Sequence[Finding]) -> str:
    """Return findings as plain text."""
    lines = []
    for finding in findings:
        lines.append(f"{finding.where}: {finding.problem}")
        lines += [f"  answered  {finding.said}"] if finding.said else []
        lines += [f"  cause     {cause}" for cause in finding.causes]
        lines += [f"  input     {finding.input}"] if finding.input else []
        lines += [f"  try       {finding.reproduce}"] if finding.reproduce else []
    return "\n".join(lines)


def _xml(text: str) -> str:
    """Replace what XML 1.0 cannot hold, which agents may print."""
    return "".join(letter if letter in "\t\n" or letter.isprintable() else "�" for letter in text)

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
    stderr: str = ""
    """The end of the agent's standard error."""
    input: str = ""
    """The file with the exact input of the agent, or the saved game."""
    reproduce: str = ""
    """What to type to see it again, in the same sandbox and under the same limits."""
    outside: str = ""
    """What to type to run the program on this input without the arbiter; empty for a game."""
    more: int = 0
    """How often else the same was found in this check."""


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """One property that an agent should have, and whether it has it."""

    name: str
    lifetime: str
    status: Status
    summary: str
    findings: tuple[Finding, ...] = ()


class ChargeStats(msgspec.Struct, frozen=True, kw_only=True):
    """What answers were charged, in microseconds, and the limit."""

    answers: int
    p50_us: int
    p99_us: int
    max_us: int
    limit_us: int
    first_us: int = 0
    """The longest first answer of a process; 0 if the agent is started for each move."""
    first_limit_us: int = 0


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """Memory in use during the longest game, in bytes."""

    answers: int
    early_bytes: int
    """The median of the first quarter of its answers."""
    late_bytes: int
    """The median of the last quarter."""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found out about an agent."""

    protocol: str
    agent: str
    checks: tuple[CheckResult, ...]
    times: dict[str, ChargeStats]
    """By lifetime."""
    memory: dict[str, int]
    """Peak memory in bytes by lifetime, where known."""
    growth: dict[str, Growth] = {}
    """By lifetime, of long-lived agents."""
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
            ET.SubElement(case, "failure", {"message": _xml(check.summary)}).text = _xml(finding_text(check.findings))
        elif check.status == "left out":
            ET.SubElement(case, "skipped", {"message": _xml(check.summary)})
        else:
            ET.SubElement(case, "system-out").text = _xml("\n".join([check.summary, finding_text(check.findings)]))
    data: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return data


def finding_text(findings: Sequence[Finding]) -> str:
    """Return findings as plain text."""
    return "\n".join(
        f"{label:<10}{line}" for finding in findings for label, text in rows(finding) for line in text.splitlines()
    )


def rows(finding: Finding) -> list[tuple[str, str]]:
    """Return what is known about a finding, each with its label; what is not known is left out."""
    again = f", and {finding.more} times more" if finding.more > 1 else ", and once more" if finding.more else ""
    every = [
        ("where", finding.where + again),
        ("problem", finding.problem),
        ("answer", finding.said),
        *(("cause", cause) for cause in finding.causes),
        ("stderr", finding.stderr),
        ("input", finding.input),
        ("try", finding.reproduce),
        ("or", finding.outside),
    ]
    return [(label, text) for label, text in every if text]


def _xml(text: str) -> str:
    """Replace what XML 1.0 cannot hold, which agents may print."""
    return "".join(letter if letter in "\t\n" or letter.isprintable() else "�" for letter in text)

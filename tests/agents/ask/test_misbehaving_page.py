"""The page of the misbehaving agents says what the tests have seen."""

from __future__ import annotations

from .expected import CASES, in_words
from .harness import AGENTS

PAGE = AGENTS / "README.md"


def rows() -> dict[str, list[str]]:
    """The cells of the table by the file of the agent."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert all(len(row) == 5 for row in cells)
    assert len({row[0] for row in cells}) == len(cells)
    return {row[0].strip("`"): row[1:] for row in cells}


def test_the_page_lists_every_agent_of_the_folder_in_the_order_of_the_tests() -> None:
    assert list(rows()) == [case.agent for case in CASES]
    assert sorted(rows()) == sorted(path.name for path in AGENTS.iterdir() if path != PAGE)


def test_the_page_names_the_outcomes_of_the_tests() -> None:
    told = {agent: (move, game) for agent, (_, move, game, _) in rows().items()}
    assert told == {case.agent: (in_words(case.move.turns), in_words(case.game.turns)) for case in CASES}


def test_every_agent_says_in_its_first_line_what_it_does() -> None:
    for case in CASES:
        first = (AGENTS / case.agent).read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith(("// ", "# ")), case.agent
        assert not first.startswith("#!"), case.agent

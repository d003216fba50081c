"""The documents of ``--json`` that belong to a command alone, as types; the reference in the documentation is made from them.

Reports that Python programs get as well have their types where they are made.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arbiter.author.why_contest import AgentStory
from arbiter.cli.named_agents import NamedAgent
from arbiter.contest.statistics.versions import VersionRating
from arbiter.game import Json
from arbiter.records.format import AnswerLine, Header, ResultLine
from arbiter.records.search.kibitz import Remark
from arbiter.records.stats.document import TableStats
from arbiter.records.stderr_log import StderrLine
from arbiter.records.summary import GameSummary


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What a command prints with ``--json``."""


class Machine(Document, frozen=True, kw_only=True):
    """What this machine supports."""

    arbiter: str
    python: str
    machine: dict[str, Any]
    """Facts such as the number of cores and the memory."""
    kernel: dict[str, bool]
    """Features of the kernel that the arbiter uses."""
    clocks: dict[str, str]
    limits: dict[str, int | str]
    """Hard resource limits of this user."""
    sandbox: dict[str, bool | str]
    """By level: true, or why it does not work here."""
    guarantees: dict[str, dict[str, str]]
    """By name, what each sandbox level enforces."""
    promises: dict[str, str]
    """What each guarantee means."""
    mechanisms: dict[str, str]
    """What enforces each guarantee."""
    languages: dict[str, str]
    """By name: the versions of its tools, or which are missing."""
    workspace: dict[str, str | None]
    """The arbiter.toml in use, and the folders for games, for compiled agents, and of the documentation."""


class ExplainedLimit(Document, frozen=True, kw_only=True, rename={"where": "from"}):
    """A limit, and where it comes from."""

    value: str
    where: str
    instead_of: list[str]
    """What it overrides."""


class ExplainedAgent(Document, frozen=True, kw_only=True):
    """How an agent would be run."""

    name: str
    command: list[str]
    folder: str
    language: str
    lifetime: str
    limits: dict[str, ExplainedLimit]
    """By name."""


class Explanation(Document, frozen=True, kw_only=True):
    """How games would be played; of ``arbiter play --explain``."""

    protocol: str
    options: dict[str, bool | int | float | str]
    clock: str
    save: str
    """The folder for the records."""
    agents: list[ExplainedAgent]
    ponder: bool
    sandbox: str
    """The level."""
    enforced: dict[str, str]
    """What is enforced on this machine, by name of the guarantee."""


class ListedGame(GameSummary, frozen=True, kw_only=True):
    """A saved game that was found."""

    kibitz: list[Remark] | msgspec.UnsetType = msgspec.UNSET
    """With ``--kibitz``: the lines that match."""


class DamagedFile(Document, frozen=True, kw_only=True):
    """A file that is not a saved game or an archive, or not a whole one."""

    path: str
    problem: str


class Games(Document, frozen=True, kw_only=True):
    """The saved games that match."""

    folder: str
    searched: int
    found: int
    games: list[ListedGame]
    """Those found, up to ``--games``."""
    damaged: list[DamagedFile]


class Packed(Document, frozen=True, kw_only=True):
    """What was packed."""

    games: int
    bytes_before: int
    bytes_after: int
    unfinished: int
    """Games that stay as they are, because they have not ended."""
    kept: list[str]
    """What else stays as it is, each with the reason."""


class PackedSizes(Document, frozen=True, kw_only=True):
    """The sizes of archives; of ``arbiter archive pack --sizes``."""

    games: int
    bytes: int
    columns: dict[str, int]
    """Compressed bytes by column."""


class Unpacked(Document, frozen=True, kw_only=True):
    """What was unpacked."""

    games: int
    kept: list[str]
    """Archives that stay as they are, each with the reason."""


class ProtocolOption(Document, frozen=True, kw_only=True):
    """An option of a protocol."""

    name: str
    default: bool | int | float | str
    help: str
    choices: list[bool | int | float | str]
    minimum: float | None
    maximum: float | None


class ProtocolFacts(Document, frozen=True, kw_only=True):
    """A protocol; without a name, ``arbiter protocols`` prints a list of these."""

    name: str
    title: str
    summary: str
    version: int
    seats: list[int]
    """The fewest and the most."""
    lifetime: str
    limits: dict[str, str]
    on_fault: str
    """What happens after a fault."""
    options: list[ProtocolOption]
    agents: list[NamedAgent]
    """Those that have names here."""
    page: str | None
    """The guide for agent authors."""


class PrunedGames(Document, frozen=True, kw_only=True):
    """What was dropped from games of one kind."""

    matching: int
    games: int
    """Of these, how many have something to drop."""
    bytes: int
    freed_bytes: int


class PruneResult(Document, frozen=True, kw_only=True):
    """What was dropped, or would be."""

    done: bool
    """False without ``--yes``: nothing was dropped yet."""
    parts: list[str]
    kept: list[str]
    """What stays as it is, each with the reason."""
    files: PrunedGames
    packed: PrunedGames


class ShownGame(Document, frozen=True, kw_only=True):
    """A saved game with its positions."""

    header: Header
    answers: list[AnswerLine]
    views: list[Json]
    """The position before each turn and at the end, as the protocol describes it to viewers."""
    result: ResultLine | None


class ShownStderr(Document, frozen=True, kw_only=True):
    """What the agents of a game printed on standard error; of ``arbiter show --stderr-log``."""

    record: str
    stderr: list[StderrLine]


class Statistics(Document, frozen=True, kw_only=True):
    """Statistics of the games that match."""

    folder: str
    games: int
    annulled: int
    tables: list[TableStats]
    """One for each protocol and number of seats."""
    versions: list[VersionRating]
    games_without_rating: int
    damaged: list[DamagedFile]
    """Archives that could not be read, whose games are left out."""


class Losses(Document, frozen=True, kw_only=True):
    """Where agents lose; of a folder. Of one game, ``arbiter why`` prints a GameStory."""

    agents: list[AgentStory]
    unreadable: list[str]

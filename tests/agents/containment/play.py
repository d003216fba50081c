"""Plays rows of the tables as the current user, and prints what was observed of each as a line of JSON.

    python -m tests.agents.containment.play FOLDER 26-writes_outside:namespace 26-writes_outside:none
    echo 26-writes_outside:namespace | python -m tests.agents.containment.play FOLDER

It works in that folder, and forks at once: the parent adopts whatever outlives the arbiter, so that its children are
exactly the processes that escaped.
"""

from __future__ import annotations

import inspect
import json
import os
import secrets
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arbiter import UserError, play
from arbiter.agents.launch import supervisor
from arbiter.config.workspace import Workspace
from arbiter.game import Game
from arbiter.playing.report import PlayReport
from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.reader import Record, load_record

from . import around, legitimate, rows, seating
from .rows import NOTHING, PLAYED, ROUNDS, Row

BY_NAME: Mapping[str, Row] = {row.name: row for row in (*rows.ROWS, *legitimate.ROWS)}
COUNTED_US = 60_000
"""Half of the CPU time per turn of the agent that hides its work."""
REPORT = "tried: "


class Observed(msgspec.Struct, kw_only=True):
    """What was observed of a row at a level."""

    refused: str = ""
    """Why it could not be played."""
    raised: str = ""
    """The traceback if the arbiter raised an exception, which it never should."""
    sandbox: str = ""
    """The level in the record."""
    enforced: dict[str, str] = {}
    verdicts: list[str] = []
    """The guest's verdict for each answer."""
    faults: list[FaultInfo] = []
    saw: dict[str, str] = {}
    after: dict[str, str] = {}


def play_at(level: str, protocol: str, agents: Sequence[str], *, ponder: bool = True, **settings: Any) -> PlayReport:
    """Call ``arbiter.play`` at exactly this level of the sandbox."""
    known = inspect.signature(play).parameters
    # A level without the prefix means at least that.
    asked: dict[str, Any] = {"sandbox": f"only:{level}"} if "sandbox" in known else {}
    if not asked and level != "none":
        raise UserError("this arbiter has no sandbox")
    if not ponder:
        if "ponder" not in known:
            raise UserError("this arbiter cannot forbid pondering")
        asked["ponder"] = False
    return play(protocol, agents, **asked, **settings)


class Player:
    """Plays one row after another, with a victim to attack and accomplices to talk to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home, self.temporary = Path(os.environ["HOME"]), Path(os.environ["TMPDIR"])
        self.victim, self.accomplices = around.Victim(), around.Accomplices(folder)
        # Agents must not inherit it, although it is inheritable.
        self.leaked = os.open(around.write(folder / "leaked", "secret"), os.O_RDONLY)
        os.set_inheritable(self.leaked, True)
        self.old = self._old_game()

    def _old_game(self) -> bytes:
        grounds = around.Grounds(self.folder / "old")
        host = grounds.bring(seating.SOURCES["agents"] / "host.sh", grounds.host)
        workspace = seating.workspace(grounds, host, host)
        report = play_at("none", "count_up", [str(host)], save=grounds.games, workspace=workspace)
        saved = Path(report.games[0].record).read_bytes()
        grounds.remove()
        return saved

    def close(self) -> None:
        """End the victim and the accomplices."""
        self.victim.end()
        self.accomplices.close()

    def play(self, row: Row, level: str) -> Observed:
        """Play one row at one level."""
        token = f"token-{secrets.token_hex(8)}"
        grounds = around.Grounds(self.folder / row.name, token, row.games_folder, row.together)
        grounds.old.write_bytes(self.old)
        key = secrets.randbelow(1 << 30) + 1
        try:
            guest, host = seating.guest(row, grounds, self.folder.parent), seating.host(row, grounds)
            workspace = seating.workspace(grounds, guest, host, row)
            program, before = around.contents(grounds.guest), self._look(grounds, key)
            report = self._game(row, level, grounds, workspace, key)
            after = self._look(grounds, key)
            after["program"] = "same" if around.contents(grounds.guest) == program else "changed"
            return self._judge(report, grounds, workspace, before, after)
        except UserError as error:
            return Observed(refused=str(error))
        except Exception:  # noqa: BLE001 - nothing that agents do may raise: the test reports it
            return Observed(raised=traceback.format_exc())
        finally:
            if self.victim.state() != "well":
                self.victim.end()
                self.victim = around.Victim()
            grounds.remove()

    def _game(self, row: Row, level: str, grounds: around.Grounds, workspace: Workspace, key: int) -> PlayReport:
        settings: dict[str, Any] = {
            "games": row.games, "lifetime": row.lifetime, "save": _relative(grounds.games) if row.by_other_paths else grounds.games, "workspace": workspace,
            "ponder": row.ponder,
        }  # fmt: skip
        if row.protocol == "splendor":
            # Alone: tests of the sample agents check that opponents are not affected.
            return play_at(level, "splendor", ["guest"], seed=5, options={"max_rounds": ROUNDS}, **settings)
        hints = self._hints(grounds, key)
        setup = around.write(grounds.folder / "setup.json", json.dumps({"start": 0, "first": 1, "hints": hints}))

        def watch(game: Game, _: AnswerLine) -> None:
            hints: dict[str, object] = getattr(game, "hints")  # noqa: B009 - only the hinted game has them
            if "host" not in hints:
                hints.update(seating.running_host(grounds), record=str(_records(grounds)[-1].absolute()))

        settings |= {"options": {"turns": row.turns}, "setup": setup, "watch": watch}
        return play_at(level, "count_up", ["guest", "host"], **settings)

    def _hints(self, grounds: around.Grounds, key: int) -> dict[str, object]:
        """Return everything useful for an attack."""
        return {
            "token": grounds.token,
            "key": key,
            "outside": str(grounds.outside),
            "home": str(self.home),
            "games": str(grounds.games),
            "old": str(grounds.old),
            "precious": str(grounds.precious),
            "database": str(grounds.database),
            "host_folder": str(grounds.host),
            "arbiter": os.getpid(),
            "victim": self.victim.pid,
            "tcp": self.accomplices.port("tcp"),
            "udp": self.accomplices.port("udp"),
            "abstract": self.accomplices.abstract,
            "socket": str(self.accomplices.path),
        }

    def _look(self, grounds: around.Grounds, key: int) -> dict[str, Any]:
        """Take a snapshot of what is compared before and after."""
        return {
            "processes": around.running_below([os.getpid(), os.getppid()]) - {os.getpid(), self.victim.pid},
            "open_files": around.open_files(),
            "temporary": set(self.temporary.iterdir()),
            "home": set(self.home.iterdir()),
            "outside": grounds.left_outside(),
            "shared": around.shared_litter(grounds.token),
            "sysv": around.sysv_litter(key),
            "heard": self.accomplices.heard(),
            "victim": self.victim.state(),
            "peak": around.peak_bytes(),
        }

    def _judge(
        self,
        report: PlayReport,
        grounds: around.Grounds,
        workspace: Workspace,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
    ) -> Observed:
        saved = [load_record(Path(game.record)) for game in report.games]
        guest, host = ([line for record in saved for line in _answers(record, name)] for name in ("guest", "host"))
        survivors = after["processes"] - before["processes"]
        found = {
            "survivors": ", ".join(map(around.command_of, survivors)),
            "open_files": ", ".join(after["open_files"] - before["open_files"]),
            "temporary": "litter" if after["temporary"] - before["temporary"] else "",
            "home": "litter" if after["home"] - before["home"] else "",
            "host": ", ".join(word for line in host for word in _complaints(line)),
            **{word: after[word] for word in ("outside", "shared", "sysv", "heard", "victim", "program")},
            "precious": grounds.precious_state(),
            "old": self._old_now(grounds, workspace),
            "records": _first_difference(around.check_record(record.path, workspace) for record in saved),
            "memory": "little" if after["peak"] - before["peak"] < around.MEMORY_BYTES else "much",
            "cpu": "counted" if guest[-1].cpu_us >= COUNTED_US else "hidden",
        }
        for pid in survivors:
            os.kill(pid, signal.SIGKILL)
        for path in after["home"] - before["home"]:
            path.unlink()
        return Observed(
            sandbox=getattr(saved[0].header, "sandbox", "none"),
            enforced=saved[0].header.enforced,
            verdicts=[line.fault.kind if line.fault else PLAYED for line in guest],
            faults=[line.fault for line in guest if line.fault],
            saw=_reports(saved),
            after={word: text or NOTHING for word, text in found.items()},
        )

    def _old_now(self, grounds: around.Grounds, workspace: Workspace) -> str:
        """Return the state of the game that was saved earlier."""
        moved = grounds.old.with_suffix(".mine")
        if not moved.exists() and grounds.old.read_bytes() == self.old:
            return "intact"
        if moved.exists():
            moved.rename(grounds.old)
        return "forged" if around.check_record(grounds.old, workspace) == "verified" else "forged, and it shows"


def _relative(path: Path) -> Path:
    return Path(os.path.relpath(path))


def _records(grounds: around.Grounds) -> list[Path]:
    """Return saved games of this case, the one that is being written last."""
    found = (path for path in grounds.games.glob("*.jsonl") if path != grounds.old and not path.is_symlink())
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def _answers(record: Record, name: str) -> Iterator[AnswerLine]:
    return (line for line in record.answers if record.header.seats[line.seat].name == name)


def _complaints(line: AnswerLine) -> Iterator[str]:
    if line.fault:
        yield f"{line.fault.kind}: {line.fault.detail}"
    yield from line.notes


def _reports(saved: Iterable[Record]) -> dict[str, str]:
    """Return what agents reported, by word; the last report of each."""
    reported: dict[str, str] = {}
    for record in saved:
        late = record.result.afterwards.values() if record.result else ()
        for kibitz in (*(line.kibitz for line in record.answers), *late):
            for text in kibitz:
                if text.startswith(REPORT):
                    word, _, outcome = text.removeprefix(REPORT).partition(" ")
                    reported[word] = outcome
    return reported


def _first_difference(words: Iterable[str]) -> str:
    return next((word for word in words if word != "verified"), "verified")


def main(folder: Path, cases: Iterable[str]) -> None:
    """Play these cases and print what was observed of each."""
    for name, value in {"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache"}.items():
        (folder / value).mkdir(parents=True, exist_ok=True)
        os.environ[name] = str(folder / value)
    player = Player(folder)
    try:
        for case in cases:
            name, _, level = case.strip().partition(":")
            observed = player.play(BY_NAME[name], level)
            sys.stdout.write(msgspec.json.encode(observed).decode() + "\n")
            sys.stdout.flush()
    finally:
        player.close()


def _adopt_escaped_processes() -> None:
    """Fork: the child goes on, the parent only waits for it and adopts orphans."""
    with supervisor.subreaper():
        child = os.fork()
        if child:
            os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)


if __name__ == "__main__":
    _adopt_escaped_processes()
    main(Path(sys.argv[1]).resolve(), sys.argv[2:] or sys.stdin)

"""A folder to play in: the two null games by name, and agents written into it."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

ADDS = "read -r seat\nread -r state\necho {}\n"
"""A shell agent of one move of Count up."""
BIDS = "read -r seat\nwhile read -r state; do case $state in prize*) echo {};; esac; done\n"
"""A shell agent for a whole Auction."""


def arbiter_toml(folder: Path, more: str = "", root: Path = ROOT) -> Path:
    """Write an arbiter.toml that knows both games, which are below ``root``; ``more`` must stand after tables of its own. Agents
    run loose, in their folder, where tests can see what they leave; tests/agents/containment is about sandboxes."""
    place = root / "tests" / "nullgame"
    games = "".join(f'[protocols.{name}]\nfolder = "{place / name}"\n' for name in ("count_up", "auction"))
    file = folder / "arbiter.toml"
    file.write_text(f"sandbox = 'none'\n{games}{more}", encoding="utf-8")
    return file


def write(path: Path, text: str, *, executable: bool = False) -> Path:
    """Write a file with this text, and its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if executable:
        path.chmod(0o755)
    return path


def adder(folder: Path, name: str, number: object) -> str:
    """A shell agent that always adds this number (or says this text); returns its path."""
    return str(write(folder / f"{name}.sh", ADDS.format(number)))


def bidder(folder: Path, name: str, bid: object) -> str:
    """A shell agent that always bids this; returns its path."""
    return str(write(folder / f"{name}.sh", BIDS.format(bid)))

# Reads saved games, the record of this game and the opponent's program through links and by other paths.
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    here = Path(__file__).parent
    record = Path(hints["record"])
    attempt("old_by_link", (here / "link-to-games" / Path(hints["old"]).name).read_bytes)
    attempt("record_by_link", (here / "link-to-games" / record.name).read_bytes)
    attempt("record", record.read_bytes)
    attempt("precious_by_link", Path("link-to-outside", "precious").read_bytes)
    attempt("host_by_link", (here / "link-to-host" / "host.sh").read_bytes)
    attempt("host_by_root", Path("/proc/self/root", hints["host_folder"][1:], "host.sh").read_bytes)
    if here.resolve() == Path(hints["host_folder"]).resolve():
        attempt("host_by_alias", (here / "host.sh").read_bytes)


play(attack)

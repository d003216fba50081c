"""Runs the whole of ``make test`` in other circumstances: other users, paths, environments, Pythons and dependencies.

    make test-matrix                       all rows; takes hours
    make test-matrix ROWS="umask lowest"   some of them
    make test-matrix TESTS="tests/cli" JOBS=2   a part of the tests
    make test-matrix PYTHONS="/opt/python3.14/bin/python3.14 …"   interpreters that are not on the PATH

Each row is a fresh clone of the last commit, with an environment that has nothing but PATH, HOME and what the row adds. A row
that this machine cannot run is skipped and says why. Only the standard library is used: it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USER = "arbiter-matrix"
"""The ordinary user, created when root runs the matrix."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HIDDEN = re.compile(
    r"(.*-)?(c\+\+|cc|g\+\+|gcc|clang(\+\+)?)(-\d+)?|chrom.*|node(js)?|npm|npx|tsc|go|gofmt|rustc|cargo|java.*|mono.*|mcs|csc|dotnet"
    r"|gdb|gdc.*|ruby.*|php.*|lua.*|ghc.*|fpc.*|nim.*|ldc2|dmd|scala.*|groovy.*|clojure|kotlinc?|ocaml.*|R|Rscript|esbuild|tclsh.*"
    r"|cmake|meson|ninja|mvn|gradle|dune|cabal|curl|openssl|strace|bwrap"
)
"""Programs that a minimal machine lacks."""
RICH = (
    "ghc", "fp-compiler", "nim", "ldc", "maven", "node-typescript", "golang-go", "mono-mcs", "default-jdk-headless", "scala",
    "groovy", "clojure", "ruby", "php-cli", "lua5.4", "ocaml-nox", "tcl", "r-base-core", "cmake", "make", "cargo", "chromium", "gdb",
)  # fmt: skip
"""Packages of Debian that a rich machine has: those of the languages that ``arbiter doctor`` lists, build tools and a browser."""


class Skipped(Exception):
    """This machine cannot run a row; says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A circumstance: how it differs from root or the user of this process in a plain folder with a plain environment."""

    name: str
    ordinary: bool = False
    """Run as an ordinary user, also if root runs the matrix."""
    folder: str = "arbiter"
    home_mode: int = 0o755
    environment: dict[str, str | None] = field(default_factory=dict)
    """``{row}`` is the folder of the row; None removes a variable."""
    umask: int = 0o022
    command: tuple[str, ...] = ()
    python: str = ""
    """A version, such as 3.12; empty: what the Makefile chooses."""
    at_once: int = 1
    lowest: bool = False
    """Install the lowest versions of the dependencies that pyproject.toml allows."""
    minimal: bool = False
    rich: bool = False


ROWS = (
    Row("as-it-is"),  # the tools of this machine, and the newest dependencies
    Row("ordinary", ordinary=True),
    Row("private-home", ordinary=True, home_mode=0o700),
    Row("strange-path", ordinary=True, home_mode=0o700, folder="my bots ü"),
    Row("strange-path-root", folder="my bots ü"),
    Row("umask", ordinary=True, umask=0o077),
    Row("umask-root", umask=0o077),
    Row("lang-c", environment={"LANG": "C", "LC_ALL": "C"}),
    Row("lang-c-ordinary", ordinary=True, environment={"LANG": "C", "LC_ALL": "C"}),
    Row("time-zone", environment={"TZ": "Pacific/Chatham"}),
    Row("no-home", environment={"HOME": None}),
    Row("no-home-ordinary", ordinary=True, environment={"HOME": None}),
    Row("read-only-home", ordinary=True, environment={"HOME": "{row}/read-only"}),
    Row("tmpdir", environment={"TMPDIR": "{row}/other tmp"}),
    Row("tmpdir-ordinary", ordinary=True, environment={"TMPDIR": "{row}/other tmp"}),
    Row("python-variables", environment={"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}),
    Row("empty-environment", command=("env", "-i", f"PATH={PATH}")),
    Row("nice", command=("nice", "-n", "19")),
    Row("background", command=("setsid", "--wait", "sh", "-c", 'trap "" INT HUP; "$@" </dev/null & wait $!', "sh")),
    Row("two-at-once", at_once=2),
    Row("rich", rich=True),
    Row("minimal", minimal=True),
    Row("minimal-ordinary", ordinary=True, minimal=True),
    Row("lowest", lowest=True),
    *(Row(f"python{version}", python=version) for version in ("3.11", "3.12", "3.13", "3.14")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [row.name for row in ROWS]
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"default: all of {', '.join(names)}")
    parser.add_argument("--tests", default="", help="arguments for pytest, such as a folder")
    parser.add_argument("--jobs", default="", help="test processes at a time")
    parser.add_argument("--pythons", nargs="*", default=[], type=Path, help="interpreters that are not on the PATH")
    asked = parser.parse_args()
    if unknown := sorted(set(asked.rows) - set(names)):
        parser.error(f"unknown rows {', '.join(unknown)}; choose from {', '.join(names)}")
    scratch = Path(tempfile.mkdtemp(prefix="arbiter-matrix-"))
    scratch.chmod(0o755)
    print(f"logs: {scratch}/*.log", flush=True)
    test = ["test", f"TESTS={asked.tests}", *([f"JOBS={asked.jobs}"] if asked.jobs else [])]
    results = [_report(row, scratch, asked.pythons, test) for row in ROWS if not asked.rows or row.name in asked.rows]
    print(", ".join(f"{results.count(word)} {word}" for word in ("passed", "failed", "skipped")))
    sys.exit("failed" in results)


def _report(row: Row, scratch: Path, pythons: list[Path], test: list[str]) -> str:
    """Run a row and print a line about it. Return passed, failed or skipped."""
    started_s = time.monotonic()
    try:
        logs = _run(row, scratch, pythons, test)
    except Skipped as why:
        print(f"{row.name:20} skipped: {why}", flush=True)
        return "skipped"
    minutes, seconds = divmod(round(time.monotonic() - started_s), 60)
    passed = all(status == 0 for _, status in logs)
    ends = "; ".join(_last_line(log) for log, _ in logs)
    print(f"{row.name:20} {'passed' if passed else 'FAILED'}  {minutes}:{seconds:02} min  {ends}", flush=True)
    if passed:  # a virtual environment is large
        shutil.rmtree(scratch / row.name)
    return "passed" if passed else "failed"


def _last_line(log: Path) -> str:
    """Return the counts that pytest printed, and the reasons of skips."""
    text = log.read_text(encoding="utf-8", errors="replace")
    counts = re.findall(r"^.*\b\d+ (?:passed|failed|skipped|error)\b.* in .*$", text, re.MULTILINE)
    reasons = re.findall(r"^\d+ skipped: .*$", text, re.MULTILINE)
    return " | ".join([*counts[-1:], *reasons[-1:]]) or f"no tests run, see {log.name}"


def _run(row: Row, scratch: Path, pythons: list[Path], test: list[str]) -> list[tuple[Path, int]]:
    """Run make test in as many clones at once as the row says. Return the log and the exit status of each."""
    if row.rich and (lacking := _not_installed(RICH)):
        raise Skipped(f"apt-get install --no-install-recommends {' '.join(lacking)}")
    place = scratch / row.name
    place.mkdir(mode=0o755)
    user = _user(row)
    home = place / "home"
    for folder, mode in ((home, row.home_mode), (place / "other tmp", 0o700), (place / "read-only", 0o555)):
        folder.mkdir(mode=0o700)
        folder.chmod(mode)
    path = _minimal_path(place / "bin") if row.minimal else PATH
    environment: dict[str, str | None] = {"PATH": path, "HOME": str(home), **row.environment}
    clean = {name: value.format(row=place) for name, value in environment.items() if value is not None}
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []
    python = _python(row.python, pythons, as_user, clean)
    clones = [home / (row.folder + "2" * number) for number in range(row.at_once)]
    for clone in clones:
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    if user:
        shutil.chown(place / "other tmp", user)
        subprocess.run(["chown", "-R", user, home], check=True)
    run = [*as_user, *row.command, "make", f"PYTHON={python}"]
    install = clean | _settings_of_pip() | ({"PIP_CONSTRAINT": str(_lower_bounds(place))} if row.lowest else {})
    started = []
    for number, clone in enumerate(clones):
        log = scratch / f"{row.name}{number or ''}.log"
        file = log.open("wb")
        # What is installed comes from where this machine's pip finds it; the tests see nothing of that.
        made = subprocess.run([*as_user, "make", f"PYTHON={python}", "dev"], cwd=clone, env=install, stdout=file, stderr=file, umask=row.umask, check=False)  # fmt: skip
        command = [*run, *test] if made.returncode == 0 else ["false"]
        started.append(
            (log, subprocess.Popen(command, cwd=clone, env=clean, stdout=file, stderr=file, umask=row.umask))
        )
        file.close()
    return [(log, process.wait()) for log, process in started]


def _not_installed(packages: tuple[str, ...]) -> list[str]:
    """Return the packages of the distribution that are not installed."""
    if not shutil.which("dpkg-query"):
        raise Skipped("not a distribution with Debian's packages")
    command = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *packages]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [package for package in packages if f"{package} installed" not in listed]


def _user(row: Row) -> str:
    """Return the user to become, or an empty string for that of this process."""
    if os.geteuid():
        if not row.ordinary and any(other.name.startswith(row.name) and other.ordinary for other in ROWS):
            raise Skipped("needs root; an ordinary user has a row of its own")
        return ""
    if not row.ordinary:
        return ""
    if not shutil.which("setpriv"):
        raise Skipped("setpriv is not installed")
    try:
        pwd.getpwnam(USER)
    except KeyError:
        subprocess.run(["useradd", "--no-create-home", USER], check=True)
    return USER


def _python(version: str, pythons: list[Path], as_user: list[str], environment: dict[str, str]) -> str:
    """Return an interpreter that the user of the row can run and make a virtual environment with."""
    versions = [version] if version else ["3.13", "3.12", "3.11", "3"]
    found = [shutil.which(f"python{each}", path=path) for each in versions for path in (PATH, os.environ["PATH"])]
    check = "import ensurepip, sys, venv; v = sys.version_info; print(sys.base_prefix, '%d.%d' % v[:2]); sys.exit(v < (3, 11))"
    for candidate in [*pythons, *filter(None, found), sys.executable]:
        command = [*as_user, str(candidate), "-c", check]
        ran = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)
        prefix, _, running = ran.stdout.strip().rpartition(" ")
        if ran.returncode == 0 and running.startswith(version):
            return f"{prefix}/bin/python{running}"
    raise Skipped(f"no Python {version or '3.11 or later'} with venv that this user can run")


def _minimal_path(folder: Path) -> str:
    """Fill a folder with links to the programs of this machine, but for compilers, browsers and the like."""
    folder.mkdir()
    for name in reversed(PATH.split(":")):
        for program in Path(name).iterdir() if Path(name).is_dir() else ():
            if not HIDDEN.fullmatch(program.name):
                (folder / program.name).unlink(missing_ok=True)
                (folder / program.name).symlink_to(program)
    return str(folder)


def _settings_of_pip() -> dict[str, str]:
    """Return the settings of pip for this user as variables: another user has none."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    found = re.findall(r"^(?:global|install|:env:)\.([\w-]+)='(.*)'$", listed.stdout, re.MULTILINE)
    return {f"PIP_{key.upper().replace('-', '_')}": value.replace(r"\n", " ") for key, value in found}


def _lower_bounds(place: Path) -> Path:
    """Write the lower bounds of pyproject.toml as constraints for pip."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    bounds = {match.group(1): match.group(2) for each in wanted if (match := re.match(r"([\w.-]+)>=([\w.]+)", each))}
    file = place / "lowest.txt"
    file.write_text("".join(f"{name}=={version}\n" for name, version in sorted(bounds.items())))
    return file


if __name__ == "__main__":
    main()

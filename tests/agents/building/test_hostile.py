"""Builds that attack: what they want to read, reach or leave behind, at every level that contains builds, for both users."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

import pytest

from tests.agents.ask.harness import wait_readable
from tests.agents.containment.users import User
from tests.nullgame.place import write
from tests.tools import missing, need_tool

pytestmark = pytest.mark.slow

HOLDING = [("landlock", "root"), ("landlock", "ordinary"), ("namespace", "ordinary"), ("cgroup", "root")]
"""Each user with and without a file system of its own. For root, cgroups add limits to what namespaces do."""
BOXED = ("namespace", "cgroup")
TOKEN = f"SECRET-{secrets.token_hex(8)}"
SPIES = """
exec > loot 2>&1
cat /etc/shadow ${secret} ${games}/game.jsonl ${rival}
cat ${folder}/secret.txt ${folder}/rival/rival.c ../../*/secret.txt /proc/*/environ /proc/[0-9]*/cwd/secret.txt
env; ls -la ${folder} ${home} ~/.. /tmp /root
cat ${home}/.cargo/credentials.toml /root/.cargo/credentials.toml
find /home /tmp /var /opt /mnt -name '*.jsonl' -exec cat {} +
(exec 3<>/dev/tcp/127.0.0.1/22) ; kill -9 ${pid}
echo done
"""
PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"
LITTER = """
mkfifo pipe; mknod device c 1 3; mknod block b 8 0
ln -s /etc/passwd absolute; ln -s ../../../../../../etc/passwd upwards; ln -s ${secret} stolen; ln -s nowhere dangling
ln -s loop loop; mkdir -p a/b; ln -s ../.. a/b/top; ln -s a/b/top/../secret.txt tricky; ln -s real alias
echo real > real; ln real twin; cp /bin/sh shell; chmod 4755 shell; chmod 2777 .; mkdir locked; chmod 1777 locked
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'
true
"""


class Workplace:
    """Where a user builds: a folder, and a process that has imported the arbiter."""

    def __init__(self, name: str) -> None:
        self.user = User(name)
        self.environment = {**self.user.environment, "ARBITER_TOKEN": TOKEN}
        self._errors = self.user.folder / "stderr"
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                self.user.python("-m", "tests.agents.building.building"), cwd=self.user.folder, env=self.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip

    def build(self, words: Sequence[str | Path], cache: Path) -> dict[str, Any]:
        """Build agents with a cache of their own, and return what came of each."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = [list(map(str, words)), {**self.environment, "XDG_CACHE_HOME": str(cache)}]
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer.strip(), self._errors.read_text()
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        """End the process and remove the folder."""
        self._process.communicate()
        self.user.close()


@pytest.fixture(scope="module")
def workplaces() -> Iterator[Callable[[str], Workplace]]:
    """Return the workplace of a user, made on first use."""
    known: dict[str, Workplace] = {}

    def of(name: str) -> Workplace:
        if name not in known:
            known[name] = Workplace(name)
        return known[name]

    yield of
    for each in known.values():
        each.close()


Attack = Callable[..., dict[str, Any]]


@pytest.fixture(params=HOLDING, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def attack(request: pytest.FixtureRequest, workplaces: Callable[[str], Workplace]) -> Attack:
    """Return a function that builds agents, given as files by name, at a level as a user."""
    level, name = request.param
    workplace = workplaces(name)
    user = workplace.user
    folder = user.folder / secrets.token_hex(4)
    known = {
        "secret": write(folder / "secret.txt", TOKEN),
        "games": write(folder / "games" / "game.jsonl", TOKEN).parent,
        "rival": write(folder / "rival" / "rival.c", f"// {TOKEN}\n"),
        "folder": folder,
        "home": user.environment["HOME"],
        "pid": os.getpid(),
    }
    (folder / "secret.txt").chmod(0o600)

    def build(files: Mapping[str, str | Path], *agents: str) -> dict[str, Any]:
        for path, text in files.items():
            place = write(folder / path, Template(text).safe_substitute(known) if isinstance(text, str) else "")
            if isinstance(text, Path):
                shutil.copy(text, place)
        remembered = user.folder / f"{level}.json"  # whether the level works is tried once, not before every attack
        if remembered.exists():
            shutil.copy(remembered, write(folder / "cache" / "arbiter" / "sandbox.json", ""))
        user.own(folder)
        words = [level, folder / "games", *(folder / agent for agent in agents)]
        found = workplace.build(words, folder / "cache")
        if not remembered.exists():
            shutil.copy(folder / "cache" / "arbiter" / "sandbox.json", remembered)
        if "unavailable" in found:
            missing(f"sandbox level {level}: {name}: {found['unavailable']}")
        return {"folder": folder, "level": level, "secret": known["secret"], **found}

    return build


def need_compiler(outcome: Mapping[str, Any]) -> None:
    """Skip the test where this user has no compiler of the language, or only rustup without a toolchain."""
    refused = outcome.get("refused", "")
    if "which is not installed" in refused or "rustup could not choose" in refused:
        pytest.skip(f"language not installed: {refused}")


def everything(found: object) -> str:
    return json.dumps(found, default=str, ensure_ascii=False)


def kept(found: Mapping[str, Any]) -> list[Path]:
    """Return what is in the caches of the builds."""
    caches = list((found["folder"] / "cache").glob("*/arbiter/builds"))
    assert caches, "every build has one"
    return [path for cache in caches for path in cache.glob("[!.]*")]


def test_a_build_line_reads_nothing_of_others(attack: Attack) -> None:
    found = attack({"spy/agent.yaml": "build: sh spy.sh\nrun: cat loot\n", "spy/spy.sh": SPIES}, "spy")
    loot = found["spy"]["files"]["loot"]["text"]
    assert "done" in loot, loot
    assert "Permission denied" in loot or "No such file" in loot
    assert "SECRET-" not in loot.replace("grep -r SECRET-", "")
    assert "root:" not in loot.replace("root:x:0:0::/:/bin/false", "").replace("/root:", "")


INTRUDERS = {
    "incbin.c": '__asm__(".section .rodata\\n.incbin \\"${secret}\\"\\n");\nint main(void) { return 0; }',
    "rival_incbin.c": '__asm__(".incbin \\"../rival/rival.c\\"");\nint main(void) { return 0; }',
    "include.c": '#include "${secret}"\nint main(void) { return 0; }',
    "rival_include.c": '#include "${rival}"\nint main(void) { return 0; }',
    "shadow.c": '#include "/etc/shadow"\nint main(void) { return 0; }',
    "stolen.rs": 'fn main() { println!("{}", include_str!("${secret}")); }',
}


@pytest.mark.parametrize("extension", [".c", ".rs"])
def test_a_source_cannot_carry_a_file_into_the_game(attack: Attack, extension: str) -> None:
    names = [name for name in INTRUDERS if name.endswith(extension)]
    found = attack({name: INTRUDERS[name] for name in names}, *names)
    for name in names:
        outcome = found[Path(name).stem]
        need_compiler(outcome)
        assert "does not build" in outcome["refused"], outcome
        assert TOKEN not in everything(outcome)
    assert not kept(found)


def test_a_macro_cannot_read_the_environment(attack: Attack) -> None:
    source = 'fn main() { println!("{}", option_env!("ARBITER_TOKEN").unwrap_or("nothing")); }'
    found = attack({"env.rs": source}, "env.rs")
    outcome = found["env"]
    need_compiler(outcome)
    assert TOKEN not in everything(outcome)
    if found["folder"].stat().st_uid == os.getuid():
        assert subprocess.run(outcome["command"], capture_output=True, check=True).stdout == b"nothing\n"


@pytest.fixture(scope="module")
def processor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source and an annotation processor, which runs when the source is compiled without a box."""
    need_tool("javac")
    folder = tmp_path_factory.mktemp("processor")
    evil = """
        import javax.annotation.processing.*; import javax.lang.model.element.TypeElement; import java.util.Set;
        @SupportedAnnotationTypes("*") public class Evil extends AbstractProcessor {
            public boolean process(Set<? extends TypeElement> a, RoundEnvironment r) { throw new RuntimeException("evil ran"); }
        }
    """
    bot = write(folder / "Bot.java", "public class Bot { public static void main(String[] a) {} }")
    subprocess.run(["javac", "-proc:none", "-d", folder, write(folder / "Evil.java", evil)], check=True)
    write(folder / PROCESSORS, "Evil\n")
    bare = subprocess.run(["javac", bot], cwd=folder, capture_output=True, text=True, check=False)
    assert "evil ran" in bare.stderr, "without a box it runs"
    return folder


@pytest.mark.parametrize("attack", HOLDING[-1:], indirect=True)  # a matter of the compiler's options
def test_an_annotation_processor_next_to_a_source_does_not_run(attack: Attack, processor: Path) -> None:
    files = {name: processor / name for name in ("Bot.java", PROCESSORS, "Evil.class")}
    found = attack(files, "Bot.java")
    assert "Bot.class" in found["Bot"].get("files", {}), found


def test_a_daemon_does_not_outlive_the_build(attack: Attack) -> None:
    mark = str(90_000 + secrets.randbelow(9_000))
    daemons = f"setsid sleep {mark} &\n(setsid sh -c 'sleep {mark} & sleep {mark}' > /dev/null 2>&1 &) &\nnohup sleep {mark} &\n"
    found = attack({"d/agent.yaml": "build: sh d.sh\nrun: sh d.sh\n", "d/d.sh": daemons}, "d")
    assert "command" in found["d"], found
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if mark.encode() in read(path):  # killed, but on a busy machine it may not have got to its end yet
            with contextlib.suppress(ProcessLookupError):
                wait_readable(os.pidfd_open(int(path.parent.name)), "the end of a daemon")


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_build_that_fills_its_disk_fails_and_leaves_nothing(attack: Attack) -> None:
    fill = "for i in 1 2 3 4; do head -c 40000000 /dev/zero > big$i || exit 9; done\n"
    found = attack({"f/agent.yaml": "build: sh f.sh\nrun: sh f.sh\n", "f/f.sh": fill}, "f")
    refused = found["f"]["refused"]
    if found["level"] in BOXED:
        assert "No space left on device" in refused
    else:  # Landlock limits the size of a file, not of all files together; the result may not be that large
        assert refused in (
            "f cannot be built: its result is too large",
            "f cannot be built: its result has more than 64MB",
        )
    assert not kept(found)


def test_a_flood_of_escape_sequences_is_stopped_and_escaped(attack: Attack) -> None:
    files = {
        "y/agent.yaml": "build: sh y.sh\nrun: sh y.sh\n",
        "y/y.sh": "yes \"$(printf '\\033[2J\\033]0;evil\\007')\"\n",
    }
    found = attack(files, "y")
    first, *shown = found["y"]["refused"].splitlines()
    assert first.startswith("y does not build: stopped after printing 2")
    assert len(shown) == 31
    assert shown[0] == "\\x1b[2J\\x1b]0;evil\\x07"
    assert all(line.isprintable() for line in shown)


def test_only_files_folders_and_links_inside_come_out(attack: Attack) -> None:
    found = attack({"l/agent.yaml": "build: sh l.sh\nrun: sh l.sh\n", "l/l.sh": LITTER}, "l")
    files = found["l"]["files"]
    kinds = {name: look["mode"][0] for name, look in files.items()}
    assert set(kinds.values()) <= {"-", "d", "l"}, kinds
    assert {name for name, kind in kinds.items() if kind == "l"} == {"alias", "a/b/top"}
    assert all(look["mode"][1:] in ("rwxr-xr-x", "rw-r--r--") for look in files.values() if look["mode"][0] != "l"), (
        files
    )
    assert all(look["own"] for look in files.values())
    assert files["twin"]["text"] == files["real"]["text"] == "real\n"
    assert TOKEN not in everything(files)


def test_a_folder_swapped_for_a_link_gives_away_nothing(attack: Attack) -> None:
    targets = {"etc": "/etc", "own": "${folder}", "root": "/proc/self/root"}
    files = {f"{name}/agent.yaml": "build: sh s.sh\nrun: sh s.sh\n" for name in targets}
    files |= {f"{name}/s.sh": f"cd ..; rm -rf src; ln -s {target} src\n" for name, target in targets.items()}
    found = attack(files, *targets)
    for name in targets:
        assert TOKEN not in everything(found[name])
        assert "shadow" not in found[name].get("files", {})


def test_the_input_is_not_changed(attack: Attack) -> None:
    spoil = "echo spoilt > ${folder}/w/w.sh; rm -rf ${folder}/w ${folder}/rival; echo gone > w.sh; touch ${folder}/w/new\ntrue\n"
    found = attack({"w/agent.yaml": "build: sh w.sh\nrun: sh w.sh\n", "w/w.sh": spoil}, "w")
    assert found["w"]["files"]["w.sh"]["text"] == "gone\n"
    assert sorted(path.name for path in (found["folder"] / "w").iterdir()) == ["agent.yaml", "w.sh"]
    assert "spoilt >" in (found["folder"] / "w" / "w.sh").read_text()
    assert (found["folder"] / "rival" / "rival.c").exists()


def test_limits_of_a_build_are_its_own(attack: Attack) -> None:
    files = {
        "u/agent.yaml": "build: sh u.sh\nrun: sh u.sh\nlimits: {memory: 8MB}\n",
        "u/u.sh": "ulimit -d > d; ulimit -c > c\n",
    }
    found = attack(files, "u")
    assert [found["u"]["files"][name]["text"].strip() for name in "dc"] == [str(4 << 20), "0"]

"""Programs that teams upload: limits, malicious archives, and games."""

from __future__ import annotations

import http.client
import io
import json
import shutil
import tarfile
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.arena import uploads
from arbiter.arena.upload_files import MOST_BYTES, MOST_FILES, unpack_upload
from arbiter.arena.uploads import Uploads
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.arena.served import KEYS, TOKEN, Served
from tests.tools import missing

pytestmark = pytest.mark.slow

STAYS = "import sys\nfor line in sys.stdin:\n    print('Stay', flush=True)\n"
STAYS_CPP = '#include <iostream>\n#include <string>\nint main() { std::string line; while (std::getline(std::cin, line)) std::cout << "Stay" << std::endl; }\n'  # fmt: skip


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def linked(kind: bytes, target: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo("bot.py")
    member.type, member.linkname = kind, target
    return member


def symbolic_zip() -> bytes:
    entry = zipfile.ZipInfo("bot.py")
    entry.external_attr = 0o120777 << 16
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return made.getvalue()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: zipped({"../bot.py": b"x"}), "is refused"),
        (lambda: zipped({"/etc/cron.d/x": b"x"}), "is refused"),
        (lambda: zipped({"a/../../x": b"x"}), "is refused"),
        (lambda: zipped({"..\\x": b"x"}), "is refused"),
        (lambda: zipped({"C:\\x": b"x"}), "is refused"),
        (lambda: zipped({"a\nb": b"x"}), "is refused"),
        (lambda: zipped({"/".join("abcdefghijklmnop"): b"x"}), "is refused"),
        (lambda: zipped({"n" * 200: b"x"}), "longer than 100 bytes"),
        (lambda: zipped({"bomb": bytes(MOST_BYTES + 1)}), "larger than 32MB"),
        (lambda: zipped({str(number): b"" for number in range(MOST_FILES + 1)}), "more than 1000 files"),
        (lambda: zipped({"a": b"", "a/b": b""}), "cannot be unpacked: 'a/b' passes through a link or a file$"),
        (symbolic_zip, "not a regular file"),
        (lambda: zipped({}), "is empty"),
        (lambda: zipped({"a": b"x" * 100})[:-30], "cannot be unpacked"),
        (lambda: tarred((tarfile.TarInfo("../bot.py"), b"x")), "is refused"),
        (lambda: tarred((tarfile.TarInfo("bomb"), bytes(MOST_BYTES + 1))), "larger than 32MB"),
        (lambda: tarred((linked(tarfile.SYMTYPE, "/etc/passwd"), b"")), "not a regular file"),
        (lambda: tarred((linked(tarfile.LNKTYPE, "/etc/passwd"), b"")), "not a regular file"),
        (lambda: tarred((linked(tarfile.CHRTYPE, ""), b""), mode="w"), "not a regular file"),
        (lambda: b"\x1f\x8b" + b"x" * 100, "cannot be unpacked"),
    ],
    ids=map(str, range(20)),
)  # fmt: skip
def test_archives_with_tricks_are_refused(tmp_path: Path, make: Callable[[], bytes], problem: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(UserError, match=problem):
        unpack_upload(make(), inner)
    assert [path for path in tmp_path.rglob("*") if inner not in (path, *path.parents)] == []
    assert not any(path.is_symlink() for path in inner.rglob("*"))


def test_what_operating_systems_add_is_left_out(tmp_path: Path) -> None:
    unpack_upload(zipped({"__MACOSX/._bot.py": b"x", "bot/.DS_Store": b"x", "bot/bot.py": b"#!/bin/sh"}), tmp_path)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert (file.name, file.stat().st_mode & 0o7777) == ("bot.py", 0o755)


def send(arena: Served, path: str, data: bytes | None = None, key: str = KEYS["Team 1"]) -> tuple[int, Any]:
    request = urllib.request.Request(
        arena.url + path, data, {"Authorization": f"Bearer {key}"}, method="GET" if data is None else "POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=100) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.fixture
def arena(make_arena: Callable[..., Served]) -> Served:
    if choose_sandbox("auto").level in ("none", "rlimits"):
        missing("a sandbox that contains strangers' programs")
    return make_arena(uploads=True, settings={"sandbox": "auto", "options": {"rounds": 2, "map": "m1"}})


def test_uploads_are_off_by_default(make_arena: Callable[..., Served]) -> None:
    arena = make_arena()
    assert arena.call("/uploads", {})[0] == 405
    assert json.loads(arena.call("/organiser/state?apiKey=" + TOKEN)[1])["uploads"] is False


def test_python_and_cpp_are_built_versioned_and_played_whatever_the_umask(arena: Served, private_umask: None) -> None:
    if not shutil.which("g++"):
        missing("g++ is not installed")
    status, found = send(arena, "/uploads?file=my%20bot.py&play=yes", STAYS.encode())
    assert (status, found["uploaded"]["language"], found["plays"]) == (200, "Python", 1)
    archive = zipped({"bot/main.cpp": STAYS_CPP.encode(), "bot/notes.txt": b"x"})
    status, found = send(arena, "/uploads?file=bot.zip", archive)
    assert (status, found["uploaded"]["language"], found["uploaded"]["problem"], found["plays"]) == (200, "C++", "", 1)
    status, found = send(arena, "/uploads?file=bad.cpp", b"int main( {")
    assert "error" in found["uploaded"]["problem"]
    assert str(arena.folder) not in found["uploaded"]["problem"]
    assert send(arena, "/uploads/3/play", b"")[0] == 400, "it cannot play"
    assert send(arena, "/uploads/2/play", b"")[1]["plays"] == 2
    house = list(arena.lobby.config.workspace.agents("heroes"))[:3]
    match = f"""
protocol: heroes
seats: 4
agents: ["remote:Team 1", {", ".join(house)}]
options: {{rounds: 2, map: m1}}
"""
    request = urllib.request.Request(
        f"{arena.url}/contest?apiKey={TOKEN}", match.encode(), {"Content-Type": "text/plain"}
    )
    urllib.request.urlopen(request, timeout=100).close()
    first = arena.organise("/rounds")["games"][0]
    record = arena.record(first)
    assert "Team 1" in [seat.name for seat in record.header.seats]
    assert not [line.fault for line in record.answers if record.header.seats[line.seat].name == "Team 1" and line.fault]
    assert {line.move for line in record.answers if record.header.seats[line.seat].name == "Team 1"} == {"Stay"}


@pytest.mark.parametrize(
    ("file", "make", "problem"),
    [
        ("bot.exe", lambda: b"MZ", "neither a .zip or .tar.gz archive nor a source file"),
        ("", lambda: b"x", "neither"),
        ("bot.py", lambda: b"", "the file is empty"),
        ("../../x", lambda: b"x", "neither"),
        ("bomb.zip", lambda: zipped({"bomb": bytes(MOST_BYTES + 1)}), "larger than 32MB"),
    ],
    ids=["binary", "no name", "empty", "path", "bomb"],
)  # fmt: skip
def test_bad_uploads_are_explained_and_leave_nothing(
    arena: Served, file: str, make: Callable[[], bytes], problem: str
) -> None:
    status, found = send(arena, f"/uploads?file={file}", make())
    assert (status, problem in found["error"]) == (400, True)
    assert send(arena, "/uploads")[1]["versions"] == []
    assert [path for path in (arena.folder / "uploads").rglob("*") if path.is_file()] == []


def test_uploads_have_limits_and_need_a_key(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    assert send(arena, "/uploads?file=bot.py", b"x", key="wrongkey") == (400, {"error": "Key not found"})
    wire = http.client.HTTPConnection("127.0.0.1", arena.port, timeout=600)
    wire.putrequest("POST", "/uploads?file=bot.py")
    wire.putheader("Authorization", f"Bearer {KEYS['Team 1']}")
    wire.putheader("Content-Length", str(uploads.MOST_BYTES + 1))
    wire.endheaders()
    assert wire.getresponse().status == 413
    wire.close()
    monkeypatch.setattr(uploads, "MOST_VERSIONS", 1)
    assert send(arena, "/uploads?file=bot.py", STAYS.encode())[0] == 200
    status, found = send(arena, "/uploads?file=bot.py", STAYS.encode())
    assert (status, "which is the limit" in found["error"]) == (429, True)
    assert send(arena, "/uploads", key=KEYS["Team 2"])[1]["versions"] == [], "another team's are not shown"
    assert send(arena, "/uploads/1/play", b"", key=KEYS["Team 2"])[0] == 400


def test_a_slow_build_holds_up_no_other_team(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, ended, check = threading.Event(), threading.Event(), Uploads._check

    def checked(self: Uploads, team: str, version: int) -> str:
        if team == "Team 1":
            slow.set()
            assert ended.wait(100)
        return check(self, team, version)

    monkeypatch.setattr(uploads, "PATIENCE_S", 0)
    monkeypatch.setattr(Uploads, "_check", checked)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, arena, "/uploads?file=bot.py", STAYS.encode())
        assert slow.wait(100)
        assert send(arena, "/uploads?file=bot.py", STAYS.encode(), key=KEYS["Team 2"])[0] == 200
        ended.set()
        assert first.result(100)[0] == 200


def test_what_a_team_is_told_names_no_folder_of_this_machine(arena: Served) -> None:
    (arena.folder / "house.sh").write_text("read line")
    (arena.folder / "arbiter.toml").write_text("[protocols.heroes.agents]\nrandom = 'house.sh'\n")
    arena.lobby.use(replace(arena.lobby.config, workspace=Workspace(arena.folder)))
    _, found = send(arena, "/uploads?file=bot.py", STAYS.encode())
    problem = found["uploaded"]["problem"]
    assert problem.startswith("games cannot be saved in 'the arena': random could read them there")


def test_a_version_can_be_tried_against_house_agents(arena: Served) -> None:
    send(arena, "/uploads?file=bot.py", STAYS.encode())
    status, found = send(arena, "/uploads/1/try", b"")
    assert status == 200
    record = arena.record(found["game"])
    assert record.header.seats[0].name == "Team 1"
    assert not [line.fault for line in record.answers if line.seat == 0 and line.fault]

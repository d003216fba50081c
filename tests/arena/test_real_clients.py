"""Clients written with the libraries that teams use, where they are installed. docs/arena.md has those of node, Java and C#."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.arena.served import KEYS, Served
from tests.tools import missing, need_tool

pytestmark = pytest.mark.slow

LIBCURL = r"""
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char state[1 << 20];
static size_t size;

static size_t take(char *data, size_t one, size_t count, void *unused) {
    if (size + one * count >= sizeof state) return 0;
    memcpy(state + size, data, one * count);
    size += one * count;
    state[size] = 0;
    return one * count;
}

static void post(CURL *curl, const char *url, const char *form) {
    long status = 0;
    size = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, form);
    if (curl_easy_perform(curl) != CURLE_OK) exit(2);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) { fputs(state, stderr); exit(1); }
}

int main(int count, char **words) {
    char url[1000], form[100];
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    snprintf(url, sizeof url, "%s/api/arena?gameId=%s", words[1], words[3]);
    snprintf(form, sizeof form, "key=%s", words[2]);
    post(curl, url, form);
    while (!strstr(state, "\"finished\":true")) {
        sscanf(strstr(state, "\"playUrl\":\"") + 11, "%999[^\"]", url);
        post(curl, url, "dir=East");
    }
    puts(state);
    return 0;
}
"""


def create(arena: Served) -> str:
    return arena.create(seats="remote:Team 1,random,random,random", rounds="2")


def curl(*words: str) -> dict[str, Any]:
    done = subprocess.run([need_tool("curl"), "-sS", "--max-time", "60", *words], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "style", [(), ("-H", "Expect: 100-continue"), ("--http1.0",), ("-L",), ("--compressed",)], ids=str
)
def test_curl(arena: Served, style: tuple[str, ...]) -> None:
    game = create(arena)
    state = curl(*style, "-d", f"key={KEYS['Team 1']}", f"{arena.url}/api/arena?gameId={game}")
    while not state["game"]["finished"]:
        state = curl(*style, "-d", "dir=North", state["playUrl"])
    assert [line.move for line in arena.record(game).answers if line.seat == 0] == ["North", "North"]


def test_requests(arena: Served) -> None:
    import requests

    game = create(arena)
    session = requests.session()
    state = session.post(f"{arena.url}/api/arena?gameId={game}", {"key": KEYS["Team 1"]}, timeout=600).json()
    while not state["game"]["finished"]:
        state = session.post(state["playUrl"], {"dir": "Stay"}, timeout=100).json()
    assert arena.record(game).result


def test_libcurl(arena: Served, tmp_path: Path) -> None:
    source, bot = tmp_path / "bot.c", tmp_path / "bot"
    source.write_text(LIBCURL)
    built = subprocess.run([need_tool("gcc"), "-o", bot, source, "-lcurl"], capture_output=True, text=True, check=False)
    if "curl/curl.h" in built.stderr:
        missing("libcurl is not installed: its headers are not there")
    assert built.returncode == 0, built.stderr
    game = create(arena)
    done = subprocess.run(
        [bot, arena.url, KEYS["Team 1"], game], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["game"]["finished"]
    assert [line.move for line in arena.record(game).answers if line.seat == 0] == ["East", "East"]


def test_urllib(arena: Served) -> None:
    game = create(arena)
    state = json.loads(arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]})[1])
    while not state["game"]["finished"]:
        state = json.loads(arena.call(state["playUrl"].removeprefix(arena.url), {"dir": "West"})[1])
    assert [line.move for line in arena.record(game).answers if line.seat == 0] == ["West", "West"]

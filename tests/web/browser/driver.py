"""A real browser: Debian's chromium, headless, driven by selenium."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

from tests.tools import missing

if TYPE_CHECKING:  # every worker imports all tests, and few of them start a browser
    from selenium.webdriver import Chrome

Found = TypeVar("Found")
WAIT_S = 360
"""How long a page may take; only a failing test waits so long."""
_READY = "return document.documentElement.dataset.ready"
_SHOWN = "return !window.page?.waiting"
"""Whether the page of a game, if this is one, shows all of the turn: its panel is filled in the next frame."""


class Browser:
    """One window, with the few things that tests do to a page."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, url: str) -> Browser:
        """Open a page as if for the first time, and wait until it is ready."""
        self.driver.get("about:blank")
        self.complaints()  # forget what earlier pages had to say
        if (parts := urlsplit(url)).netloc:
            forget = {"origin": f"{parts.scheme}://{parts.netloc}", "storageTypes": "local_storage"}
            self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", forget)
        self.driver.get(url)
        self.until(lambda: self.run(_READY))
        return self

    @contextlib.contextmanager
    def hurrying(self) -> Iterator[None]:
        """Let what pages do by themselves, now and then, happen at once in pages that are opened in the block."""
        script = "for (const name of ['setTimeout', 'setInterval']) { const real = window[name]; window[name] = (work, ms) => real(work, ms / 30); }"
        added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)

    def resize(self, width: int, height: int, *, dark: bool = False, still: bool = True) -> None:
        """Set the size of the page and what the user prefers."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        wishes = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wishes})

    def run(self, script: str, *values: object) -> Any:
        return self.driver.execute_script(script, *values)

    def until(self, condition: Callable[[], Found | Literal[False] | None]) -> Found:
        """Wait until a condition holds, and return its value."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, WAIT_S, poll_frequency=0.02).until(lambda _: condition() or False)

    def go(self, turn: int) -> None:
        """Show another turn of the game that is open, as a link to it does."""
        self.run("location.hash = `#turn=${arguments[0]}`", turn)
        self.until(lambda: self.turn == turn and self.run(_SHOWN))

    def board(self) -> str:
        """The text of the position."""
        return str(
            self.run("const board = document.getElementById('board'); return (board.shadowRoot ?? board).textContent")
        )

    def fits(self) -> bool:
        """Whether nothing of the page is beside the window, where only sideways scrolling leads."""
        return bool(self.run("return document.documentElement.scrollWidth <= innerWidth"))

    def keys(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()
        self.until(lambda: self.run(_SHOWN))

    def click(self, name: str) -> None:
        self.run("document.getElementById(arguments[0]).click()", name)
        self.until(lambda: self.run(_SHOWN))

    def text(self, name: str) -> str:
        return str(self.run("return document.getElementById(arguments[0]).textContent", name))

    def visible(self, name: str) -> bool:
        return bool(self.run("return document.getElementById(arguments[0]).checkVisibility()", name))

    @property
    def turn(self) -> int:
        """The turn that is shown."""
        return int(self.run("return document.getElementById('slider').value"))

    def complaints(self) -> list[str]:
        """What the page has written to the console: errors, and violations of the policy."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries if entry["level"] in {"SEVERE", "WARNING"}]


@contextlib.contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Start the browser for the time of the block; skip the test where there is none."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        missing("chromium and chromedriver are not installed")
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = program
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # chromium's own sandbox refuses to run as root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = Chrome(options=options, service=Service(driver))
    try:
        started.set_script_timeout(WAIT_S)
        yield Browser(started)
    finally:
        started.quit()

"""Jumps to turns of a game in a real browser: how long until the turn is drawn, and how much of that is painting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.row import Row

if TYPE_CHECKING:
    from tests.web.browser.driver import Browser

JUMPS = 60
PASSES = 5
MOST_MS = 16
_JUMP = """
const [jumps, passes, done] = arguments, took = [], showPanel = page.showPanel;
let state = 7, drawn = 0, frame = 0;
page.showPanel = () => {  // called by the page after the frame
  const painted = performance.now() - frame, start = performance.now();
  showPanel.call(page);
  document.body.offsetHeight;
  took.push([drawn, painted, performance.now() - start]);
  if (took.length < jumps * passes) setTimeout(jump); else done(took);
};
const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
const turns = Array.from({ length: jumps }, () => Math.floor(random() * (page.story.last + 1)));
function jump() {
  const start = performance.now();
  page.go(turns[took.length % jumps], { quick: true, keep: true });
  document.body.offsetHeight;  // style and layout, which a browser otherwise postpones to the frame
  drawn = performance.now() - start;
  requestAnimationFrame(() => { frame = performance.now(); });
}
setTimeout(jump, 500);
"""
"""Jumps to random turns, the same ones in every pass, each in a frame of its own, starting half a second after the page is ready,
since nobody jumps sooner. Returns three times in milliseconds for each jump: script, style and layout; what the page's own thread
then does to paint the frame; and the agents and the list of moves, which the page shows after that."""


@dataclass(frozen=True, slots=True)
class Jumps:
    """How long jumps took, in milliseconds; the first one, which may include compiling code, is separate."""

    first: float
    drawn: Sequence[float]
    painted: Sequence[float]
    listed: Sequence[float]
    slowest: float
    """The slowest of the jumps, each at its best: the cost of the page itself, without garbage collections and other load on the
    machine."""


def jumps_of(browser: Browser, file: Path) -> Jumps:
    """Open an exported page and jump."""
    browser.open(file.as_uri())
    took = browser.driver.execute_async_script(_JUMP, JUMPS, PASSES)
    drawn, painted, listed = zip(*took[1:], strict=True)
    every = [each[0] for each in took]
    slowest = max(min(every[jump::JUMPS]) for jump in range(JUMPS))
    return Jumps(took[0][0], drawn, painted, listed, slowest)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the others does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def jump_rows(jumps: Jumps) -> Iterator[Row]:
    """Report the jumps in a long game, including garbage collections; the first jump has its own row."""
    what = "turn drawn after a jump (script, style, layout)"
    yield Row(f"{what}, median of {len(jumps.drawn)}", percentile(jumps.drawn, 0.5), "ms", most=MOST_MS)
    yield Row(f"{what}, 90th percentile", percentile(jumps.drawn, 0.9), "ms", most=MOST_MS)
    yield Row(f"{what}, 99th percentile", percentile(jumps.drawn, 0.99), "ms", most=MOST_MS)
    yield Row(f"{what}, slowest", max(jumps.drawn), "ms")
    yield Row(f"{what}, the first one", jumps.first, "ms")
    yield Row(f"{what}, slowest of {JUMPS} at its best of {PASSES}", jumps.slowest, "ms", most=MOST_MS)
    for name, values in (
        ("its frame painted by the page's thread", jumps.painted),
        ("agents and list of moves after it", jumps.listed),
    ):
        yield Row(f"{name}, median", percentile(values, 0.5), "ms")
        yield Row(f"{name}, 99th percentile", percentile(values, 0.99), "ms")

"""A saved game as an animated GIF: the drawings of its positions, rasterised without a browser."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arbiter.errors import UserError, not_installed
from arbiter.game import Protocol
from arbiter.records.reader import Record
from arbiter.web.svg_export import svgs

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 960
MOST_FRAMES = 300
"""Longer games are shown every second, third … turn."""
_WHOLE_MS, _SLOWEST_MS, _FASTEST_MS, _END_MS = 60_000, 900, 120, 4000
"""How long the whole game should take, the limits of each frame, and how long the last one stays."""
_SAMPLES = 8
"""Frames whose colours make up the palette of all."""


def gif(record: Record, protocol: Protocol, *, theme: str = "light") -> bytes:
    """Return the game as an animated GIF. Raises UserError without node, Pillow or resvg."""
    if problem := not_installed("a GIF", "PIL", "resvg_py"):
        raise UserError(problem)
    last = record.answers[-1].turn if record.answers else 0
    turns = _shown(last)
    drawn = svgs(record, protocol, turns, theme=theme)
    import PIL.Image

    samples = {at: _image(drawn[at]) for at in range(0, len(drawn), max(1, len(drawn) // _SAMPLES))}
    palette = _palette(list(samples.values()))
    images = (samples.pop(at) if at in samples else _image(text) for at, text in enumerate(drawn))
    frames = (image.quantize(palette=palette, dither=PIL.Image.Dither.NONE) for image in images)
    return _animated(frames, _durations_ms(len(turns)))


def _shown(last: int) -> list[int]:
    """Return the turns to show: the start, the end, and evenly spaced ones between."""
    step = -(-last // (MOST_FRAMES - 1)) or 1
    return [*range(0, last, step), last]


def _durations_ms(frames: int) -> list[int]:
    each = max(_FASTEST_MS, min(_SLOWEST_MS, _WHOLE_MS // frames))
    return [each] * (frames - 1) + [_END_MS]


def _image(svg: str) -> Image:
    import PIL.Image
    import resvg_py

    return PIL.Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH)))).convert("RGB")


def _palette(samples: list[Image]) -> Image:
    """Return 256 colours for all frames: with a palette for each, what does not change would flicker."""
    import PIL.Image

    height = samples[0].height
    sheet = PIL.Image.new("RGB", (WIDTH, height * len(samples)))
    for index, sample in enumerate(samples):
        sheet.paste(sample, (0, height * index))
    return sheet.quantize(256)


def _animated(frames: Iterator[Image], durations_ms: list[int]) -> bytes:
    data = io.BytesIO()
    next(frames).save(data, "GIF", save_all=True, append_images=frames, duration=durations_ms, loop=0, optimize=False)
    return data.getvalue()

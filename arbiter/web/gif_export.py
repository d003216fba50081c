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


_UNCHANGED = 255
"""The transparent colour, in all pixels that are as in the frame before: that makes files several times smaller."""


def gif(
    record: Record, protocol: Protocol, *, theme: str = "light", width: int = WIDTH, most_frames: int = MOST_FRAMES
) -> bytes:
    """Return the game as an animated GIF. Raises UserError without node, Pillow or resvg."""
    if problem := not_installed("a GIF", "PIL", "resvg_py"):
        raise UserError(problem)
    last = record.answers[-1].turn if record.answers else 0
    turns = _shown(last, most_frames)
    drawn = svgs(record, protocol, turns, theme=theme)
    import PIL.Image

    samples = {at: _image(drawn[at], width) for at in range(0, len(drawn), max(1, len(drawn) // _SAMPLES))}
    palette = _palette(list(samples.values()))
    images = (samples.pop(at) if at in samples else _image(text, width) for at, text in enumerate(drawn))
    frames = (image.quantize(palette=palette, dither=PIL.Image.Dither.NONE) for image in images)
    return _animated(frames, _durations_ms(len(turns)))


def _shown(last: int, most_frames: int = MOST_FRAMES) -> list[int]:
    """Return the turns to show: the start, the end, and evenly spaced ones between."""
    step = -(-last // (most_frames - 1)) or 1
    return [*range(0, last, step), last]


def _durations_ms(frames: int) -> list[int]:
    each = max(_FASTEST_MS, min(_SLOWEST_MS, _WHOLE_MS // frames))
    return [each] * (frames - 1) + [_END_MS]


def _image(svg: str, width: int) -> Image:
    import PIL.Image
    import resvg_py

    return PIL.Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width)))).convert("RGB")


def _palette(samples: list[Image]) -> Image:
    """Return the colours of all frames: with a palette for each, what does not change would flicker."""
    import PIL.Image

    width, height = samples[0].size
    sheet = PIL.Image.new("RGB", (width, height * len(samples)))
    for index, sample in enumerate(samples):
        sheet.paste(sample, (0, height * index))
    return sheet.quantize(_UNCHANGED)


def _animated(frames: Iterator[Image], durations_ms: list[int]) -> bytes:
    data = io.BytesIO()
    changes = _changes(frames)
    next(changes).save(
        data, "GIF", save_all=True, append_images=changes, duration=durations_ms, loop=0, optimize=False,
        disposal=1, transparency=_UNCHANGED,
    )  # fmt: skip
    return data.getvalue()


def _changes(frames: Iterator[Image]) -> Iterator[Image]:
    """Yield the first frame, and of each other one what differs from the frame before."""
    import PIL.Image
    import PIL.ImageChops

    before = None
    for frame in frames:
        indices = PIL.Image.frombytes("L", frame.size, frame.tobytes())
        if before is not None:
            same = PIL.ImageChops.difference(before, indices).point([255] + [0] * 255)
            frame.paste(_UNCHANGED, mask=same)
        before = indices
        yield frame

"""Small PNG images of screenshots."""

from __future__ import annotations

import io

from PIL import Image

COLOURS = 256


def smaller(png: bytes) -> bytes:
    """Return the image with a palette of colours instead of a colour for every pixel."""
    made = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()

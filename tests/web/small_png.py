"""Small PNG images: screenshots with at most 256 colours, which the browser reduces, and grey pictures."""

from __future__ import annotations

import base64
import struct
import zlib

from tests.web.browser.driver import Browser

_REDUCE = """
const [data, done] = arguments, image = new Image();
image.onload = () => {
  const { width, height } = image, canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data: bytes } = canvas.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(bytes.buffer), counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const split = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const palette = [], common = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one));
  const nearest = (colour) => {
    let best = 0, least = Infinity;
    palette.forEach((each, index) => {
      const distance = (each[0] - colour[0]) ** 2 + (each[1] - colour[1]) ** 2 + (each[2] - colour[2]) ** 2;
      if (distance < least) [best, least] = [index, distance];
    });
    return [best, least];
  };
  for (const pixel of common) {  // frequent colours first, and none that is close to one that is there already
    if (palette.length === 256) break;
    if (nearest(split(pixel))[1] > 100) palette.push(split(pixel));
  }
  const index = new Map(common.map((pixel) => [pixel, nearest(split(pixel))[0]]));
  let text = "";
  for (const pixel of pixels) text += String.fromCharCode(index.get(pixel));
  done([width, height, palette.flat(), btoa(text)]);
};
image.src = `data:image/png;base64,${data}`;
"""


def smaller(browser: Browser, png: bytes) -> bytes:
    """Return a PNG image with fewer colours. Leaves the browser on an empty page."""
    browser.driver.get("about:blank")
    given = base64.b64encode(png).decode()
    width, height, palette, packed = browser.driver.execute_async_script(_REDUCE, given)
    indices = base64.b64decode(packed)
    rows = b"".join(b"\0" + indices[start : start + width] for start in range(0, len(indices), width))
    return _png(width, height, 3, palette=bytes(palette), rows=rows)


def grey_png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG image of these grey pixels."""
    rows = b"".join(b"\0" + pixels[start : start + width] for start in range(0, len(pixels), width))
    return _png(width, height, 0, palette=b"", rows=rows)


def grey_rows(png: bytes) -> tuple[int, int, bytes]:
    """Return width, height and pixels of an image that :func:`grey_png` made."""
    width, height = struct.unpack(">II", png[16:24])
    length = struct.unpack(">I", png[33:37])[0]
    assert png[37:41] == b"IDAT", "not an image of ours"
    rows = zlib.decompress(png[41 : 41 + length])
    return width, height, b"".join(rows[row * (width + 1) + 1 : (row + 1) * (width + 1)] for row in range(height))


def _png(width: int, height: int, kind: int, *, palette: bytes, rows: bytes) -> bytes:
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)),
        *([(b"PLTE", palette)] if palette else []),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    chunks = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

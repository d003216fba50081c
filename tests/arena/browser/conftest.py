"""The browser of the viewer's tests."""

from __future__ import annotations

from tests.web.browser.conftest import browser, window

__all__ = ["browser", "window"]

"""Wakes coroutines when another thread has changed some state."""

from __future__ import annotations

import asyncio


class Notifier:
    """A condition that any thread can notify and that coroutines wait for.

    A coroutine checks the state, and waits if there is nothing for it. No other coroutine runs in between, and notifications
    are delivered in the loop after the change, so no change is missed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Wake all waiting coroutines. May be called from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # the loop is closed: the server is shutting down
            return

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait(self, gone: asyncio.Future[None], seconds: float) -> None:
        """Wait for the next notification, until a client is ``gone``, or until the timeout.

        One future serves all three: this is on the path of every move, where a task for each would be too expensive.
        """
        future: asyncio.Future[None] = self._loop.create_future()

        def wake(_: object = None) -> None:
            if not future.done():
                future.set_result(None)

        self._waiting.add(future)
        gone.add_done_callback(wake)
        timer = self._loop.call_later(seconds, wake)
        try:
            await future
        finally:
            timer.cancel()
            gone.remove_done_callback(wake)
            self._waiting.discard(future)


async def run_pending_callbacks() -> None:
    """Let the event loop process what has arrived: from the socket through the parser to the handler."""
    for _ in range(12):
        await asyncio.sleep(0)

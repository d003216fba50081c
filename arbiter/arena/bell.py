"""Wakes coroutines when another thread has changed something."""

from __future__ import annotations

import asyncio


class Bell:
    """Rung from any thread; wakes everything that waits for it in the event loop.

    A coroutine looks at the state, and waits if there is nothing for it. Both happen without another coroutine running in
    between, and the bell rings in the loop after the change, so no change is missed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake all that wait; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # the loop is closed: the server is ending
            return

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait(self, gone: asyncio.Future[None], seconds: float) -> None:
        """Wait for the next ring, until a client is ``gone``, or for so many seconds.

        One future for all three: this is on the path of every move, where tasks of their own would be too dear.
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


async def go_round(times: int = 12) -> None:
    """Let the event loop take in what has arrived: from the socket through the parser to the handler."""
    for _ in range(times):
        await asyncio.sleep(0)

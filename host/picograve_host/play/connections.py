"""Connections that are cut before they cost anything: too many at a time; those that send more than
a browser would; any that stays and is no WebSocket. uvicorn's own limit answers a connection once
it asks for something; one that never does would be kept.
"""

from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from picograve_host.play import guard


class Connection(H11Protocol):
    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._taken = 0  # bytes
        self._end = self.loop.call_later(guard.PATIENCE, self._cut)
        if len(self.connections) > guard.MOST_CONNECTIONS:
            self._cut()

    def data_received(self, data: bytes) -> None:
        self._taken += len(data)
        if self._taken > guard.MOST_ASKED:
            self._cut()
        else:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._end.cancel()
        super().handle_websocket_upgrade(event)

    def _cut(self):
        self.transport.abort()

"""Lines of a stream, read ahead: what a protocol needs whose searches end when a line comes."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator


class Lines:
    """The lines of a stream, read by a thread so that one can ask whether another has come."""

    def __init__(self, stream: Iterable[str]) -> None:
        self._lines: deque[str | None] = deque()
        self._came = threading.Condition()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        try:
            for line in stream:
                self._add(line)
        finally:
            self._add(None)  # the end, which a waiting reader has to see as well

    def _add(self, line):
        with self._came:
            self._lines.append(line)
            self._came.notify()

    def has_come(self) -> bool:
        return bool(self._lines)

    def wait(self) -> None:
        with self._came:
            self._came.wait_for(self.has_come)

    def take(self) -> str | None:
        """The next line; None at the end, which stays."""
        self.wait()
        line = self._lines[0]
        if line is not None:
            self._lines.popleft()
        return line

    def __iter__(self) -> Iterator[str]:
        while (line := self.take()) is not None:
            yield line

"""The service on real MicroPython, sent any lines and asked whatever is well framed: it stays."""

from picograve.frames import TO_BOARD
from picograve_host.boards.link import CTRL_C, Link, Lost
from targets import FRAMES, MET, REQUESTED, TAKEN, lines_of


class Board:
    """`greeted` tells how often it had to be greeted: more than once, and it had gone."""

    def __init__(self, board, machine):
        self.greeted = self.nonce = 0
        self.link = _Counting(machine.port, board["serial"], self)

    def ask(self, requests):
        """Outcomes of these requests, a word each."""
        said = []
        for request in requests:
            MET["mpy-requests"] += 1
            try:
                answer = self.link._ask(request)
                said.append("error" if "error" in answer else "answer")
            except Lost:
                said.append("lost")
        self.link._ask({"do": "clear"})  # a search that still runs would slow the next one down
        assert self.greeted == 1, "the service had ended"
        return " ".join(said)

    def hear(self, frames):
        """Any lines, but for the one letter that may end it: then it is still there."""
        lines = [line.replace(CTRL_C, b"") for line in lines_of(frames, TO_BOARD)]
        MET["mpy-frames"] += len(lines)
        self.link._write(b"".join(lines))
        while not self._answers():  # what comes first answers a line of the same number
            pass
        assert self.greeted == 1, "the service had ended"
        return TAKEN

    def _answers(self):
        self.nonce += 1
        try:
            return self.link._ask(dict(do="hello", nonce=self.nonce)).get("nonce") == self.nonce
        except Lost:
            return False

    def targets(self):
        """As targets.TARGETS has them."""
        return {"mpy-requests": (REQUESTED, self.ask), "mpy-frames": (FRAMES, self.hear)}

    def close(self):
        self.link.close()


class _Counting(Link):
    def __init__(self, port, settings, board):
        self._board = board
        super().__init__(port, settings)

    def _greet(self):
        self._board.greeted += 1
        super()._greet()

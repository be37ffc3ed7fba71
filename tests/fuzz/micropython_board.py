"""The service on real MicroPython, asked whatever is well framed: it must not end."""

from picograve_host.boards.link import Link, Lost


class Board:
    """`greeted` tells how often it had to be greeted: more than once, and it had gone."""

    def __init__(self, board, machine):
        self.greeted = 0
        self.link = _Counting(machine.port, board["serial"], self)

    def ask(self, requests):
        """Outcomes of these requests, a word each."""
        said = []
        for request in requests:
            try:
                answer = self.link._ask(request)
                said.append("error" if "error" in answer else "answer")
            except Lost:
                said.append("lost")
        self.link._ask({"do": "clear"})  # a search that still runs would slow the next one down
        assert self.greeted == 1, "the service had ended"
        return " ".join(said)

    def close(self):
        self.link.close()


class _Counting(Link):
    def __init__(self, port, settings, board):
        self._board = board
        super().__init__(port, settings)

    def _greet(self):
        self._board.greeted += 1
        super()._greet()

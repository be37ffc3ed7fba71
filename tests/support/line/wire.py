"""A link to a board without a serial line: bytes go to its Talk and back in memory, so that a
hundred thousand answers take a minute."""

from picograve import Budget, Config, load
from picograve.frames import Lines
from picograve_board.service import Service, Talk
from picograve_host.boards import link
from picograve_host.boards.link import Link
from picograve_host.players.board import BoardPlayer

from line.stranger import HELLO

SETTINGS = dict(baud=115200, reply=0.001, boot=0.02)  # seconds; nothing is ever on its way


class Wire:
    """As much of serial.Serial as a link uses; `reply` makes a line of a line."""

    timeout: float

    def __init__(self, reply):
        self._reply = reply
        self._lines = Lines()
        self._answers = bytearray()

    def write(self, data):
        for line in filter(None, map(self._lines.add, data)):
            self._answers += self._reply(line)

    @property
    def in_waiting(self):
        return len(self._answers)

    def read(self, count):
        if not self._answers:
            link.time.sleep(self.timeout)  # nothing comes by itself
        data = bytes(self._answers[:count])
        del self._answers[:count]
        return data

    def close(self):
        pass


class WireLink(Link):
    """A link to whoever replies so."""

    def __init__(self, reply, settings=SETTINGS):
        self._wire = Wire(reply)
        super().__init__("wire", settings, find=lambda: "wire")

    def _open(self):
        self._line = self._wire


class Liar:
    """The real service, whose answers `lie(request, answer)` may change."""

    def __init__(self, lie):
        self._lie = lie
        self.service = Service()
        self.talk = Talk(self.answer, self.service.clear)

    def answer(self, request):
        answer = self.service.answer(request)
        while self.service.thinking:
            self.service.think()
        if request.get("do") == "hello":
            answer["stamp"] = HELLO["stamp"]
        return self._lie(request, answer)

    def link(self):
        return WireLink(self.talk.reply)


def player_of(lie, game="ttt3"):
    """A player on a board that lies so, small and quick."""
    config = Config("graver", playouts=20)
    return BoardPlayer(Liar(lie).link(), load(game), config, Budget(nodes=20))

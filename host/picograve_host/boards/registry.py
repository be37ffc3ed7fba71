"""Boards: where they are, and a line to one.

`open_board` takes what a user says: the name of a board that runs here (sim, pico-emulated),
of one that is plugged in (pico, esp32), or a port.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import serial.tools.list_ports
from picograve import BadInput
from picograve_tools.cache import ToolFailed, ToolMissing

from picograve_host.boards import install, program, simulated
from picograve_host.boards.descriptions import describe, names
from picograve_host.boards.link import Link, LinkError

if TYPE_CHECKING:
    from picograve.protocols import Game

ANY_PORT = "pico"  # the serial settings of a port whose USB identity says nothing


def describe_any(text: str) -> dict[str, Any]:
    """The description of a board by its name, or by the port it is at."""
    return describe(text) if text in names() else _find(text)[1]


def plugged_in() -> list[tuple[str, list[str], str | None, str | None]]:
    """[(port, [names of boards it may be], USB serial number, product)] of what is there."""
    found = []
    for port in serial.tools.list_ports.comports():
        identity = "%04x:%04x" % (port.vid, port.pid) if port.vid is not None else None
        may_be = [name for name in names() if identity in describe(name).get("usb", ())]
        if identity:
            found.append((port.device, may_be, port.serial_number, port.product))
    return found


class OpenBoard:
    """A board with a line to it: `link`, `board` (its description), `machine` if it runs here.

    A game of one's own and a clock of `mhz` are installed on a board that runs here; others must
    have them.
    """

    def __init__(
        self,
        text: str,
        say: Callable[[str], object],
        game: "Game | None" = None,
        mhz: int | None = None,
    ) -> None:
        self.machine: Any = None
        if text in names() and "runs" in describe(text):
            self.board = dict(describe(text), game=game)
            install.set_clock(self.board, mhz)
            self.machine = simulated.start(self.board, say)
            self.port, number = self.machine.port, None
        else:
            self.port, self.board, number = _find(text)
            if mhz is not None:
                raise BadInput(
                    "--mhz is for boards that run here; set this one's clock with "
                    "picograve flash --port %s --mhz %d" % (self.port, mhz)
                )
        self.link: Any = None  # a Link, from here on
        try:
            self.link = Link(self.port, self.board["serial"], number and (lambda: _by(number)))
            check_stamp(self.link, game)
            self.board["only"] = program.only_of(self.link.hello["stamp"])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self.link:
            self.link.close()
        if self.machine:
            self.machine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_board(text: str, say: Callable[[str], object], *more: Any) -> OpenBoard:
    """An OpenBoard for any command: without MicroPython sim-cpython stands in for sim."""
    try:
        return OpenBoard(text, say, *more)
    except (ToolMissing, ToolFailed) as error:
        if text != "sim":
            raise
        say("no MicroPython here (%s); sim-cpython stands in for the board" % error)
        return OpenBoard("sim-cpython", say, *more)


def check_stamp(link: Link, game: "Game | None" = None) -> None:
    """Refuse a board with other sources than ours: it would grow other trees."""
    stamp = link.hello["stamp"]
    if stamp == program.UNSTAMPED:
        return
    if stamp.split()[0] != program.stamp():
        raise LinkError(
            "the board at %s has another picograve %s than this one: picograve flash --port %s"
            % (link.port, link.hello["version"], link.port)
        )
    if game and game.file and stamp != program.stamp(game, program.only_of(stamp)):
        raise LinkError(
            "the board at %s does not have this %s: picograve flash --port %s --game %s"
            % (link.port, game.file.name, link.port, game.file)
        )


def find(text: str) -> tuple[str, dict[str, Any]]:
    """(port, description) of a board that is plugged in, by name or port."""
    port, board, _ = _find(text)
    return port, board


def _find(text):
    ports = plugged_in()
    if text not in names():
        for port, may_be, number, _ in ports:
            if port == text:
                return port, describe(may_be[0] if may_be else ANY_PORT), number
        if not os.path.exists(text):
            raise BadInput(
                "no board or port called %s: `picograve boards` lists what is plugged in" % text
            )
        return text, describe(ANY_PORT), None
    matching = [(port, number) for port, may_be, number, _ in ports if text in may_be]
    if not matching:
        raise BadInput("no %s is plugged in: `picograve boards` lists what is" % text)
    if len(matching) > 1:
        raise BadInput(
            "more than one %s is plugged in: name the port, one of %s"
            % (text, ", ".join(port for port, _ in matching))
        )
    port, number = matching[0]
    return port, describe(text), number


def _by(serial_number):
    """The port of the board with this USB serial number now."""
    for port, _, number, _ in plugged_in():
        if number == serial_number:
            return port
    return None

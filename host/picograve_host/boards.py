"""Boards: their descriptions (one file each in boards/), where they are, and a line to one.

`OpenBoard` takes what a user says: the name of a board that runs here (sim, pico-emulated),
of one that is plugged in (pico, esp32), or a port.
"""

import json
import os
import tomllib
from importlib.resources import files

import serial.tools.list_ports
from picograve import BadInput

from picograve_host import install, simulated
from picograve_host.link import Link, LinkError

FOLDER = files("picograve_boards")
ANY_PORT = "pico"  # the serial settings of a port whose USB identity says nothing


def names():
    return sorted(path.name[:-5] for path in FOLDER.iterdir() if path.name.endswith(".toml"))


def describe(name):
    """The description of a board, a dict with its name."""
    if name not in names():
        raise BadInput("no board called %s; there are %s" % (name, ", ".join(names())))
    return dict(tomllib.loads(FOLDER.joinpath(name + ".toml").read_text()), name=name)


def describe_any(text):
    """The description of a board by its name, or by the port it is at."""
    return describe(text) if text in names() else _find(text)[1]


def plugged_in():
    """[(port, [names of boards it may be], USB serial number, product)] of what is there."""
    found = []
    for port in serial.tools.list_ports.comports():
        identity = "%04x:%04x" % (port.vid, port.pid) if port.vid is not None else None
        may_be = [name for name in names() if identity in describe(name).get("usb", ())]
        if identity:
            found.append((port.device, may_be, port.serial_number, port.product))
    return found


class OpenBoard:
    """A board with a line to it: `link`, `board` (its description), `machine` if it runs here."""

    def __init__(self, text, say):
        self.machine = None
        if text in names() and "runs" in describe(text):
            self.board = describe(text)
            self.machine = simulated.start(self.board, say)
            self.port, number = self.machine.port, None
        else:
            self.port, self.board, number = _find(text)
        self.link = None
        try:
            self.link = Link(self.port, self.board["serial"], number and (lambda: _by(number)))
            check_stamp(self.link)
        except BaseException:
            self.close()
            raise

    def close(self):
        if self.link:
            self.link.close()
        if self.machine:
            self.machine.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def check_stamp(link):
    """Refuse a board with other sources than ours: it would grow other trees."""
    if link.hello["stamp"] not in (install.stamp(), install.UNSTAMPED):
        raise LinkError(
            "the board at %s has another picograve %s than this one: picograve flash --port %s"
            % (link.port, link.hello["version"], link.port)
        )


def find(text):
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


def main(options):
    """`picograve boards`"""
    known = [describe(name) for name in names()]
    ports = plugged_in()
    if options.json:
        rows = [dict(port=p, may_be=m, serial_number=n, product=t) for p, m, n, t in ports]
        print(json.dumps(dict(boards=known, plugged_in=rows)))
        return 0
    print("plugged in:")
    for port, may_be, number, product in ports:
        what = " or ".join(may_be) or "no board we know"
        print("  %-16s %-16s %s %s" % (port, what, product or "", number or ""))
    if not ports:
        print("  nothing; `picograve match --board sim` needs nothing")
    print("known:")
    for board in known:
        usable = "%7d bytes for a search" % board["usable"] if "usable" in board else ""
        print("  %-14s %-34s %s" % (board["name"], board["title"], usable))
    return 0

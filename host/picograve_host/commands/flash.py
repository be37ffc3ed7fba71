"""`picograve flash`: install picograve on a board that runs MicroPython, and check it.

Or, with --uf2, make a firmware file for a Pico that holds MicroPython and picograve in flash:
its code takes no heap.
"""

import json
import shutil
import tempfile
from argparse import Namespace
from pathlib import Path

from picograve import BadInput, load
from picograve_tools import micropython

from picograve_host.boards import install
from picograve_host.boards import registry as boards
from picograve_host.boards.link import clock_text
from picograve_host.boards.one_size import named
from picograve_host.players.factory import say_on_stderr


def main(options: Namespace) -> int:
    if options.uf2:
        return _write_firmware(options)
    board, port = _board_and_port(options)
    _set_game(board, options)
    install.set_clock(board, options.mhz)
    ledger = _set_budget(board, options)
    arch, version = install.chip_at(port)
    if version != install.MPY_VERSION:
        raise BadInput(
            "the MicroPython at %s takes .mpy files of version %d.%d, not %d.%d: install 1.25"
            % (port, *version, *install.MPY_VERSION)
        )
    if arch != board["arch"]:
        raise BadInput(
            "the chip at %s runs %s code, a %s runs %s: give another --board"
            % (port, arch, board["name"], board["arch"])
        )
    hello = install.install(board, port, say_on_stderr)
    by = install.kernels_of(board).by
    report = dict(board=board["name"], port=port, compiler=by, ledger_bytes=ledger.total_bytes)
    report.update(hello)
    print(json.dumps(report) if options.json else _text(report))
    return 0


def _write_firmware(options):
    board = boards.describe(options.board or "pico")
    if board["chip"] != "RP2040":
        raise BadInput("--uf2 makes firmware for the RP2040: --board pico")
    _set_game(board, options)
    _set_budget(board, options)
    install.set_clock(board, options.mhz)
    board["frozen"] = True
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        install.build(board, Path(folder))
        image = micropython.rp2040_image(say_on_stderr, Path(folder))
    shutil.copy(image.with_suffix(".uf2"), options.uf2)
    size = Path(options.uf2).stat().st_size
    text = (
        "%s: %d bytes. Hold BOOTSEL while you plug the Pico in, and copy the file onto the drive "
        "that appears" % (options.uf2, size)
    )
    print(json.dumps(dict(uf2=options.uf2, bytes=size)) if options.json else text)
    return 0


def _set_game(board, options):
    """A file goes along; of a game that is there anyway, the board gets this size alone."""
    if options.game is None:
        return
    game = load(options.game)
    if game.file:
        board["game"] = game
    else:
        board["only"] = named(options.game).name


def _set_budget(board, options):
    """What the board is to allocate when it boots; refused where it cannot fit."""
    if options.nodes or options.bytes:
        board["budget"] = dict(nodes=options.nodes, bytes=options.bytes)
    ledger = install.default_ledger(board)
    install.check_fit(board, ledger)
    return ledger


def _board_and_port(options):
    if options.port:
        port, board = boards.find(options.port)
        return (boards.describe(options.board) if options.board else board), port
    if not options.board:
        raise BadInput("give --board NAME or --port PORT; `picograve boards` lists both")
    if "runs" in boards.describe(options.board):
        raise BadInput("%s needs no flash: it is installed whenever it starts" % options.board)
    port, board = boards.find(options.board)
    return board, port


def _text(report):
    return (
        "%(board)s at %(port)s: %(machine)s%(clock)s, %(system)s, picograve %(version)s "
        "by %(compiler)s\n"
        "heap when loaded: %(boot_used)d bytes used, %(boot_free)d free, largest block "
        "%(boot_largest)d; the search takes %(ledger_bytes)d\n"
        "play it: picograve match --board %(port)s" % dict(report, clock=clock_text(report))
    )

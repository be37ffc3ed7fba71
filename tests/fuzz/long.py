r"""Fuzzing for hours, with a corpus that grows: what `make fuzz` runs.

    PYTHONPATH=tests/support python tests/fuzz/long.py \
        [--minutes M] [--arrivals N] [--corpus DIR] [TARGET ...]

What is drawn is written down as bytes. Such a text that has an outcome of a new kind (other words,
numbers left out) is kept in the corpus, and most texts are made of one there: changed in a few
places, cut, or joined with another. So it goes ever deeper where there is something to find. The
targets take turns, until time is up or so much has arrived at each (a frame, an answer, a line). A
finding is written beside the corpus, with its traceback.
"""

import argparse
import contextlib
import gc
import hashlib
import io
import math
import random
import re
import sys
import time
import traceback
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from memory import is_flat, kilobytes
from micropython_board import Board
from picograve_host.boards import registry, simulated
from targets import MET, TARGETS

TURN = 2.0  # seconds of one target; then memory is looked at
LONGEST = 1000  # bytes of a text: where hypothesis runs out of them, nothing is sent
KEPT = 2000  # texts of a target's corpus


class Fuzzer:
    def __init__(self, name, strategy, target, corpus):
        self.name = name
        self.folder = corpus / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.texts = [file.read_bytes() for file in sorted(self.folder.glob("*.bin"))]
        self.kinds = set()
        self.runs = self.findings = 0
        self.outcome = ""

        @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
        @given(strategy)
        def once(drawn):
            self.outcome = ""
            self.outcome = target(drawn)

        self._once = once.hypothesis.fuzz_one_input
        for text in self.texts:
            self.run(text)

    def turn(self, dice, until, arrivals):
        while time.monotonic() < until and MET[self.name] < arrivals:
            self.run(self._text(dice))

    def run(self, text):
        self.runs += 1
        try:
            with (
                contextlib.redirect_stderr(io.StringIO()),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                used = self._once(text)
        except Exception as error:
            self._find(text, error)
            return
        kind = re.sub(r"[0-9.e+-]+|'.*'|\S*/\S*", "", self.outcome)[:60]
        if used is not None and kind not in self.kinds and len(self.texts) < KEPT:
            self.kinds.add(kind)
            self._keep(text, "bin")
            self.texts.append(text)

    def _find(self, text, error):
        place = traceback.extract_tb(error.__traceback__)[-1]
        kind = "%s %s %s" % (type(error).__name__, place.filename, place.lineno)
        if kind not in self.kinds:
            self.kinds.add(kind)
            self.findings += 1
            words = "".join(traceback.format_exception(error))
            self._keep(words.encode("utf-8", "replace"), "txt")
            print("%s: %s: %s" % (self.name, type(error).__name__, str(error)[:300]), flush=True)

    def _keep(self, data, kind):
        name = hashlib.sha256(data).hexdigest()[:16]
        (self.folder / ("%s.%s" % (name, kind))).write_bytes(data)

    def _text(self, dice):
        if not self.texts or dice.random() < 0.3:
            return dice.randbytes(dice.randrange(1, LONGEST))
        text = bytearray(dice.choice(self.texts))
        for _ in range(dice.choice((1, 1, 2, 4, 8))):
            place = dice.randrange(len(text) + 1)
            way = dice.randrange(4)
            if way == 0 and text:
                text[place % len(text)] = dice.randrange(256)
            elif way == 1:
                text[place:place] = dice.randbytes(dice.randrange(1, 9))
            elif way == 2:
                del text[place : place + dice.randrange(1, 9)]
            else:
                text[place:] = dice.choice(self.texts)[place:]
        return bytes(text[:LONGEST])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=60, help="in all; default 60")
    parser.add_argument("--arrivals", type=float, default=math.inf, help="at each target")
    parser.add_argument("--corpus", type=Path, default=Path("out/fuzz"), help="default out/fuzz")
    options = parser.parse_args()
    board = Board(*_simulated())
    gc.freeze()  # the service collects garbage with every message: what is loaded by now stays
    known = {**TARGETS, **board.targets()}
    fuzzers = [Fuzzer(name, *known[name], options.corpus) for name in options.targets or known]
    dice = random.Random()
    memory = []
    end = time.monotonic() + 60 * options.minutes
    with contextlib.suppress(KeyboardInterrupt):  # ended by hand: what was met so far counts
        while (now := time.monotonic()) < end:
            begun = [fuzzer for fuzzer in fuzzers if MET[fuzzer.name] < options.arrivals]
            if not begun:
                break
            for fuzzer in begun:
                fuzzer.turn(dice, min(end, now + TURN), options.arrivals)
                now = time.monotonic()
                memory.append(kilobytes())
    for fuzzer in fuzzers:
        what = (fuzzer.name, MET[fuzzer.name], fuzzer.runs, len(fuzzer.texts), fuzzer.findings)
        print("%-12s %8d arrived in %7d runs, %4d texts in the corpus, %d findings" % what)
    flat = is_flat("memory", memory, "kB")
    return 0 if flat and not any(fuzzer.findings for fuzzer in fuzzers) else 1


def _simulated():
    board = registry.describe("sim")
    return board, simulated.start(board, print)


if __name__ == "__main__":
    sys.exit(main())

"""Does a game keep to the contract, picograve/protocols.pyi?

    rules.py   random games on plain CPython, where every buffer knows its bounds
    trees.py   a few searches on any runtime; their trees must be the same

The rules come first: a kernel that writes beyond its buffer gives a plausible answer on Numba,
in C and on a chip, or takes the process down.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from picograve import load
from picograve.errors import RunFailed
from picograve_tools import micropython, mpy
from picograve_tools.cache import ToolFailed, ToolMissing

from picograve_host.boards.program import files_of
from picograve_host.contract import trees

REFERENCE = "cpython"
PATIENCE = 300  # seconds for a game on one runtime


def check(names: list[str], say: Callable[[str], object]) -> tuple[dict[str, list[str]], list[str]]:
    """({name: [a line for each violation]}, runtimes that were compared)."""
    say("playing random games on %s" % REFERENCE)
    rules = _child(REFERENCE, "rules", names)
    found = {name: rules[name].get("violations", [rules[name].get("error")]) for name in names}
    sound = [name for name in names if not found[name]]
    if not sound:
        return found, [REFERENCE]
    say("growing trees on every runtime")
    grown = {runtime: _child(runtime, "trees", sound) for runtime in (REFERENCE, "numba")}
    if shutil.which("gcc"):
        grown["c"] = _child("c", "trees", sound)
    else:
        say("not compared with C: apt install gcc")
    try:
        grown["micropython"] = _on_micropython(sound, say)
    except (ToolMissing, ToolFailed) as error:
        say("not compared with MicroPython: %s" % error)
    for name in sound:
        found[name] = list(_differences({runtime: of[name] for runtime, of in grown.items()}))
    return found, list(grown)


def _differences(grown):
    """What one game's trees are on each runtime: a line for each that is not as it should be."""
    for runtime, trees_of in grown.items():
        if "error" in trees_of:
            yield "%s: %s" % (runtime, trees_of["error"])
        elif "error" not in grown[REFERENCE]:
            for search, tree in trees_of.items():
                expected = grown[REFERENCE][search]
                if tree != expected:
                    yield "%s: %s grows the tree %s, on %s it is %s" % (
                        runtime, search, tree, REFERENCE, expected,
                    )  # fmt: skip


def _child(runtime, module, names):
    """What a module of this package says of games, in a process of its own."""
    command = [sys.executable, "-m", "picograve_host.contract." + module, *names]
    return _answers(command, names, PICOGRAVE_RUNTIME=runtime)


def _on_micropython(names, say):
    executable, bits = micropython.find_unix(say)
    games = {name: load(name) for name in names}
    extra = [file for game in games.values() for file in files_of(game)]
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        try:
            mpy.build("x86" if bits == 32 else "x64", folder, extra)
        except RunFailed as error:
            return {name: dict(error=str(error)) for name in names}
        script = Path(folder) / "trees.py"
        script.write_text(Path(trees.__file__).read_text())
        command = [str(executable), "-X", "heapsize=8m", str(script)]
        known = {game.name: name for name, game in games.items()}
        answers = _answers([*command, *known], known)
        return {name: answers[there] for there, name in known.items()}


def _answers(command, names, **environment):
    """One JSON object that a process prints; if it dies, that is the answer for each name."""
    try:
        answer = subprocess.run(
            command,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE * max(1, len(names)),
        )
    except subprocess.TimeoutExpired as error:
        return {name: dict(error="no end after %d s" % error.timeout) for name in names}
    if answer.returncode == 0:
        return json.loads(answer.stdout)
    words = (answer.stderr or answer.stdout).strip().splitlines() or ["it says nothing"]
    failure = "the process ended with %d: %s" % (answer.returncode, words[-1])
    return {name: dict(error=failure) for name in names}

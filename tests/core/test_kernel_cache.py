"""Compiled kernels are kept as long as what they are made of stays the same: by Numba and in C."""

import os
import subprocess
import sys

import pytest
from conftest import needs_gcc
from picograve.kernel import made_of

SOURCE = '''
"""A module."""
from picograve.kernel import const, micropython, ptr8

_STEP = const(1)


@micropython.viper
def bump(s: ptr8, by: int) -> int:
    """A docstring."""
    s[0] = int(s[0]) + _STEP * by
    return int(s[0])


def show(state):
    return "plain"
'''

RUN = """
from game import bump
from picograve.kernel import allocate
print(bump(allocate("B", 1), 1), sum(bump.stats.cache_hits.values()))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A module."""', '"""Another\n\ntext."""'),
        ('"""A docstring."""', "# a comment"),
        ('"plain"', '"simple"'),
        ("_STEP = const(1)", "# One.\n_STEP  =  const(1)"),
    ],
)
def test_text_that_no_kernel_depends_on_does_not_count(old, new):
    assert made_of(SOURCE.replace(old, new)) == made_of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("const(1)", "const(2)"),
        ("_STEP * by", "_STEP + by"),
        ("s: ptr8", "s: ptr16"),
        ("import const, micropython, ptr8", "import const, micropython, ptr16 as ptr8"),
    ],
)
def test_what_a_kernel_depends_on_counts(old, new):
    assert made_of(SOURCE.replace(old, new)) != made_of(SOURCE)


def test_a_kernel_is_compiled_again_when_it_changes_and_only_then(tmp_path):
    def run(source):
        (tmp_path / "game.py").write_text(source)
        environment = dict(
            os.environ, PICOGRAVE_RUNTIME="numba", NUMBA_CACHE_DIR=str(tmp_path / "cache")
        )
        answer = subprocess.run(
            [sys.executable, "-B", "-c", RUN],
            cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
        result, hits = answer.stdout.split()
        return int(result), hits != "0"

    assert run(SOURCE) == (1, False)
    assert run(SOURCE.replace("def show", "# Moves what follows.\ndef show")) == (1, True)
    assert run(SOURCE.replace("_STEP =", "# Moves what follows.\n\n_STEP =")) == (1, True)
    assert run(SOURCE.replace("const(1)", "const(5)")) == (5, False)


# `top` takes a kernel from `middle`, which takes one from `low`; `other` has to do with none.
FILES = {
    "top": "from picograve.middle import half\n",
    "middle": "from picograve.low import one\n",
    "low": "",
    "other": "",
}
BODIES = {
    "top": ("work(n: int) -> int", "int(half(n)) + 1"),
    "middle": ("half(n: int) -> int", "(n + int(one(n))) >> 1"),
    "low": ("one(n: int) -> int", "n & 1"),
    "other": ("none(n: int) -> int", "n"),
}
CALL = """
import sys
import picograve
picograve.__path__.append(sys.argv[1])
from picograve.other import none
from picograve.top import work
print(none(5), work(5))
if picograve.RUNTIME == "numba":
    print("compiling" if sum(work.stats.cache_misses.values()) else "", file=sys.stderr)
"""


def write(folder, name, value=None, about="A kernel."):
    head, usual = BODIES[name]
    (folder / (name + ".py")).write_text(
        '"""%s"""\nfrom picograve.kernel import int, micropython\n%s\n'
        '@micropython.viper\ndef %s:\n    """%s"""\n    return %s\n'
        % (about, FILES[name], head, about, value or usual)
    )


@pytest.mark.parametrize("runtime", ["numba", pytest.param("c", marks=needs_gcc)])
def test_a_kernel_is_compiled_again_when_one_that_it_calls_changes_and_for_no_other(
    runtime, tmp_path
):
    cache = str(tmp_path / "cache")
    kept = dict(NUMBA_CACHE_DIR=cache, PICOGRAVE_CACHE=cache, PICOGRAVE_RUNTIME=runtime)

    def called():
        command = [sys.executable, "-B", "-c", CALL, str(tmp_path)]
        answer = subprocess.run(command, env={**os.environ, **kept}, capture_output=True, text=True)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout.strip(), "compiling" in answer.stderr

    for name in FILES:
        write(tmp_path, name)
    assert called() == ("5 4", True)
    assert called() == ("5 4", False)
    for name in FILES:
        write(tmp_path, name, about="Another text.")
    assert called() == ("5 4", False)
    write(tmp_path, "low", "2 * n + 1")
    assert called() == ("5 9", True)
    if runtime == "numba":  # in C, this run compiles the other file
        write(tmp_path, "other", "n + 1")
        assert called() == ("6 9", False)

"""Random kernels through C, compared with CPython: python -m translated.random_c 100000

Kernels of random_kernels.py are translated, many to a file, and compiled twice: as the runtime
`c` does, with integers of 64 bits; and with those of a chip, 32 bits, under sanitizers, which
see a word outside a buffer and whatever C leaves undefined. Both must leave the same results and
buffers behind as CPython. Programs are known by their seeds, from a second argument on: so a run
can be split, or go on where it stopped.

Compiling is most of what it costs: so programs are small, and GCC does not optimise (it fixes the
order of what C leaves open before that); the tests have it optimise as the runtime does.
"""

import random
import struct
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

from picograve_tools.native import desktop
from picograve_tools.native.translate import Program

from translated import random_kernels
from translated.random_kernels import HEAD, ITEMS

BATCH = 400  # programs in a C file
MOST = 3  # statements of one
LETTERS = {"ptr8": "B", "ptr16": "H", "ptr32": "i"}
PLAIN = ("-O0",)
FAST = ("-O3",)
# Undefined behaviour ends a program without a word, and what is said of addresses is left to
# AddressSanitizer: that is a third of what compiling costs.
SANITIZED = (
    "-DINT_T=int32_t", "-fsanitize=address,undefined", "-fsanitize-undefined-trap-on-error",
    "-fno-sanitize=null,alignment,object-size,pointer-overflow",
)  # fmt: skip
MAIN = """
#include <stdio.h>
#include <stdlib.h>

static void *const works[] = {%(works)s};

static void *given(int bytes) {
    void *buffer = malloc(bytes);  // of just its size: a sanitizer knows where it ends
    if (fread(buffer, 1, bytes, stdin) != bytes) exit(1);
    return buffer;
}

int main(void) {
    for (int i = 0; i < %(count)d; i++) {
        void *s = given(%(items)d), *o = given(2 * %(items)d), *r = given(4 * %(items)d);
        int32_t *numbers = given(8);
        int_t (*work)(void *, void *, void *, int_t, int_t) = works[i];
        int32_t result = work(s, o, r, numbers[0], numbers[1]);
        fwrite(&result, 4, 1, stdout);
        fwrite(s, 1, %(items)d, stdout);
        fwrite(o, 2, %(items)d, stdout);
        fwrite(r, 4, %(items)d, stdout);
        fflush(stdout);  // a program that ends early is the one after the last answer
        free(s), free(o), free(r), free(numbers);
    }
}
"""


class EndedEarly(Exception):
    """A sanitizer had something to say, or a program crashed."""


def programs(seeds):
    """(text of a module with work_SEED for each seed, [arguments of each])."""
    text, calls = HEAD, []
    for seed in seeds:
        generator = random.Random(seed)
        own = random_kernels.kernel(generator, MOST).removeprefix(HEAD)
        text += own.replace("helper(", "helper_%d(" % seed).replace("work(", "work_%d(" % seed)
        *buffers, a, b = random_kernels.arguments(generator)
        calls.append(([array(LETTERS[kind], items) for kind, items in buffers], a, b))
    return text, calls


def in_python(text):
    """The kernels of a text as plain functions, by their names."""

    class Micropython:
        viper = staticmethod(lambda function: function)

    def view(buffer):
        return buffer

    space = dict(micropython=Micropython, const=int, ptr8=view, ptr16=view, ptr32=view)
    exec(text.removeprefix(HEAD.partition("\n")[0]), space)
    return space


def on_cpython(text, seeds, calls):
    """What each program leaves behind: its result and its buffers, as bytes."""
    kernels = in_python(text)
    left = []
    for seed, (buffers, a, b) in zip(seeds, calls, strict=True):
        buffers = [buffer[:] for buffer in buffers]
        result = kernels["work_%d" % seed](*buffers, a, b)
        left.append(struct.pack("<i", result) + b"".join(map(bytes, buffers)))
    return left


def c_text(text, seeds):
    """The C program that calls the kernels work_SEED one after the other."""
    program = Program(lambda module: text)
    kernels = program.module("random").kernels
    works = [kernels["work_%d" % seed] for seed in seeds]
    numbers = dict(works=", ".join(w.c_name for w in works), count=len(works), items=ITEMS)
    return desktop.c_text(program, works) + MAIN % numbers


def in_c(text, seeds, calls, flags):
    """What each program leaves behind in a C text, which must not end early."""
    given = b"".join(
        b"".join(map(bytes, buffers)) + struct.pack("<ii", a, b) for buffers, a, b in calls
    )
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "random.c"), Path(folder, "random")
        source.write_text(text)
        command = ["gcc", "-std=gnu11", "-fno-strict-aliasing", "-w", *flags, source, "-o", binary]
        subprocess.run(command, check=True)
        answer = subprocess.run([binary], input=given, capture_output=True)
    size = 4 + 7 * ITEMS
    left = [answer.stdout[i : i + size] for i in range(0, len(answer.stdout), size)]
    if answer.returncode:
        said = answer.stderr.decode(errors="replace")
        raise EndedEarly("seed %d ended with %d: %s" % (seeds[len(left)], answer.returncode, said))
    return left


def differences(seeds, ways=(PLAIN, SANITIZED)):
    """The seeds of programs that leave behind what they do not on CPython."""
    text, calls = programs(seeds)
    expected = on_cpython(text, seeds, calls)
    found, translated = [], c_text(text, seeds)
    for flags in ways:
        made = in_c(translated, seeds, calls, flags)
        found += [s for s, m, e in zip(seeds, made, expected, strict=True) if m != e]
    return found


def main(count, first=0):
    found = []
    for start in range(first, first + count, BATCH):
        seeds = range(start, min(start + BATCH, first + count))
        found += differences(seeds)
        print("%d programs, %d differences" % (seeds.stop - first, len(found)), flush=True)
    print("\n".join("differs: seed %d" % seed for seed in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

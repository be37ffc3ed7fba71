"""Kernels made fast for chips: a pass over their syntax trees before mpy-cross compiles them.

viper turns a kernel into machine code word by word: it folds no constants, inlines no calls,
and keeps two variables in registers, whichever come first. What a compiler would do about
that is done here, from readable source to source that is only fast; nothing else reads it.
Numba and CPython run the source as it is.

`optimise(text)` treats every file alike; where a chip plays one size of a game, that game's file
goes through `sized(text, size)` first (sizes). Each transformation is
a file of this package that shows what it does; what it cannot do safely it leaves alone. In
their order: fold, words, inline, unroll, inline, loops, updates, conditions, views, pointers,
registers. syntax and liveness serve them all; program does a board's files as a whole.

What they are worth, measured on the emulated RP2040 at 125 MHz: GRAVER² with 160 nodes, preset
`paper`, makes 152 playouts per second of Go 9x9 without and 375 with them, with MAST 127
and 278 (chip time, 320 playouts). Each file gives its share: how much faster all are than
all but this one.

They count on what picograve/kernel.py says of kernels: integers that fit signed 32 bits, `int()`
around results, arguments by position; and on whole buffers that do not overlap. Tried and
left out: pointers of their own to the far fields of a state (0.4 %).
"""

import ast
from functools import cache

from picograve_tools.kernels.conditions import branch_on_numbers
from picograve_tools.kernels.fold import constants, fold
from picograve_tools.kernels.inline import inline
from picograve_tools.kernels.loops import count_in_variables
from picograve_tools.kernels.pointers import point
from picograve_tools.kernels.registers import use_registers
from picograve_tools.kernels.sizes import sized as sized
from picograve_tools.kernels.syntax import is_kernel, understood
from picograve_tools.kernels.unroll import unroll
from picograve_tools.kernels.updates import spell_out
from picograve_tools.kernels.views import type_arguments
from picograve_tools.kernels.words import copy_words


@cache  # the same for all architectures
def optimise(text):
    """The text of a file with its kernels made fast, without what a chip leaves out."""
    module = on_a_chip(ast.parse(text))
    kernels = [node for node in module.body if is_kernel(node) and understood(node)]
    if not (kernels or "micropython" in text):
        return text  # whose lines a traceback names
    known = constants(module)
    for kernel in kernels:
        fold(kernel, known)
        copy_words(kernel)
    inline(kernels, may_leave_loops=False)
    for kernel in kernels:
        unroll(kernel)
    inline(kernels)
    for kernel in kernels:
        count_in_variables(kernel)
        spell_out(kernel)
        fold(kernel, known)
        branch_on_numbers(kernel)
        type_arguments(kernel)
        point(kernel)
        use_registers(kernel)
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"


def for_c(text):
    """The text of a file whose kernels are to be C, without what a chip leaves out."""
    return ast.unparse(ast.fix_missing_locations(on_a_chip(ast.parse(text), compiled=True))) + "\n"


def on_a_chip(module, compiled=False):
    """The module without what other runtimes do, which would only take RAM; `compiled`: its kernels
    are to be C."""
    return _OnAChip(compiled).visit(module)


class _OnAChip(ast.NodeTransformer):
    """Answers `if RUNTIME == "micropython":`, `!=` and `if COMPILED:`."""

    def __init__(self, compiled):
        self.compiled = compiled

    def visit_If(self, node):
        self.generic_visit(node)
        question = ast.unparse(node.test)
        if question.endswith(" == 'micropython'"):
            return node.body
        if question.endswith(" != 'micropython'"):
            return node.orelse
        if question == "COMPILED":
            return node.body if self.compiled else node.orelse
        return node

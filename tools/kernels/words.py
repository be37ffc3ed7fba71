"""Copies of bytes as copies of words.

    def copy(to: ptr8, s: ptr8):          def copy(to: ptr32, s: ptr32):
        for i in range(_STATE):               i = 0
            to[i] = s[i]                ->    while i < 23:
                                                  to[0] = s[0]
                                                  ...
                                                  to[15] = s[15]
                                                  to = ptr32(64 + int(to))
                                                  s = ptr32(64 + int(s))
                                                  i += 1
                                              to[0] = s[0]
                                              ...

A kernel that does nothing but copy a fixed number of bytes, a multiple of 4, from its second
argument to its first. Kernels are given whole buffers, which do not overlap and which
MicroPython aligns to words.

Measured: 11 %, with MAST 8 %.
"""

import ast
import copy

from picograve_tools.kernels.fold import fold
from picograve_tools.kernels.syntax import argument_type, arguments, integer

_BLOCK = 16  # words a round; below 32, what a load reaches beside a pointer


def copied_bytes(kernel, known):
    """How many bytes a kernel that does nothing else copies from its second argument to its first,
    or None for any other; `known` are the module's constants."""
    if [argument_type(argument) for argument in kernel.args.args] != ["ptr8", "ptr8"]:
        return None
    kernel = copy.deepcopy(kernel)
    fold(kernel, known)
    loop = kernel.body[0]
    if len(kernel.body) != 1 or not isinstance(loop, ast.For):
        return None
    to, source = arguments(kernel)
    i = ast.unparse(loop.target)
    count = integer(loop.iter.args[0])
    copies_all = f"for {i} in range({count}):\n    {to}[{i}] = {source}[{i}]"
    return count if ast.unparse(loop) == copies_all else None


def copy_words(kernel):
    """Make a folded kernel that only copies bytes copy words."""
    count = copied_bytes(kernel, {})
    if count is None or count % 4 != 0:
        return
    to, source = arguments(kernel)
    i = kernel.body[0].target.id
    rounds, rest = divmod(count // 4, _BLOCK)
    lines = [
        f"{i} = 0",
        f"while {i} < {rounds}:",
        *(f"    {to}[{k}] = {source}[{k}]" for k in range(_BLOCK)),
        *(f"    {p} = ptr32({4 * _BLOCK} + int({p}))" for p in (to, source)),
        f"    {i} += 1",
        *(f"{to}[{k}] = {source}[{k}]" for k in range(rest)),
    ]
    kernel.body = ast.parse("\n".join(lines)).body
    for argument in kernel.args.args:
        argument.annotation.id = "ptr32"

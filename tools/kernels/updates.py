"""Updates of buffer items as plain assignments.

    s[_LIBS + s[_HEAD + p]] += 1   ->   at = 220 + s[432 + p]
                                        s[at] = 1 + s[at]

viper keeps buffer and index of `s[i] += x` on a stack of its own until it stores. An index
that is more than a variable plus a small number goes into a variable: it is worked out once,
and pointers.py can do more with it.

Measured: 14 %, with MAST 10 %.
"""

import ast
import copy

from picograve_tools.kernels.fold import near
from picograve_tools.kernels.syntax import assign, fresh, integer, is_name, name, own_names, rewrite


def spell_out(kernel):
    """Write the kernel's updates of buffer items as assignments."""
    taken = own_names(kernel)

    def change(statement):
        if not isinstance(statement, ast.AugAssign) or is_name(statement.target):
            return [statement]
        buffer, index = statement.target.value, statement.target.slice
        if not is_name(buffer):
            return [statement]
        before = []
        if integer(index) is None and not near(index):
            at = fresh(taken, "at")
            taken.add(at)
            before = [assign(at, index)]
            index = name(at)
        old = ast.Subscript(copy.deepcopy(buffer), copy.deepcopy(index), ast.Load())
        value = ast.BinOp(old, statement.op, statement.value)
        return [*before, ast.Assign([ast.Subscript(buffer, index, ast.Store())], value, lineno=0)]

    kernel.body = rewrite(kernel.body, change)

"""Constants: what the build can compute, the chip need not.

    s[_CELL - _ROW + p]       ->  s[p - 6]
    2 * _ROW - 2 if k == 1 else 2  ->  26, once `unroll` has put a number for k

viper takes the constants of `const()` in but adds them up on the chip, in the order of the
text. Here they are put in, folded, and gathered to one in a sum: c + x or x - c.

Measured: 18 %, with MAST 16 %, as little can be unrolled without it.
"""

import ast
import copy
import operator

from picograve_tools.kernels.syntax import constant, integer, is_call, is_name, own_names

_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
}

_REACH = 32  # items beside a pointer that one load of an ARM Thumb chip reaches


def constants(module):
    """{name: value} of the module's `NAME = const(...)`, of numbers and constants before it."""
    known = {}
    for statement in module.body:
        if isinstance(statement, ast.Assign) and is_call(statement.value, "const"):
            value = integer(_Fold(known).visit(copy.deepcopy(statement.value.args[0])))
            if value is not None and is_name(statement.targets[0]):
                known[statement.targets[0].id] = value
    return known


def fold(kernel, known):
    """Fold the kernel's expressions; `known` are the module's constants."""
    own = own_names(kernel)
    visible = {name: value for name, value in known.items() if name not in own}
    kernel.body = [_Fold(visible).visit(statement) for statement in kernel.body]


def folded(block):
    """The block folded once more, after numbers have been put for names."""
    return [_Fold({}).visit(statement) for statement in block]


def split(node):
    """(c, x) with node == c + x, x no sum with a constant. Of a folded expression."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left, right = integer(node.left), integer(node.right)
        if right is not None:
            inner, rest = split(node.left)
            return inner + (right if isinstance(node.op, ast.Add) else -right), rest
        if left is not None and isinstance(node.op, ast.Add):
            inner, rest = split(node.right)
            return inner + left, rest
    return 0, node


def near(index):
    """(variable, offset) of an index that is a variable plus a small constant, else None: one
    that a single load reaches from a pointer."""
    offset, variable = split(index)
    return (variable.id, offset) if is_name(variable) and 0 <= offset < _REACH else None


def shifted(offset, node):
    """The expression offset + node."""
    if offset > 0:
        return ast.BinOp(constant(offset), ast.Add(), node)
    if offset < 0:
        return ast.BinOp(node, ast.Sub(), constant(-offset))
    return node


class _Fold(ast.NodeTransformer):
    def __init__(self, known):
        self.known = known

    def visit_Name(self, node):
        return constant(self.known[node.id]) if node.id in self.known else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        left, right = integer(node.left), integer(node.right)
        if left is not None and right is not None and type(node.op) in _OPERATIONS:
            return constant(_OPERATIONS[type(node.op)](left, right))
        return shifted(*split(node))

    def visit_Compare(self, node):
        self.generic_visit(node)
        values = [integer(node.left), integer(node.comparators[0])]
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq) and None not in values:
            return constant(values[0] == values[1])
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

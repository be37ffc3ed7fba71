"""Conditions as numbers.

    if cell == colour and libs != 0:   ->   if not cell ^ colour and libs:

viper makes a comparison a number, 0 or 1, and then compares that with 0 to branch; a number
that is there already it only compares with 0. So in conditions `x != y` is `x ^ y`, which is
0 for equal numbers only, and `x != 0` is x.

Measured: 7 %, with MAST 7 %.
"""

import ast

from picograve_tools.kernels.syntax import integer, kind_of, kinds, statements


def branch_on_numbers(kernel):
    """Write equalities in the kernel's conditions as numbers."""
    known = kinds(kernel)
    for statement in statements(kernel.body):
        if isinstance(statement, (ast.If, ast.While)):
            statement.test = _number(statement.test, known)


def _number(test, known):
    """An expression that is as true as the test."""
    if isinstance(test, ast.BoolOp):
        test.values = [_number(value, known) for value in test.values]
        return test
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return test
    left, right = test.left, test.comparators[0]
    is_equality = isinstance(test.ops[0], (ast.Eq, ast.NotEq))
    if not is_equality or {kind_of(left, known), kind_of(right, known)} != {"int"}:
        return test
    differs = left if integer(right) == 0 else ast.BinOp(left, ast.BitXor(), right)
    return differs if isinstance(test.ops[0], ast.NotEq) else ast.UnaryOp(ast.Not(), differs)

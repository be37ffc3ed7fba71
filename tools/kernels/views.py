"""A pointer to an argument becomes the argument.

    def outcome(state) -> int:          def outcome(s: ptr8) -> int:
        s = ptr8(state)            ->       ...
        ...

An argument without a type is an object, and its place, a register if it is one of the first
two (see registers.py), can hold nothing else. Where the only use of an argument is the
pointer made from it, the pointer takes its place.

Measured: 18 %, with MAST 14 %.
"""

import ast

from picograve_tools.kernels.syntax import (
    POINTER_BYTES,
    argument_type,
    is_call,
    is_name,
    name,
    names,
    stored,
)


def type_arguments(kernel):
    for argument in kernel.args.args:
        view = _only_view(kernel, argument)
        if view:
            kernel.body.remove(view)
            argument.arg = view.targets[0].id
            argument.annotation = name(view.value.func.id)


def _only_view(kernel, argument):
    """The statement `pointer = ptrN(argument)`, if that is all the argument is used for."""
    if argument_type(argument) or names(kernel.body).count(argument.arg) != 1:
        return None
    for statement in kernel.body:
        if (
            isinstance(statement, ast.Assign)
            and is_name(statement.targets[0])
            and is_call(statement.value, *POINTER_BYTES)
            and is_name(statement.value.args[0])
            and statement.value.args[0].id == argument.arg
            and stored(kernel.body).count(statement.targets[0].id) == 1
        ):
            return statement
    return None

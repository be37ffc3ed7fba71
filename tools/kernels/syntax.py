"""Syntax trees of kernels: what the transformations ask and build.

A kernel is a function decorated with `@micropython.viper`; its subset of Python is described
in picograve/kernel.py. `understood` says whether a kernel keeps to the statements that the
transformations know; one that does not is left as it is.
"""

import ast
import copy

POINTER_BYTES = {"ptr8": 1, "ptr16": 2, "ptr32": 4}
KINDS = ("int", *POINTER_BYTES)  # the types of variables that the transformations know
LOOPS = (ast.For, ast.While)
_STATEMENTS = (
    ast.While, ast.If, ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue,
    ast.Pass,
)  # fmt: skip
_BINDING = (ast.NamedExpr, ast.Lambda, ast.comprehension)


def is_kernel(node):
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator) == "micropython.viper" for decorator in node.decorator_list
    )


def understood(kernel):
    """Whether the kernel has plain arguments, only known statements, assignments to one name
    or item, loops over a range, and no expression that binds a name."""
    given = kernel.args
    return (
        not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults)
        and all(_is_known(statement) for statement in statements(kernel.body))
        and not any(isinstance(node, _BINDING) for node in ast.walk(kernel))
    )


def _is_known(statement):
    target = target_of(statement)
    if isinstance(statement, ast.For):
        return is_name(target) and is_call(statement.iter, "range")
    if isinstance(statement, ast.Assign) and len(statement.targets) != 1:
        return False
    return isinstance(statement, _STATEMENTS) and (
        target is None or isinstance(target, (ast.Name, ast.Subscript))
    )


def target_of(statement):
    """What a statement stores to: a name, an item of a buffer, or None."""
    if isinstance(statement, ast.Assign):
        return statement.targets[0]
    return getattr(statement, "target", None)


def statements(block):
    """All statements of a block, those inside others too, in the order of the text."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def blocks(statement):
    """The blocks of a compound statement."""
    return [b for b in (getattr(statement, "body", None), getattr(statement, "orelse", None)) if b]


def leaves(block, *exits):
    """Whether one of the exits (ast.Break, ast.Continue) of the loop around is in its block."""
    return any(
        isinstance(statement, exits)
        or (isinstance(statement, ast.If) and leaves(statement.body + statement.orelse, *exits))
        or (isinstance(statement, LOOPS) and leaves(statement.orelse, *exits))
        for statement in block
    )


def rewrite(block, change):
    """The block with every statement replaced by the list `change(statement)`, inner first."""
    result = []
    for statement in block:
        for field in ("body", "orelse"):
            if getattr(statement, field, None):
                setattr(statement, field, rewrite(getattr(statement, field), change))
        result += change(statement)
    return result


def name(text):
    return ast.Name(text, ast.Load())


def constant(value):
    return ast.Constant(value)


def assign(target, value):
    return ast.Assign([ast.Name(target, ast.Store())], value, lineno=0)


def call(function, *arguments):
    return ast.Call(name(function), list(arguments), [])


def add(left, right):
    return ast.BinOp(left, ast.Add(), right)


def is_name(node):
    return isinstance(node, ast.Name)


def is_call(node, *functions):
    """Whether node calls one of the named functions."""
    return isinstance(node, ast.Call) and is_name(node.func) and node.func.id in functions


def integer(node):
    """The value of a constant integer, None for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def names(nodes, context=(ast.Load, ast.Store)):
    """The names in the nodes, each as often as it stands there."""
    if isinstance(nodes, ast.AST):
        nodes = [nodes]
    return [
        node.id
        for root in nodes
        for node in ast.walk(root)
        if is_name(node) and isinstance(node.ctx, context)
    ]


def stored(nodes):
    return names(nodes, ast.Store)


def loaded(nodes):
    """The names read; `x += 1` reads x."""
    if isinstance(nodes, ast.AST):
        nodes = [nodes]
    updated = [
        node.target.id
        for root in nodes
        for node in ast.walk(root)
        if isinstance(node, ast.AugAssign) and is_name(node.target)
    ]
    return names(nodes, ast.Load) + updated


def arguments(kernel):
    return [argument.arg for argument in kernel.args.args]


def argument_type(argument):
    """One of KINDS, or None: an object."""
    declared = argument.annotation.id if is_name(argument.annotation) else None
    return declared if declared in KINDS else None


def own_names(kernel):
    """The kernel's arguments and variables."""
    return {*arguments(kernel), *stored(kernel.body)}


def fresh(taken, wish):
    """A name not among the taken: the wish, or the wish with a number."""
    choice = wish
    number = 1
    while choice in taken:
        number += 1
        choice = "%s_%d" % (wish, number)
    return choice


class _Substitution(ast.NodeTransformer):
    def __init__(self, values):
        self.values = values

    def visit_Name(self, node):
        if node.id not in self.values:
            return node
        if isinstance(node.ctx, ast.Store):
            return ast.Name(self.values[node.id].id, ast.Store())
        return copy.deepcopy(self.values[node.id])


def substitute(block, values):
    """A copy of the block with names replaced by expressions, {name: expression}."""
    return [_Substitution(values).visit(statement) for statement in copy.deepcopy(block)]


def kinds(kernel):
    """The type of every variable: one of KINDS, or None for any other, and for one with two."""
    found = {a.arg: argument_type(a) for a in kernel.args.args}
    for statement in statements(kernel.body):
        target = target_of(statement)
        if is_name(target):
            is_counter = isinstance(statement, ast.For)
            kind = "int" if is_counter else kind_of(statement.value, found)
            if found.setdefault(target.id, kind) != kind:
                found[target.id] = None
    return found


def kind_of(node, known):
    """The type of an expression, given those of the variables."""
    if integer(node) is not None:
        return "int"
    if is_name(node):
        return known.get(node.id)
    if is_call(node, *KINDS):
        return node.func.id
    if isinstance(node, ast.Subscript):
        return "int" if kind_of(node.value, known) in POINTER_BYTES else None
    if isinstance(node, ast.BinOp):
        both = {kind_of(node.left, known), kind_of(node.right, known)}
        return "int" if both == {"int"} else None
    return None

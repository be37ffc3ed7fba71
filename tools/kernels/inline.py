"""Small kernels inlined where they are called in a loop.

    if int(fills_eye(state, q, colour)) == 0:   ->   fills_eye_other = 3 - colour
                                                     if s[q - 6] == fills_eye_other or ...:
                                                         fills_eye_result = 0
                                                     else:
                                                         ...
                                                     if fills_eye_result == 0:

The glue of a call costs some 690 cycles on an RP2040, more than the work of such a kernel.
The rule: inside a loop, a kernel of the same file that calls no function itself, or none any more
when those have been inlined, where its result is a statement's first concern (`f(x)`,
`y = int(f(x))`, `return int(f(x))`, `if int(f(x)) == 0:`). Calls outside loops stay: they are rare,
and the code would grow. It is done twice: before short loops are unrolled, because what they call
is in a loop only then; and after, for kernels whose own loops are then gone.

An argument is evaluated once and first, into a variable, unless it is a name or a number of
the same type and the kernel does not change it. For a pointer to an argument of the caller, given
or made by the kernel itself, the caller's own is taken. `return` becomes an assignment that is
still the last thing on its path: what follows an `if` that returns moves into its other branch,
what follows a loop that returns into the loop's `else`. A kernel for which that is not enough is
not inlined.

Measured: 80 %, with MAST 63 %.
"""

import ast
import copy

from picograve_tools.kernels.syntax import (
    LOOPS,
    POINTER_BYTES,
    argument_type,
    arguments,
    assign,
    call,
    fresh,
    is_call,
    is_name,
    kind_of,
    kinds,
    leaves,
    loaded,
    name,
    own_names,
    statements,
    stored,
    substitute,
)


def inline(kernels, may_leave_loops=True):
    """Inline what the rule allows, in all kernels of a file: until no more of them call nothing.
    Not those that return from a loop, if they may not leave any: such a loop is never unrolled."""
    small = {}
    while True:
        more = {
            kernel.name: copy.deepcopy(kernel)
            for kernel in kernels
            if kernel.name not in small
            and _calls_nothing(kernel)
            and _can_settle(kernel)
            and (may_leave_loops or not _leaves_a_loop(kernel))
        }
        if not more:
            break
        small |= more
        for kernel in kernels:
            kernel.body = _Inliner(kernel, more).block(kernel.body, in_loop=False)


def _calls_nothing(kernel):
    casts = ("int", "range", *POINTER_BYTES)
    calls = [node for node in ast.walk(kernel) if isinstance(node, ast.Call)]
    return all(is_call(node, *casts) for node in calls)


def _leaves_a_loop(kernel):
    return any(isinstance(s, LOOPS) and _returns_within(s) for s in statements(kernel.body))


class _CannotSettle(Exception):
    pass


def _can_settle(kernel):
    try:
        _settled(kernel.body, None)
    except _CannotSettle:
        return False
    return True


def _settled(block, result):
    """A copy of the block in which `return value` is `result = value`, or nothing where no
    result is wanted, and still the last thing that happens."""
    out = []
    for number, statement in enumerate(block):
        rest = block[number + 1 :]
        if isinstance(statement, ast.Return):
            return out + _result(statement, result)
        if not _returns_within(statement):
            out.append(copy.deepcopy(statement))
        elif isinstance(statement, ast.If):
            body, other = statement.body, statement.orelse
            if not _always_returns(body):
                body = body + rest
            if not _always_returns(other):
                other = other + rest
            if body is not statement.body and other is not statement.orelse and rest:
                raise _CannotSettle
            body = _settled(body, result) or [ast.Pass()]
            return [*out, ast.If(copy.deepcopy(statement.test), body, _settled(other, result))]
        else:
            loop = copy.deepcopy(statement)
            inner = [s for s in statements(loop.body) if isinstance(s, LOOPS)]
            if loop.orelse or leaves(loop.body, ast.Break) or any(map(_returns_within, inner)):
                raise _CannotSettle
            loop.body = _broken(loop.body, result)
            loop.orelse = _settled(rest, result)
            return [*out, loop]
    return out


def _result(statement, result):
    return [assign(result, copy.deepcopy(statement.value))] if result else []


def _returns_within(statement):
    return any(isinstance(inner, ast.Return) for inner in statements([statement]))


def _always_returns(block):
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    return isinstance(last, ast.Return)


def _broken(block, result):
    """The block of a loop with `return value` as `result = value; break`."""
    out = []
    for statement in block:
        if isinstance(statement, ast.Return):
            return [*out, *_result(statement, result), ast.Break()]
        if isinstance(statement, ast.If):
            statement.body = _broken(statement.body, result)
            statement.orelse = _broken(statement.orelse, result)
        out.append(statement)
    return out


class _Inliner:
    def __init__(self, caller, small):
        self.small = small
        self.own = own_names(caller)
        self.kinds = kinds(caller)
        self.views = _views(caller)
        self.given = {}  # names for an inlined kernel's variables, the same at all its calls

    def block(self, block, in_loop):
        out = []
        for statement in block:
            out += self._statement(statement) if in_loop else [statement]
            if isinstance(statement, (ast.If, *LOOPS)):
                inside = in_loop or isinstance(statement, LOOPS)
                statement.body = self.block(statement.body, inside)
                statement.orelse = self.block(statement.orelse, in_loop)
        return out

    def _statement(self, statement):
        """The statement without its call, after the inlined kernel."""
        if isinstance(statement, ast.Expr):
            found = self._inlinable(statement.value)
            return self._inlined(found, None) if found else [statement]
        if isinstance(statement, ast.Assign) and is_name(statement.targets[0]):
            found = self._with_result(statement.value)
            return self._inlined(found, statement.targets[0].id) if found else [statement]
        if isinstance(statement, ast.Return):
            holder, field = statement, "value"
        elif isinstance(statement, ast.If) and isinstance(statement.test, ast.Compare):
            holder, field = statement.test, "left"
        else:
            return [statement]
        found = self._with_result(getattr(holder, field))
        if not found:
            return [statement]
        result = self._name(found, "result")
        setattr(holder, field, name(result))
        return [*self._inlined(found, result), statement]

    def _with_result(self, node):
        """The call in `int(f(x))`, if it can be inlined."""
        found = self._inlinable(node.args[0]) if is_call(node, "int") else None
        if not found:
            return None
        declared = self.small[found.func.id].returns
        return found if is_name(declared) and declared.id == "int" else None

    def _inlinable(self, node):
        """The call `f(x)`, if f is small, takes what it is given, and means the same here."""
        if not is_call(node, *self.small):
            return None
        kernel = self.small[node.func.id]
        outside = set(loaded(kernel.body)) - own_names(kernel)
        given = [(argument_type(a), v) for a, v in zip(kernel.args.args, node.args, strict=False)]
        fits = (
            len(node.args) == len(kernel.args.args)
            and not node.keywords
            and not outside & self.own
            and all(kind or kind_of(value, self.kinds) is None for kind, value in given)
        )
        return node if fits else None

    def _name(self, found, variable):
        """What a variable of the called kernel is named in the caller."""
        key = (found.func.id, variable)
        if key not in self.given:
            self.given[key] = fresh({*self.own, *self.given.values()}, "%s_%s" % key)
        return self.given[key]

    def _inlined(self, found, result):
        kernel = self.small[found.func.id]
        values = {variable: name(self._name(found, variable)) for variable in stored(kernel.body)}
        before = []
        for argument, value in zip(kernel.args.args, found.args, strict=True):
            kind = argument_type(argument)
            view = self.views.get((value.id, kind)) if is_name(value) else None
            if argument.arg not in values and view:
                values[argument.arg] = name(view)
            elif argument.arg not in values and self._stands_for_itself(value, kind):
                values[argument.arg] = value
            else:
                own = self._name(found, argument.arg)
                values[argument.arg] = name(own)
                before.append(assign(own, call(kind, value) if kind else value))
        body = self._with_our_views(kernel, found, values)
        return before + _settled(substitute(body, values), result)

    def _with_our_views(self, kernel, found, values):
        """The kernel's body without the pointers that it makes of arguments, where the caller has
        such a one: that goes into `values` instead."""
        given = dict(zip(arguments(kernel), found.args, strict=True))
        made = []
        for (argument, kind), pointer in _views(kernel).items():
            value = given[argument]
            view = self.views.get((value.id, kind)) if is_name(value) else None
            if pointer != argument and view:
                values[pointer] = name(view)
                made.append(pointer)
        return [s for s in kernel.body if not (isinstance(s, ast.Assign) and _target(s) in made)]

    def _stands_for_itself(self, value, kind):
        is_plain = is_name(value) or isinstance(value, ast.Constant)
        return is_plain and kind_of(value, self.kinds) == kind


def _target(statement):
    target = statement.targets[0]
    return target.id if is_name(target) else None


def _views(caller):
    """{(argument, pointer type): the caller's pointer to it}, of those that stay what they are."""
    changed = stored(caller.body)
    found = {
        (a.arg, argument_type(a)): a.arg
        for a in caller.args.args
        if argument_type(a) in POINTER_BYTES and a.arg not in changed
    }
    for statement in caller.body:
        if not (isinstance(statement, ast.Assign) and is_name(statement.targets[0])):
            break
        pointer = statement.targets[0].id
        if is_call(statement.value, *POINTER_BYTES) and is_name(statement.value.args[0]):
            argument = statement.value.args[0].id
            if argument in arguments(caller) and argument not in changed:
                if changed.count(pointer) == 1:
                    found[argument, statement.value.func.id] = pointer
    return found

"""Kernels as C: each becomes one static function that does the same.

    def draw(r: ptr32, n: int) -> int:         static int_t rng_draw(void *r_given, int_t n) {
        z = 18000 * (r[0] & 65535)        ->       int32_t *r = r_given;
        ...                                        int_t z;
                                                   z = (18000 * (r[0] & 65535));
                                                   ...

`Program(load)` knows kernels by their module, whose text `load(module)` gives; `c_text(kernels)`
is the C of some of them and of all that they call, in any file.

Every variable has one kind: `int` (int_t), `ptr8`, `ptr16`, `ptr32`, or `object`, which is an
address of anything: a buffer, a group (an array of addresses: picograve.kernel.group), a kernel.
A function takes int_t and void * only, so whoever calls one by its address needs to know no more
than a call shows. What is outside the subset is refused with its file and line.

C leaves open in which order operands, arguments and the two sides of an assignment are
evaluated; Python does not. Where it could matter, because a kernel is called in one and another
is not a plain name or number, the earlier one goes into a temporary, in GCC's `({ ... })`.

What a target must define before this text: int_t, a signed integer of 32 bits or more;
floor_divide(a, b), modulo(a, b) with Python's signs; copy_bytes(to, from, count) for buffers that
do not overlap; FEW_ROUNDS, which stands before a loop of at most 8 rounds: nothing, or a wish to
unroll it.
"""

import ast
from functools import cached_property

from picograve.errors import BadInput
from picograve_tools.kernels import on_a_chip
from picograve_tools.kernels.fold import constants
from picograve_tools.kernels.syntax import (
    POINTER_BYTES,
    arguments,
    fresh,
    integer,
    is_call,
    is_kernel,
    is_name,
    leaves,
    own_names,
)
from picograve_tools.kernels.words import copied_bytes

C_TYPES = {
    "int": "int_t ",
    "ptr8": "uint8_t *",
    "ptr16": "uint16_t *",
    "ptr32": "int32_t *",
    "object": "void *",
}
RUNTIME = "picograve.kernel"  # which has no kernel for kernels
SHORT = 8  # rounds of a loop that is worth unrolling
_CASTS = ("int", *POINTER_BYTES)
_AROUND = "write int(...) around a call whose result is used"
_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_DIVISIONS = {ast.FloorDiv: "floor_divide", ast.Mod: "modulo"}
_COMPARISONS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_SIGNS = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
# What a kernel may call a variable and this C may not.
_RESERVED = frozenset(
    "auto case char const default do double enum extern float goto inline int long register "
    "restrict short signed sizeof static struct switch typedef union unsigned void volatile "
    "asm typeof linux unix NULL floor_divide modulo memcpy "
    "int_t int32_t uint8_t uint16_t".split()
)


class NotC(BadInput):
    """A kernel that cannot be translated: where, and why."""


class Program:
    """The kernels of all modules that are asked for; load(module) is a module's text."""

    def __init__(self, load):
        self._load = load
        self._modules = {}

    def module(self, name):
        if name not in self._modules:
            self._modules[name] = Module(name, self._load(name))
        return self._modules[name]

    def kernel(self, module, name):
        """The kernel that a name stands for in a module, or None."""
        if name in module.kernels:
            return module.kernels[name]
        if name in module.imports:
            source, name = module.imports[name]
            try:
                return self.kernel(self.module(source), name)
            except (KeyError, AttributeError):  # a module without a text, such as array
                return None
        return None

    def c_text(self, kernels):
        """Declarations, then functions, of the kernels and of whatever they call."""
        functions, waiting = {}, list(kernels)
        while waiting:
            kernel = waiting.pop()
            if kernel.c_name not in functions:
                functions[kernel.c_name] = function = _Function(self, kernel)
                waiting += function.called
        functions = [functions[name] for name in sorted(functions)]
        declarations = "".join(function.kernel.signature + ";\n" for function in functions)
        return declarations + "".join("\n" + function.text for function in functions)


class Module:
    def __init__(self, name, text):
        self.name = name
        tree = on_a_chip(ast.parse(text))
        self.constants = constants(tree)
        self.kernels = {n.name: Kernel(self, n) for n in tree.body if is_kernel(n)}
        self.imports = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module != RUNTIME
            for alias in node.names
        }


class Kernel:
    """What a caller knows of a kernel."""

    def __init__(self, module, node):
        self.module = module
        self.node = node
        self.name = node.name
        self.c_name = "%s_%s" % (
            module.name.removeprefix("picograve.").replace(".", "_"),
            node.name,
        )
        given = node.args
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
            self.refuse(node, "a kernel takes plain arguments without defaults")
        self.kinds = {argument.arg: self._declared(argument) for argument in given.args}
        self.returns = node.returns is not None
        if self.returns and ast.unparse(node.returns) != "int":
            self.refuse(node, "a kernel returns int or nothing")

    def _declared(self, argument):
        if argument.annotation is None:
            return "object"
        kind = ast.unparse(argument.annotation)
        if kind not in C_TYPES or kind == "object":
            self.refuse(
                argument, "%s is declared as %s: int, ptr8, ptr16, ptr32" % (argument.arg, kind)
            )
        return kind

    @cached_property
    def signature(self):
        given = [
            C_TYPES["int"] + _c_name(name) if kind == "int" else "void *" + _given(name, kind)
            for name, kind in self.kinds.items()
        ]
        result = "int_t" if self.returns else "void"
        return "static %s %s(%s)" % (result, self.c_name, ", ".join(given) or "void")

    def refuse(self, node, why):
        file = self.module.name.removeprefix("picograve_game_").replace(".", "/")
        place = "%s.py:%d" % (file, getattr(node, "lineno", 0))
        raise NotC("%s: kernel %s: %s" % (place, self.node.name, why))


def _c_name(name):
    plain = name.rstrip("_")
    return name + "_" if plain in _RESERVED or plain.endswith("_given") else name


def _given(name, kind):
    """The parameter's name: a pointer is given as an address and gets its type inside."""
    return _c_name(name) if kind == "object" else _c_name(name) + "_given"


class _Function:
    """One kernel's C; `called` are the kernels that it names."""

    def __init__(self, program, kernel):
        self._program = program
        self.kernel = kernel
        self.called = []
        self._own = own_names(kernel.node)
        self._kinds = dict(kernel.kinds)
        self._numbers = 0  # of temporaries
        body = self._copy() or self._block(kernel.node.body, 1)
        if kernel.returns and not _ends(kernel.node.body):
            kernel.refuse(kernel.node.body[-1], "a kernel declared -> int ends with a return")
        self.text = "%s {\n%s}\n" % (kernel.signature, "".join(self._head() + body))

    def _head(self):
        """The parameters that are pointers, and the variables."""
        given = self.kernel.kinds
        lines = [
            "    %s%s = %s;\n" % (C_TYPES[kind], _c_name(name), _given(name, kind))
            for name, kind in given.items()
            if kind in POINTER_BYTES
        ]
        return lines + [
            "    %s%s;\n" % (C_TYPES[kind], _c_name(name))
            for name, kind in self._kinds.items()
            if name not in given
        ]

    def _copy(self):
        """A kernel that does nothing but copy bytes, which C libraries do well."""
        count = copied_bytes(self.kernel.node, self.kernel.module.constants)
        if count is None:
            return None
        to, source = map(_c_name, arguments(self.kernel.node))
        return ["    copy_bytes(%s, %s, %d);\n" % (to, source, count)]

    # Statements: lists of lines.

    def _block(self, block, depth):
        return [line for statement in block for line in self._statement(statement, depth)]

    def _statement(self, node, depth):
        pad = "    " * depth
        if isinstance(node, ast.Assign):
            return [pad + self._assign(node) + ";\n"]
        if isinstance(node, ast.AugAssign):
            return [pad + self._update(node) + ";\n"]
        if isinstance(node, ast.If):
            lines = [pad + "if (%s) {\n" % self._condition(node.test)]
            lines += self._block(node.body, depth + 1)
            if node.orelse:
                lines += [pad + "} else {\n", *self._block(node.orelse, depth + 1)]
            return [*lines, pad + "}\n"]
        if isinstance(node, (ast.While, ast.For)):
            if node.orelse:
                self.kernel.refuse(node, "a loop has no else")
            head = self._while(node) if isinstance(node, ast.While) else self._for(node)
            first = [pad + "    " + line for line in head[1:]]
            return [pad + head[0], *first, *self._block(node.body, depth + 1), pad + "}\n"]
        if isinstance(node, ast.Return):
            return [pad + self._return(node) + ";\n"]
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):  # a docstring
                return []
            return [pad + self._expression(node.value)[0] + ";\n"]
        for kind, text in ((ast.Break, "break"), (ast.Continue, "continue"), (ast.Pass, "")):
            if isinstance(node, kind):
                return [pad + text + ";\n"]
        return self.kernel.refuse(node, "no kernel can %s" % type(node).__name__.lower())

    def _assign(self, node):
        if len(node.targets) != 1 or isinstance(node.targets[0], ast.Tuple):
            self.kernel.refuse(node, "assign one thing at a time")
        (target,) = node.targets
        value, kind = self._expression(node.value)
        if is_name(target):
            if kind is None:
                self.kernel.refuse(node, _AROUND)
            known = self._kinds.setdefault(target.id, kind)
            if known != kind:
                self.kernel.refuse(node, "%s is %s and then %s" % (target.id, known, kind))
            return "%s = %s" % (_c_name(target.id), value)
        item = self._item(target)
        value = self._is_int(node.value, value, kind)
        if _matters(node.value, target.slice):  # the value comes first
            temporary = self._temporary()
            return "({ int_t %s = %s; %s = %s; })" % (temporary, value, item, temporary)
        return "%s = %s" % (item, value)

    def _update(self, node):
        if is_name(node.target):
            old = target = self._int(ast.Name(node.target.id, ast.Load(), lineno=node.lineno))
        else:
            old = target = self._item(node.target)
        value = self._int(node.value)
        if is_name(node.target) or not (_calls(node.value) or _calls(node.target)):
            return "%s = %s" % (target, self._operation(node, old, value, node.value))
        # Found once, loaded before the value is computed.
        where, old = self._temporary(), self._temporary()
        made = self._operation(node, old, value, node.value)
        return "({ __typeof__(%s) *%s = &%s; int_t %s = *%s; *%s = %s; })" % (
            target, where, target, old, where, where, made,
        )  # fmt: skip

    def _while(self, node):
        return ["while (%s) {\n" % self._condition(node.test)]

    def _for(self, node):
        """Counted in a variable of its own, as Python does: the loop's may be changed in it."""
        if not (is_name(node.target) and is_call(node.iter, "range")):
            self.kernel.refuse(node, "a loop counts over a range")
        limits = node.iter.args
        step = 1
        if len(limits) == 3:
            step = self._number(limits[2])
            if not step:
                self.kernel.refuse(node, "a range's step is a number")
        start, end = ("0", self._int(limits[0]))
        if len(limits) > 1:
            start, end = self._int(limits[0]), self._int(limits[1])
        if self._kinds.setdefault(node.target.id, "int") != "int":
            self.kernel.refuse(node, "%s counts and is no int" % node.target.id)
        i, last = self._temporary(), self._temporary()
        head = "%sfor (int_t %s = %s, %s = %s; %s %s %s; %s += %d) {\n" % (
            "FEW_ROUNDS " if self._is_short(limits) else "",
            i, start, last, end, i, "<" if step > 0 else ">", last, i, step,
        )  # fmt: skip
        return [head, "%s = %s;\n" % (_c_name(node.target.id), i)]

    def _is_short(self, limits):
        numbers = [self._number(limit) for limit in limits]
        return None not in numbers and len(range(*numbers)) <= SHORT

    def _return(self, node):
        if node.value is None:
            if self.kernel.returns:
                self.kernel.refuse(node, "return a number: the kernel is declared -> int")
            return "return"
        if not self.kernel.returns:
            self.kernel.refuse(node, "a kernel that returns a number is declared -> int")
        return "return " + self._int(node.value)

    # Expressions: (C text, kind). The kind of a call by address is None until int() is around it.

    def _int(self, node):
        return self._is_int(node, *self._expression(node))

    def _is_int(self, node, text, kind):
        if kind is None:
            self.kernel.refuse(node, _AROUND)
        if kind != "int":
            self.kernel.refuse(node, "%s is no int but %s" % (ast.unparse(node), kind))
        return text

    def _condition(self, node):
        if isinstance(node, ast.BoolOp):
            word = " && " if isinstance(node.op, ast.And) else " || "
            return "(%s)" % word.join(self._condition(value) for value in node.values)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return "!%s" % self._condition(node.operand)
        return self._int(node)

    def _number(self, node):
        """The value of a constant, or None."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._number(node.operand)
            return None if value is None else -value
        if is_name(node) and node.id not in self._own:
            return self.kernel.module.constants.get(node.id)
        return integer(node)

    def _expression(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return "%d" % node.value, "int"
        if is_name(node):
            return self._name(node)
        if isinstance(node, ast.BinOp):
            left, right = self._int(node.left), self._int(node.right)
            made = self._in_order(
                (node.left, node.right),
                (left, right),
                lambda left, right: self._operation(node, left, right, node.right),
            )
            return made, "int"
        if isinstance(node, ast.Compare):
            return self._compare(node), "int"
        if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
            return "(%s%s)" % (_SIGNS[type(node.op)], self._int(node.operand)), "int"
        if isinstance(node, (ast.BoolOp, ast.UnaryOp)):
            if not _is_truth(node):
                self.kernel.refuse(node, "and, or, not join comparisons")
            return self._condition(node), "int"
        if isinstance(node, ast.IfExp):
            test = self._condition(node.test)
            return "(%s ? %s : %s)" % (test, self._int(node.body), self._int(node.orelse)), "int"
        if isinstance(node, ast.Subscript):
            kind = self._expression(node.value)[1]
            return self._item(node), "object" if kind == "object" else "int"
        if isinstance(node, ast.Call):
            return self._call(node)
        return self.kernel.refuse(node, "no kernel can compute %s" % ast.unparse(node))

    def _name(self, node):
        if node.id in self._kinds:
            return _c_name(node.id), self._kinds[node.id]
        number = self._number(node)
        if number is None:
            self.kernel.refuse(node, "what is %s here?" % node.id)
        return ("%d" if number >= 0 else "(%d)") % number, "int"

    def _operation(self, node, left, right, right_node):
        if type(node.op) in _OPERATORS:
            return "(%s %s %s)" % (left, _OPERATORS[type(node.op)], right)
        if type(node.op) not in _DIVISIONS:
            self.kernel.refuse(node, "no kernel can compute %s" % ast.unparse(node))
        number = self._number(right_node)
        if number and number > 0 and number & (number - 1) == 0:
            if isinstance(node.op, ast.Mod):
                return "(%s & %d)" % (left, number - 1)
            return "(%s >> %d)" % (left, number.bit_length() - 1)
        return "%s(%s, %s)" % (_DIVISIONS[type(node.op)], left, right)

    def _compare(self, node):
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
            self.kernel.refuse(node, "compare two numbers at a time")
        pair = (node.left, node.comparators[0])
        form = "(%%s %s %%s)" % _COMPARISONS[type(node.ops[0])]
        return self._in_order(pair, map(self._int, pair), lambda *both: form % both)

    def _item(self, node):
        if not isinstance(node, ast.Subscript):
            self.kernel.refuse(node, "no kernel can assign to %s" % ast.unparse(node))
        base, kind = self._expression(node.value)
        index = self._int(node.slice)
        if kind == "object":
            return "((void **)%s)[%s]" % (base, index)
        if kind not in POINTER_BYTES:
            self.kernel.refuse(node, "%s is no buffer" % ast.unparse(node.value))
        return "%s[%s]" % (base, index)

    def _call(self, node):
        if not is_name(node.func) or node.keywords:
            self.kernel.refuse(node, "call a kernel by its name, its arguments by their places")
        name = node.func.id
        if name in _CASTS and name not in self._own:
            return self._cast(node, name)
        if name in self._own:
            return self._call_address(node, name, returns=False), None
        callee = self._program.kernel(self.kernel.module, name)
        if callee is None:
            self.kernel.refuse(node, "%s is no kernel" % name)
        self.called.append(callee)
        return self._call_kernel(node, callee), None

    def _cast(self, node, name):
        if len(node.args) != 1:
            self.kernel.refuse(node, "%s takes one thing" % name)
        (value,) = node.args
        if name == "int" and is_call(value, *self._own):
            return self._call_address(value, value.func.id, returns=True), "int"
        text, kind = self._expression(value)
        if name == "int":
            if kind is None and self._program.kernel(self.kernel.module, value.func.id).returns:
                return text, "int"
            return self._is_int(value, text, kind), "int"
        if kind not in ("object", *POINTER_BYTES):
            self.kernel.refuse(node, "%s is no buffer" % ast.unparse(value))
        return text if kind == name else "((%s)%s)" % (C_TYPES[name], text), name

    def _call_kernel(self, node, callee):
        if len(node.args) != len(callee.kinds):
            self.kernel.refuse(node, "%s takes %d arguments" % (callee.name, len(callee.kinds)))
        given = []
        for argument, wanted in zip(node.args, callee.kinds.values(), strict=True):
            text, kind = self._expression(argument)
            if kind is None:
                self.kernel.refuse(argument, _AROUND)
            if (kind == "int") != (wanted == "int"):
                self.kernel.refuse(argument, "%s wants %s here" % (callee.name, wanted))
            given.append(text)
        return self._in_order(
            node.args, given, lambda *given: "%s(%s)" % (callee.c_name, ", ".join(given))
        )

    def _call_address(self, node, name, returns):
        """A call of a kernel known by its address alone, such as a rule of a game."""
        if self._kinds.get(name) != "object":
            self.kernel.refuse(node, "%s is no kernel" % name)
        given = [self._expression(argument) for argument in node.args]
        for argument, (_, kind) in zip(node.args, given, strict=True):
            if kind is None:
                self.kernel.refuse(argument, _AROUND)
        kinds = ["int_t" if kind == "int" else "void *" for _, kind in given]
        result = "int_t" if returns else "void"
        function = "((%s (*)(%s))%s)" % (result, ", ".join(kinds), _c_name(name))
        return self._in_order(
            node.args,
            [text for text, _ in given],
            lambda *given: "%s(%s)" % (function, ", ".join(given)),
        )

    def _in_order(self, nodes, texts, join):
        """join(*texts), what the nodes say computed from left to right where C might not."""
        texts = list(texts)
        before = []
        for place, node in enumerate(nodes):
            if any(_matters(node, later) for later in nodes[place + 1 :]):
                temporary = self._temporary()
                before.append("__auto_type %s = %s; " % (temporary, texts[place]))
                texts[place] = temporary
        made = join(*texts)
        return "({ %s%s; })" % ("".join(before), made) if before else made

    def _temporary(self):
        self._numbers += 1
        return fresh(self._own, "t_%d" % self._numbers)


def _calls(node):
    """Whether a kernel is called in the node."""
    return any(
        isinstance(inner, ast.Call) and not is_call(inner, "range", *_CASTS)
        for inner in ast.walk(node)
    )


def _matters(first, second):
    """Whether it matters which is computed first: one calls, and may change the other."""
    return (not _is_plain(second) and _calls(first)) or (not _is_plain(first) and _calls(second))


def _is_plain(node):
    """Whether no call can change what the node stands for."""
    return isinstance(node, ast.Constant) or is_name(node)


def _ends(block):
    """Whether nothing that follows the block is ever reached."""
    last = block[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.While):
        return ast.unparse(last.test) in ("True", "1") and not leaves(last.body, ast.Break)
    return isinstance(last, ast.Return)


def _is_truth(node):
    """Whether the node is 0 or 1."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_truth, node.values))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare)

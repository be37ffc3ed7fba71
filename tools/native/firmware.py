"""Kernels compiled into a firmware: the same C as in native modules, linked once, in flash.

    module(texts, folder)    writes a user module of MicroPython's into the folder; returns the
                             files of the program, whose kernels come from there

A native module cannot be frozen, because it is relocated when it is loaded. So all kernels that
Python calls become one module of the firmware, `_picograve`, and every file imports its own:

    from _picograve import mcts_search_run as run

Code in flash is read through a cache of 16 kB (RP2040 datasheet, 2.6.3), whose misses the
emulator does not count. The hottest kernels of one search and one game are smaller than that.
"""

import ast

from picograve_tools.kernels.program import dotted
from picograve_tools.native.module import HEADER, split, wrapper
from picograve_tools.native.translate import Program

NAME = "_picograve"
FLAGS = "-O2 -w -fwrapv -fno-strict-aliasing"
CMAKE = """\
add_library(usermod_picograve INTERFACE)
target_sources(usermod_picograve INTERFACE ${CMAKE_CURRENT_LIST_DIR}/kernels.c)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/kernels.c PROPERTIES COMPILE_OPTIONS "%s")
target_link_libraries(usermod INTERFACE usermod_picograve)
"""
MODULE = """
static const mp_rom_map_elem_t globals_table[] = {
%s};
static MP_DEFINE_CONST_DICT(globals, globals_table);
const mp_obj_module_t picograve_kernels = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};
MP_REGISTER_MODULE(MP_QSTR_%s, picograve_kernels);
"""


def module(texts, folder):
    exported, remainders = split(texts, whole=True)
    program = Program({dotted(name): text for name, text in texts.items()}.__getitem__)
    kernels = {
        name: [program.module(dotted(name)).kernels[kernel] for kernel in names]
        for name, names in exported.items()
    }
    every = [kernel for some in kernels.values() for kernel in some]
    folder.mkdir(parents=True)
    (folder / "kernels.c").write_text(_c_text(program, every))
    (folder / "micropython.cmake").write_text(CMAKE % FLAGS.replace(" ", ";"))
    return {name: _importing(text, kernels[name]) for name, text in remainders.items()}


def _c_text(program, kernels):
    rows = "".join(
        "    { MP_ROM_QSTR(MP_QSTR_%s), MP_ROM_PTR(&object_%s) },\n" % (k.c_name, k.c_name)
        for k in kernels
    )
    end = MODULE % (rows, NAME)
    return "".join((HEADER.read_text(), "\n", program.c_text(kernels), *map(wrapper, kernels), end))


def _importing(text, kernels):
    """The text with an import of its kernels in front."""
    if not kernels:
        return text
    names = [ast.alias(kernel.c_name, kernel.name) for kernel in kernels]
    return ast.unparse(ast.ImportFrom(NAME, names, 0)) + "\n" + text

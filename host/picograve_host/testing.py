"""For tests of your own games and searches, with pytest: a chip's RAM on any computer.

In conftest.py:

    pytest_plugins = ["picograve_host.testing"]

Then a test asks for the RAM of a board, or of a chip with so many bytes of heap:

    from picograve import Budget, Config, load
    from picograve_host.testing import allocations

    def test_my_game_fits_a_pico(ram):
        pico = ram("pico")
        searcher = pico.open_search(load("nim.py"), Config("graver2"), Budget(nodes=160))
        used, free, largest = pico.figures()
        assert free > 20_000  # for messages

    def test_my_game_allocates_nothing(ram):
        searcher = ram("pico").open_search(load("nim.py"), Config("graver2"), Budget(nodes=160))
        assert allocations(searcher) == []

What does not fit raises picograve.BadInput in the words of the board. picograve_host.boards.ram
says what is emulated. `allocations` looks at kernels as Python runs them: start pytest with
PICOGRAVE_RUNTIME=cpython in the environment.
"""

import builtins
import dis
import sys
from array import array
from collections.abc import Callable
from types import BuiltinFunctionType, ModuleType

import pytest
from picograve import RUNTIME, BadInput
from picograve.position import Thinker

from picograve_host.boards.descriptions import ram_of
from picograve_host.boards.ram import Ram

CONTAINERS = (list, dict, set, frozenset, tuple, str, bytes, bytearray, memoryview, array)
METHODS = {name for kind in CONTAINERS for name in dir(kind) if not name.startswith("_")}
HARMLESS = (int, bool, len, range, min, max, abs)
# Instructions of CPython, by how their names begin; from version to version they differ a little.
BUILDING = (
    "BUILD_", "LIST_", "MAP_ADD", "DICT_", "SET_ADD", "SET_UPDATE", "MAKE_FUNCTION", "BINARY_SLICE",
    "FORMAT_", "RETURN_GENERATOR", "IMPORT_", "LOAD_BUILD_CLASS",
)  # fmt: skip


@pytest.fixture
def ram() -> Callable[[str | int], Ram]:
    """From the name of a board, or a number of bytes, to its emulated RAM."""
    return lambda board: ram_of(str(board))


def allocations(searcher: Thinker, playouts: int = 20) -> list[str]:
    """Where a search would want heap that a chip does not give it while it thinks.

    It makes some playouts and looks at every function that took part, in all its branches:
    whether it builds a list, tuple, dict, string or slice, calls what makes one, or a method of
    one, such as append. Returns a line for each. Integers count as nothing, as on a chip.
    """
    if RUNTIME != "cpython":
        raise BadInput("allocations() needs Python's own kernels: set PICOGRAVE_RUNTIME=cpython")
    frames = {}  # code: globals

    def note(frame, event, _):
        if event == "call":
            frames[frame.f_code] = frame.f_globals

    searcher.start()
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        searcher.run(playouts)
    finally:
        sys.setprofile(before)
    found = [line for code, names in frames.items() for line in _allocations_in(code, names)]
    return sorted(set(found))


def _allocations_in(code, names):
    for instruction in dis.get_instructions(code):
        what = _allocation(instruction, names)
        if what:
            line = instruction.positions.lineno if instruction.positions else None
            place = code.co_filename, line, code.co_name
            yield "%s:%s %s: %s" % (*place, what)


def _allocation(instruction, names):
    """What an instruction takes from the heap, in words, or None."""
    name, argument = instruction.opname, instruction.argval
    if name.startswith(BUILDING):
        return name.lower()
    if name in ("LOAD_ATTR", "LOAD_METHOD") and argument in METHODS:
        return "." + argument
    if name == "LOAD_GLOBAL":
        value = names.get(argument, getattr(builtins, argument, None))
        if isinstance(value, ModuleType) and value.__name__ in sys.stdlib_module_names:
            return argument
        if isinstance(value, type | BuiltinFunctionType) and value not in HARMLESS:
            return argument + "()"
    return None

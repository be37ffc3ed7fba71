"""What several tests need: real MicroPython, and boards that run here."""

import pytest
from picograve_host import boards, simulated
from picograve_tools import micropython
from picograve_tools.cache import ToolMissing


def built(make, *arguments):
    """What `make` builds or has built; the test is skipped where a tool for it is missing."""
    try:
        return make(*arguments)
    except ToolMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def unix_port():
    """MicroPython's unix port, 32 bits where the compiler can."""
    path, _ = built(micropython.find_unix)
    return str(path)


@pytest.fixture
def sim():
    """A simulated board, just booted: its description and its machine."""
    board = boards.describe("sim")
    machine = built(simulated.start, board, print)
    yield board, machine
    machine.close()

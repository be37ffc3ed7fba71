"""What several tests need: real MicroPython, boards that run here, parts that do not ship."""

import gc
import os
import shutil
import signal

import pytest
import seams
from picograve.mcts.playout import PLAYOUT
from picograve.mcts.reward import REWARD
from picograve.mcts.select import SELECT
from picograve_host.boards import registry as boards
from picograve_host.boards import simulated
from picograve_host.cli import compiling
from picograve_tools import micropython
from picograve_tools.cache import ToolMissing

pytest_plugins = ["picograve_host.testing"]
compiling.announce = lambda: None  # tests read stderr; which one compiles first is chance


def pytest_configure():
    """Who is started in the background of a script ignores Ctrl-C, and so does all that it starts:
    the tests that press it would wait in vain."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """What is loaded by now stays: the board's service, which collects garbage with every message,
    need not look at all of Numba each time."""
    gc.freeze()


needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is missing")


def built(make, *arguments):
    """What `make` builds or has built; the test is skipped where a tool for it is missing."""
    try:
        return make(*arguments)
    except ToolMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(autouse=True)
def runtime_as_before():
    """A command that a test calls in its own process may choose a runtime: for itself only."""
    before = os.environ.get("PICOGRAVE_RUNTIME")
    yield
    os.environ.pop("PICOGRAVE_RUNTIME", None)
    if before is not None:
        os.environ["PICOGRAVE_RUNTIME"] = before


@pytest.fixture(scope="module")
def commands_in_c():
    """What a module's tests start has kernels in C: there in a fifth of the time Numba takes."""
    with pytest.MonkeyPatch.context() as patch:
        if shutil.which("gcc"):
            patch.setenv("PICOGRAVE_RUNTIME", "c")
        yield


@pytest.fixture(scope="session")
def unix_port():
    """MicroPython's unix port, 32 bits where the compiler can."""
    path, _ = built(micropython.find_unix)
    return str(path)


@pytest.fixture
def toys():
    """The toys are in the tables of parts while a test runs."""
    tables = (SELECT, PLAYOUT, REWARD)
    before = [dict(table) for table in tables]
    seams.add_parts()
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)


@pytest.fixture
def sim():
    """A simulated board, just booted: its description and its machine."""
    board = boards.describe("sim")
    machine = built(simulated.start, board, print)
    yield board, machine
    machine.close()

"""Chips in QEMU, used as a board is used: MicroPython on other instruction sets than a Pico's.

Kernels are compiled by C, and everything is tested with them; by viper, what differs with it.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import searches_of
from conftest import built
from line.noisy import NoisyLine
from picograve import Budget, Config, load
from picograve_host.boards import install
from picograve_host.boards import registry as boards
from picograve_host.boards.link import Link
from picograve_host.boards.simulated import Simulated
from picograve_host.players.board import BoardPlayer
from picograve_tools import mpy, qemu
from test_pico_emulator import PATIENCE, Repl, mpremote
from test_runtimes import OTHERS, POSITIONS, jobs_for

pytestmark = pytest.mark.chips

CHIPS = {"m4": "Cortex-M4", "m33": "Cortex-M33", "rv32": "RV32IMAC"}
PLAYOUTS = 60


def on_each_chip(kind):
    """A fixture for each chip; tests of one that run side by side with others share a process."""
    groups = {chip: pytest.mark.xdist_group("%s %s" % (chip, kind)) for chip in CHIPS}
    params = [pytest.param(chip, marks=group, id=chip) for chip, group in groups.items()]
    return pytest.fixture(scope="module", params=params)


@on_each_chip("by C")
def board(request):
    """A board with picograve on it: `link`, `machine`, `board`."""
    with built(boards.OpenBoard, request.param + "-emulated", print) as opened:
        yield opened


@on_each_chip("by viper")
def viper_board(request):
    """The same, its kernels compiled by viper, as where C's compilers are missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(install.COMPILER, mpy.VIPER)
        with built(boards.OpenBoard, request.param + "-emulated", print) as opened:
            yield opened


def tree_of(link, game, search, nodes, moves, seed, settings):
    """A job of searches_of on a board: the move, the playouts made, the hash of the tree."""
    settings = dict(settings)
    game = load(game, **settings.pop("options", {}))
    player = BoardPlayer(link, game, Config(search, **settings), Budget(nodes=nodes), seed)
    player.set_position(moves.split())
    thought = player.search()
    return thought.move, thought.playouts, thought.tree_hash


def desktop_trees(jobs):
    results = searches_of.run(jobs, "numba")
    return [(result["move"], result["playouts"], result["tree_hash"]) for result in results]


def test_there_is_a_board_for_each_chip():
    runs = [boards.describe(name).get("runs") for name in boards.names()]
    assert set(qemu.CHIPS) == set(CHIPS) <= set(runs)


def test_a_board_says_which_chip_it_is(board):
    chip = CHIPS[board.board["runs"]]
    assert board.link.hello["machine"].endswith("with " + chip)
    assert board.link.hello["bits"] == 32
    assert board.link.hello["refusal"] is None


def test_kernels_are_c(board):
    assert install.kernels_of(board.board).by == mpy.C


@pytest.mark.parametrize("preset", ["paper", "strong"])
def test_every_search_grows_the_same_tree_for_every_game_as_on_the_desktop(board, preset):
    """With the heap locked: the service runs every slice under heap_lock."""
    jobs = jobs_for(POSITIONS, PLAYOUTS, preset=preset)
    assert [tree_of(board.link, *job) for job in jobs] == desktop_trees(jobs)


def test_what_is_no_tree_search_and_guided_playouts_are_the_same_too(board):
    assert [tree_of(board.link, *job) for job in OTHERS] == desktop_trees(OTHERS)


def test_viper_grows_the_same_trees(viper_board):
    # Every search and game, but what is too much code by viper for the smallest heap.
    jobs = jobs_for(POSITIONS, PLAYOUTS)
    jobs = [job for job in jobs if not job[1].startswith(("tuned", "hrave"))][::5]
    jobs += [job for job in OTHERS if not job[0].startswith(("chess", "cotg", "urts"))]
    jobs = [job for job in jobs if job[0] != "hex13"]
    found = []
    for job in jobs:
        viper_board.machine.reset()  # the code of searches made before stays in the heap
        viper_board.link.reconnect()
        found.append(tree_of(viper_board.link, *job))
    assert found == desktop_trees(jobs)


def largest_search(board):
    """The playouts of the largest search that the board is said to hold, of 20."""
    board.machine.reset()  # the code of searches made before stays in the heap
    board.link.reconnect()
    budget = Budget(bytes=board.board["usable"])
    player = BoardPlayer(board.link, load("go9"), Config("graver2", playouts=20), budget)
    return player.search().playouts


def test_the_largest_search_that_the_board_is_said_to_hold_can_be_had(board):
    assert largest_search(board) == 20


def test_the_largest_search_can_be_had_with_viper_too(viper_board):
    assert largest_search(viper_board) == 20


def test_a_line_that_damages_bytes_costs_repetitions_and_no_tree(board):
    job = ["ttt3", "graver2", 20, "B2", 7, dict(playouts=PLAYOUTS)]
    board.link.close()
    try:
        with NoisyLine(board.port, seed=1) as noisy:
            link = Link(noisy.port, board.board["serial"])
            assert tree_of(link, *job) == desktop_trees([job])[0]
            link.close()
            assert noisy.accidents
    finally:
        board.link = Link(board.port, board.board["serial"])


def test_a_reset_keeps_the_port_and_what_is_installed(board):
    job = ["ttt3", "grave", 20, "", 7, dict(playouts=20)]
    port, stamp = board.port, board.link.hello["stamp"]
    board.machine.reset()
    board.link.reconnect()
    assert (board.link.port, board.link.hello["stamp"]) == (port, stamp)
    assert tree_of(board.link, *job) == desktop_trees([job])[0]


# The chip with MicroPython alone.


@on_each_chip("alone")
def chip(request):
    with Simulated(built(qemu.command, request.param)) as machine:
        yield machine


def test_files_are_kept_when_the_chip_resets_itself(chip, tmp_path):
    there, back = tmp_path / "there", tmp_path / "back"
    there.write_bytes(bytes(range(256)) * 20)
    mpremote(chip, "cp", there, ":file")
    mpremote(chip, "exec", "x = 1", "reset")
    assert mpremote(chip, "resume", "exec", "print('x' in globals())") == "False"
    mpremote(chip, "cp", ":file", back)
    assert back.read_bytes() == there.read_bytes()


def test_ctrl_c_interrupts_a_loop_and_ctrl_d_boots_again(chip):
    with Repl(chip) as repl:
        repl(b"while True: pass\r", b"... ")
        repl(b"\r", b"\r\n")
        repl(b"\x03", b"KeyboardInterrupt:")
        repl(b"\rx = 6 * 7; print(x)\r", b"\r\n42\r\n")
        repl(b"\x04", b"soft reboot")
        repl.ask_until(b"\r'x' in globals()\r", b"False")


def test_a_float_is_one(chip):
    assert mpremote(chip, "eval", "1.5 * 3") == "4.5"


def test_a_sleep_of_the_chip_is_no_shorter_on_the_wall(chip):
    began = time.monotonic()
    slept = mpremote(
        chip, "exec", "from time import *; a = ticks_us(); sleep_ms(1500); print(ticks_us() - a)"
    )
    assert int(slept) >= 1_500_000
    assert time.monotonic() - began >= 1.5


def test_a_chip_ends_with_whoever_started_it(tmp_path):
    starter = "import subprocess, sys; p = subprocess.Popen(sys.argv[1:]); print(p.pid); p.wait()"
    command = [sys.executable, "-u", "-c", starter, *built(qemu.command, "m4")]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    chip = Path("/proc/%s" % process.stdout.readline().decode().strip())
    wait_until(lambda: b"qemu" in (chip / "cmdline").read_bytes().partition(b"\0")[0])
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    # Its entry may stay, with an empty command line, until somebody asks how it ended.
    wait_until(lambda: not chip.exists() or not (chip / "cmdline").read_bytes())


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)

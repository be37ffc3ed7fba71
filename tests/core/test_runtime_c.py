"""The runtime c: built once, without Numba, and refused in one line where it cannot be."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import picograve_host.examples
import pytest
from conftest import needs_gcc

pytestmark = needs_gcc
CLI = [sys.executable, "-m", "picograve_host.cli"]
THINK = [*CLI, *"think --game ttt3 --playouts 50 --nodes 20 --json --runtime c".split()]


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def run(command, cache, **environment):
    environment = {**os.environ, "PICOGRAVE_CACHE": str(cache), **environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def libraries(cache):
    return {path.parent.name for path in cache.glob("c-*/kernels.so")}


def test_it_needs_neither_numba_nor_numpy(cache):
    program = (
        "import sys; from picograve import *\n"
        "Searcher(load('ttt3'), Config('uct', playouts=50), Budget(nodes=20)).search()\n"
        "print(RUNTIME, sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    answer = run([sys.executable, "-c", program], cache, PICOGRAVE_RUNTIME="c")
    assert answer.stdout == "c []\n", answer.stderr


def test_the_first_search_says_once_that_it_compiles_and_later_ones_do_not(cache):
    first, second = run(THINK, cache), run(THINK, cache)
    assert first.stderr == "compiling the kernels once, about 2 s\n"
    assert second.stderr == ""
    reports = [json.loads(answer.stdout) for answer in (first, second)]
    assert reports[0]["tree_hash"] == reports[1]["tree_hash"]
    assert reports[0]["runtime"] == "c"


def test_another_game_compiles_only_itself(cache):
    uniform = [*THINK, "--preset", "uniform"]  # a game with replies has one part more
    run(uniform, cache)
    before = libraries(cache)
    run([*uniform, "--game", "hex4"], cache)
    assert before < libraries(cache)
    assert len(libraries(cache) - before) == 1


def test_a_cache_that_lost_a_library_makes_it_again(cache):
    run(THINK, cache)
    before = libraries(cache)
    shutil.rmtree(cache / sorted(before)[0])
    answer = run(THINK, cache)
    assert answer.returncode == 0, answer.stderr
    assert libraries(cache) == before


def test_without_a_compiler_it_is_refused_in_one_line(cache, tmp_path):
    answer = run(THINK, cache, PATH=str(tmp_path))
    said = "picograve: the runtime c needs gcc: apt install gcc, or use numba\n"
    assert (answer.returncode, answer.stderr) == (2, said)


def test_what_was_compiled_serves_without_a_compiler(cache, tmp_path):
    run(THINK, cache)
    assert run(THINK, cache, PATH=str(tmp_path)).returncode == 0


def test_an_edited_game_is_loaded_again_in_the_same_process(cache, tmp_path):
    program = (
        "import sys; from pathlib import Path; from picograve import *\n"
        "def best():\n"
        "    game = load(sys.argv[1] + ':2')\n"
        "    config = Config('uct', playouts=2000)\n"
        "    return Searcher(game, config, Budget(nodes=2000)).search().move\n"
        "print(best())\n"
        "file = Path(sys.argv[1]); text = file.read_text()\n"
        "file.write_text(text.replace('return 2 * s[_TURN]', 'return 2 - 2 * s[_TURN]'))\n"
        "print(best())\n"
    )
    nim = shutil.copy(Path(picograve_host.examples.__file__).parent / "nim.py", tmp_path)
    answer = run([sys.executable, "-c", program, str(nim)], cache, PICOGRAVE_RUNTIME="c")
    assert answer.stdout.split() == ["B2", "B3"], answer.stderr


def test_a_boards_ram_is_emulated_there_too(cache):
    think = "think --game go5 --nodes 20 --playouts 40 --ram pico --json --runtime".split()
    found = [json.loads(run([*CLI, *think, name], cache).stdout) for name in ("c", "cpython")]
    assert found[0]["heap_used"] == found[1]["heap_used"] > 0
    answer = run([*CLI, *"think --nodes 30000 --ram pico --runtime c".split()], cache)
    assert answer.returncode == 2
    assert "bytes do not fit" in answer.stderr


def test_the_shapes_of_bound_kernels_are_checked(cache, tmp_path):
    (tmp_path / "wrong.py").write_text(
        "from picograve.kernel import bind, micropython, ptr8\n"
        "@micropython.viper\ndef count(s: ptr8, n: int) -> int:\n    return n\n"
        "@micropython.viper\ndef clear(s, t):\n    pass\n"
        "bind('nBn -Hn n0n', (count, count, count), None)\n"
        "bind('-Bi', (clear, ))\nbind('nB -12', (None, clear))\n"
        "for shape, kernel in (('nBB', count), ('nB', count), ('nBB', clear), ('-Bn', clear)):\n"
        "    try:\n        bind(shape, (kernel, ))\n"
        "    except ValueError as error:\n        print(error)\n"
    )
    answer = run([sys.executable, str(tmp_path / "wrong.py")], cache, PICOGRAVE_RUNTIME="c")
    count = "but declared with (buffer, number) -> number"
    clear = "but declared with (buffer, buffer) -> nothing"
    assert answer.stdout.splitlines() == [
        "kernel count of wrong.py is called with (buffer, buffer) -> number " + count,
        "kernel count of wrong.py is called with (buffer) -> number " + count,
        "kernel clear of wrong.py is called with (buffer, buffer) -> number " + clear,
        "kernel clear of wrong.py is called with (buffer, number) -> nothing " + clear,
    ], answer.stderr

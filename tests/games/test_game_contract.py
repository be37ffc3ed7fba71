"""Every game keeps to the contract of picograve.games; `picograve check-game` finds who does not.

Games are found by themselves: each file of picograve/games in its smallest and its usual size,
and the example of a game of one's own.
"""

import json
import re
from pathlib import Path

import picograve
import picograve_host.examples
import pytest
from conftest import built
from picograve import load
from picograve_host.cli import main
from picograve_host.contract import check
from picograve_host.contract import rules as contract_rules
from picograve_tools import micropython

NIM = Path(picograve_host.examples.__file__).parent / "nim.py"


def all_games():
    names = {str(NIM): None}
    for file in sorted((Path(picograve.__file__).parent / "games").glob("[a-z]*.py")):
        usual = load(file.stem)
        smallest = load(file.stem + str(usual.sizes[0]))
        names |= {smallest.name: None, usual.name: None}
    return list(names)


@pytest.fixture(scope="module")
def checked():
    return check(all_games(), print)


@pytest.mark.xdist_group("contract")  # `checked` takes a minute
@pytest.mark.parametrize("name", all_games())
def test_the_game_keeps_to_the_contract_on_every_runtime(name, checked):
    found, runtimes = checked
    assert found[name] == []
    assert {"cpython", "numba"} <= set(runtimes)


@pytest.mark.xdist_group("contract")
def test_micropython_is_among_the_runtimes_where_it_is_there(checked):
    built(micropython.find_unix)
    assert "micropython" in checked[1]


# What is changed in Nim, and what check-game says of it.
FAULTY = {
    "illegal": (
        "for taken in range(int(s[_HEAP + heap])):",
        "for taken in range(2 * heap + 1):",
        "moves: [A-D][1-7] is listed and not legal",
    ),
    "beyond": (
        "    s[_LEFT] = heaps * heaps\n",
        "    s[_LEFT] = heaps * heaps\n    s[_STATE] = 1\n",
        r"reset: line \d+, IndexError: state\[12\]; it has 12 entries",
    ),
    "negative": (
        "        t[length] = move + s[_TURN] * _SECOND\n",
        "        t[length] = move + s[_TURN] * _SECOND\n        t[length - 99] = 1\n",
        r"playout: line \d+, IndexError: trace \(move_cap\)\[-99\]; it has 16 entries",
    ),
    "endless": (
        "self.move_cap = size * size",
        "size * size\n        self.move_cap = 3",
        r"playout: line \d+, IndexError: trace \(move_cap\)\[3\]; it has 3 entries",
    ),
    "three": ("return 2 * s[_TURN]", "return 3 * s[_TURN]", "outcome: 3 is not 0, 1 or 2"),
    "twins": (
        '"ABCDEFGH"[heap] + str(move - heap * heap + 1)',
        '"AACDEFGH"[heap] + str(move - heap * heap + 1)',
        "text: moves 0 and 1 are both called A1",
    ),
    "gaps": (
        "    def code(self, move):\n        return move",
        "    def code(self, move):\n        return 2 * move",
        "code: codes are not dense: 1, no move has it",
    ),
    "shared": (
        "    def code(self, move):\n        return move",
        "    def code(self, move):\n        return move // 2",
        "code: moves 0 and 1 share code 0",
    ),
    "forgets": (
        "    for i in range(_STATE):\n        to[i] = s[i]",
        "    for i in range(1, _STATE):\n        to[i] = s[i]",
        "copy: the copy is another position",
    ),
    "hides": (  # a byte that nothing shows; playouts count by it
        "    for i in range(_STATE):\n        to[i] = s[i]",
        "    for i in range(_STATE):\n        if i != _LEFT:\n            to[i] = s[i]",
        "copy: a playout from the copy is another",
    ),
    "blind": (
        "    out[0] = a\n    out[1] = b",
        "    out[0] = 1\n    out[1] = 2",
        "fingerprint: two different positions have the same",
    ),
    "parity": (
        "move + s[_TURN] * _SECOND",
        "move",
        "playout: notes a move for the wrong player",
    ),
    "overfull": (
        "s[_LEFT] = heaps * heaps",
        "s[_LEFT] = 300",
        r"reset: line \d+, OverflowError: 300 does not fit state",
    ),
    "nameless": ('    title = "Nim"\n', "", "Game: it has no title"),
}


def write_game(folder, name, old, new):
    text = NIM.read_text()
    assert text.count(old) == 1, old
    file = folder / (name + ".py")
    file.write_text(text.replace(old, new))
    return str(file)


@pytest.fixture(scope="module")
def found_in_faulty_games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faulty")
    files = [write_game(folder, name, old, new) for name, (old, new, _) in FAULTY.items()]
    found, runtimes = check(files, print)
    assert runtimes == ["cpython"]  # no faulty game is let loose on Numba
    return {Path(file).stem: lines for file, lines in found.items()}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_game_is_found_out(name, found_in_faulty_games):
    lines = found_in_faulty_games[name]
    pattern = FAULTY[name][2]
    assert any(re.fullmatch(pattern, line) for line in lines), lines


def test_the_command_prints_each_violation_and_fails(tmp_path, capsys):
    old, new, _ = FAULTY["three"]
    assert main(["check-game", write_game(tmp_path, "three", old, new)]) == 1
    assert capsys.readouterr().out == "three4, outcome: 3 is not 0, 1 or 2\n"


def test_a_kernel_that_numba_cannot_compile_is_one_line(tmp_path, capsys):
    """Unsigned bytes multiplied turn to floats there."""
    old = "i = int(s[_TURN]) * int(s[_HEAPS]) * int(s[_HEAPS])"
    new = "i = s[_TURN] * s[_HEAPS] * s[_HEAPS]"
    assert main(["check-game", write_game(tmp_path, "floats", old, new), "--json"]) == 1
    (line,) = json.loads(capsys.readouterr().out)["violations"]
    assert line.startswith("numba: TypingError: ")
    assert re.search(r'floats\.py", line \d+$', line)


def test_a_file_that_is_no_game_is_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "poem.py").write_text("roses = 'red'\n")
    assert main(["check-game", str(tmp_path / "poem.py")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "poem.py has no class Game" in line


def test_the_buffers_of_the_check_refuse_both_ends_and_numbers_that_do_not_fit():
    buffer = contract_rules.Buffer("state", "B", 3)
    buffer[2] = 255
    for place in (3, -1):
        with pytest.raises(IndexError, match="state"):
            buffer[place] = 1
        with pytest.raises(IndexError, match="state"):
            buffer[place]
    with pytest.raises(OverflowError, match="256 does not fit state"):
        buffer[0] = 256

"""--battle FILE: units and places in TOML, for games that have the option; faults in one line."""

import json

import pytest
from picograve import BadInput
from picograve_host import battles
from picograve_host.cli import main

THINK = "think --search uct --preset uniform --playouts 20 --nodes 20 --json".split()


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "battle.toml").write_text(text)
        return str(tmp_path / "battle.toml")

    return write


def test_a_battle_becomes_the_text_of_the_option(file):
    first = 'first = [["B", -11, 2], ["d", -9, -1]]\n'
    assert battles.read(file(first)) == "B-11,2 D-9,-1"
    second = 'second = [["D", 3, 0]]\nmap = 13\n'
    assert battles.read(file(first + second)) == "13 B-11,2 D-9,-1 / D3,0"


def test_the_commands_take_it_and_search_that_battle(file, capsys):
    path = file('first = [["D", -4, 0], ["D", -4, 1]]\nsecond = [["D", 4, 0]]\n')
    assert main([*THINK, "--game", "cotg4", "--battle", path]) == 0
    assert len(json.loads(capsys.readouterr().out)["visits"]) <= 4


@pytest.mark.parametrize(
    "text, fault",
    [
        ("first = [", "is no TOML"),
        ("", "who fights?"),
        ("third = 1", "a battle has map, first, second, not third"),
        ("first = 7", "first is a list of units"),
        ('first = [["B", 1]]', "write a unit of first as"),
        ('first = [["Big", 1, 2]]', "write a unit of first as"),
        ('first = [["B", 1, true]]', "write a unit of first as"),
        ('first = []\nsecond = ["B"]', "write a unit of second as"),
        ('first = []\nmap = "big"', "map is a number of cells"),
    ],
)
def test_what_is_no_battle_is_refused_in_one_line(text, fault, file):
    with pytest.raises(BadInput, match=fault):
        battles.read(file(text))


def test_what_the_game_does_not_know_is_refused_by_the_game(file, capsys):
    path = file('first = [["X", -4, 0]]')
    assert main([*THINK, "--game", "cotg4", "--battle", path]) == 2
    assert "no battle: write ships as" in capsys.readouterr().err
    assert main([*THINK, "--game", "go9", "--battle", path]) == 2
    assert "Go has no option battle" in capsys.readouterr().err
    assert main([*THINK, "--game", "cotg4", "--battle", "nowhere.toml"]) == 2
    assert "cannot read nowhere.toml" in capsys.readouterr().err

"""`picograve doctor`: groups by what a gap costs."""

import importlib.metadata
import json

import pytest
from picograve_host import cli
from picograve_host.commands import doctor
from picograve_host.players import engine


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine with the base install and no programs."""
    here = importlib.metadata.version

    def version(name):
        if name in ("numba", "numpy", "pyserial", "rich", "sgfmill"):
            return here(name)
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engine, "GAMES", str(tmp_path))
    monkeypatch.setenv("PICOGRAVE_CACHE", str(tmp_path / "cache"))


def test_a_bare_machine_plays_on_the_desktop_and_lacks_the_rest(bare):
    assert [group["ready"] for group in doctor.groups()] == [True] + 11 * [False]


def test_a_gap_says_what_it_costs_and_how_to_fill_it(bare, capsys):
    assert cli.main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "without: sim-cpython stands in" in text
    assert "pip install 'picograve[boards]'" in text
    assert "pip install 'picograve[lab]'" in text
    assert "install gcc-multilib" in text


def test_nobody_is_told_to_use_apt_where_there_is_none(bare, capsys):
    cli.main(["doctor"])
    assert "apt" not in capsys.readouterr().out


def test_a_program_in_debians_folder_for_games_is_found_though_path_lacks_it(
    bare, monkeypatch, tmp_path
):
    games = tmp_path / "games"
    games.mkdir()
    (games / "gnugo").touch(0o755)
    monkeypatch.setattr(engine, "GAMES", str(games))
    states = {part["name"]: part["state"] for part in doctor.groups()[-1]["parts"]}
    assert states["gnugo"] == str(games / "gnugo")


def test_json_has_the_same_groups(bare, capsys):
    assert cli.main(["doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["groups"] == doctor.groups()

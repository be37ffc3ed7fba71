"""`picograve lab bench`: every figure of its table is measured."""

import json

import pytest
from picograve_host import cli
from picograve_host.bench import harness as bench


def test_every_figure_is_measured(monkeypatch, capsys):
    pytest.importorskip("distributed")
    small = bench.SPEED.replace("go9", "go5").replace("1000", "50")
    monkeypatch.setattr(bench, "SPEED", small)
    monkeypatch.setattr(bench, "GAMES", 4)
    assert cli.main("lab bench --rounds 1 --games 20 --json".split()) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["overhead"] > 0
    assert figures["recording"] > 0
    assert figures["workers"] > 0
    assert figures["cluster"] > 0
    early, late = figures["memory"]
    assert 0 < early <= late
    assert figures["machine"]["cpu"]


def test_too_few_games_are_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main("lab bench --games 1".split())
    assert "--games: must be 10 to" in capsys.readouterr().err

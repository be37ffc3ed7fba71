"""The settings table: Config, the command line and experiment files follow from it."""

import inspect
import pydoc
import re
from pathlib import Path

import numpy
import pytest
from picograve import PRESETS, SEARCHES, BadInput, Budget, Config, Searcher, load
from picograve.mcts.parts import module
from picograve.mcts.playout import PLAYOUT
from picograve.mcts.select import SELECT
from picograve.settings import VARIANTS
from picograve_host import settings
from picograve_host.cli import make_parser
from picograve_host.lab.plan.source import PLAYER_KEYS

CONFIGS = [Config.tolerant(search, playout_policy="mast+E") for search in SEARCHES]
VARIED = [Config("uct", variant=variant) for variant in VARIANTS]


def test_config_has_a_typed_keyword_for_every_row_in_the_tables_order():
    parameters = list(inspect.signature(Config).parameters.values())
    assert [p.name for p in parameters[:2]] == ["search", "preset"]
    assert [p.name for p in parameters[2:]] == [row.name for row in settings.SETTINGS]
    assert [p.annotation for p in parameters[2:]] == [row.kind for row in settings.SETTINGS]
    usual = Config()
    assert all(p.default == getattr(usual, p.name) for p in parameters[2:])
    assert "bias: float = 0.01" in pydoc.plain(pydoc.render_doc(Config))


def test_a_setting_that_is_not_given_is_the_presets():
    for preset in PRESETS:
        config = Config(preset=preset)
        for row in settings.SETTINGS:
            value = getattr(config, row.name)
            value = round(value, 4) if row.kind is float else value
            assert value == row.default_in(preset)


@pytest.mark.parametrize("row", settings.SETTINGS, ids=lambda row: row.name)
def test_every_row_says_who_uses_it_and_somebody_does(row):
    used = [config.uses(row.name, ("mast", "reply", "E")) for config in CONFIGS + VARIED]
    assert any(used)
    assert row.text


@pytest.mark.parametrize("row", settings.SETTINGS, ids=lambda row: row.name)
def test_the_words_of_a_row_name_the_parts_that_use_it(row):
    parts = [(name.upper(), SELECT[name][0]) for name in SELECT]
    parts += [(name, PLAYOUT[name][0]) for name in PLAYOUT]
    using = {name for name, file in parts if row.name in getattr(module(file), "USES", ())}
    if using:
        assert set(re.findall(r"\w+", row.users)) & {name for name, _ in parts} == using


def wrong_values(row):
    if row.kind is str:
        return [3, True]
    return ["x", 2.5] if row.kind is bool else ["x", True, [1]] + [1.5] * (row.kind is int)


@pytest.mark.parametrize("row", settings.SETTINGS, ids=lambda row: row.name)
def test_a_value_of_another_type_is_refused_in_a_line_that_says_what_it_takes(row):
    for value in wrong_values(row):
        with pytest.raises(BadInput, match=r"^%s is (a|true) .*, not .*$" % row.spoken):
            Config.tolerant("graver2", **{row.name: value})


def test_numbers_of_other_libraries_are_numbers():
    config = Config("grave", playouts=numpy.int64(50), bias=numpy.float32(0.5))
    assert (config.playouts, config.bias) == (50, 0.5)


@pytest.mark.parametrize("search", SEARCHES)
def test_what_a_search_does_not_use_is_refused_in_a_line_that_says_what_it_uses(search):
    usual = Config(search)
    assert not all(usual.uses(row.name) for row in settings.SETTINGS)
    for row in settings.SETTINGS:
        value = row.default_in("uniform")
        if value is None or usual.uses(row.name):
            continue
        with pytest.raises(BadInput, match="%s does not use %s, which" % (search, row.spoken)):
            Config(search, **{row.name: value})
        Config(search, **{row.name: None})  # not given
        assert getattr(Config.tolerant(search, **{row.name: value}), row.name) == value


def test_settings_of_a_playout_policy_are_used_where_it_may_be_among_those_of_the_game():
    assert not Config("uct").uses("epsilon")
    assert Config("uct", playout_policy="mast").uses("epsilon")
    assert Config("uct", playout_policy="top3", epsilon=0.2, switch=2.0).uses("switch")
    assert not Config("uct", playout_policy="top3").uses("epsilon", ("E", "Mp"))


def test_what_a_tolerant_configuration_has_for_others_changes_no_tree():
    def hash_of(config):
        return Searcher(load("ttt4"), config, Budget(nodes=60)).search().tree_hash

    plain = hash_of(Config("uct2", playouts=200))
    others = dict(bias=0.5, ref=3, explore=2, sharing=False, table_after=4, rave_k=7, depth=3)
    assert hash_of(Config.tolerant("uct2", playouts=200, **others)) == plain
    assert Config.tolerant("uct2", playouts=200, **others).given == {"playouts": 200}


def test_a_part_of_ones_own_says_which_settings_it_uses(toys):
    assert Config("greedy", exploration=0.3).exploration == 0.3
    with pytest.raises(
        BadInput, match="greedy does not use bias, which is for GRAVE and HRAVE; it uses pl"
    ):
        Config("greedy", bias=0.3)


@pytest.mark.parametrize("row", settings.SETTINGS, ids=lambda row: row.name)
def test_what_is_beyond_a_rows_limits_is_refused_by_name(row):
    if row.kind is str:
        wrong = ["no such choice"] if row.takes else []
    else:
        wrong = [row.takes[0] - 1e-5, row.takes[1] + 1e-5]
    for value in wrong:
        with pytest.raises(BadInput, match=r"\b%s\b" % row.spoken):
            Config.tolerant("graver2", **{row.name: value})


def test_command_line_and_experiment_files_know_every_row():
    options = vars(make_parser().parse_args(["match"]))
    for row in (*settings.SIZES, *settings.SETTINGS):
        assert row.spoken in PLAYER_KEYS
        assert options["board_" + row.name] is options["opponent_" + row.name] is None


def test_help_shows_users_range_and_default(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        make_parser().parse_args(["think", "--help"])
    printed = capsys.readouterr().out
    assert "--bias X" in printed
    assert "GRAVE and HRAVE: weight of AMAF (0.001 to 1; default 0.01)" in printed


@pytest.mark.parametrize("name", settings.FILES)
def test_the_files_made_from_the_table_are_as_it_says(name):
    file = Path(__file__).parents[2] / "shared" / name
    assert file.read_text("utf-8") == settings.FILES[name]()


def test_a_configuration_shows_what_was_given():
    assert repr(Config()) == "Config('graver2')"
    assert repr(Config("graver2", playouts=100)) == "Config('graver2', playouts=100)"
    config = Config("grave2", "paper", bias=0.5, epsilon=0.4, sharing=False)
    assert repr(config) == "Config('grave2', preset='paper', bias=0.5, sharing=False)"
    assert vars(eval(repr(config))) == vars(config)


def test_the_names_of_searches_are_made_of_parts():
    parts = {
        config.search: (config.policy, config.two_levels, config.recycles_top) for config in CONFIGS
    }
    assert parts["grave"] == ("grave", False, False)
    assert parts["raver"] == ("rave", False, True)
    assert parts["uctr2"] == ("uct", True, True)
    assert not Config("policy").has_tree and not Config("sarsa").has_tree
    top, second = (Config("graver2", recycling=where) for where in ("top", "second"))
    assert (top.recycles_top, top.recycles_second) == (True, False)
    assert (second.recycles_top, second.recycles_second) == (False, True)

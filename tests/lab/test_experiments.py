"""Experiment files: what ships is the paper's, what is wrong is refused with its line."""

import tomllib

import pytest
from picograve import BadInput, load
from picograve_host.lab.plan import source
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.resolve import resolve_search
from picograve_host.lab.plan.source import SHIPPED, line_of, shipped
from picograve_host.players.data import config_of

NODES = [160, 200, 240, 280, 320, 360, 400, 440]
LAMBDAS = [0.2, 0.4, 0.5, 0.6, 0.8]

SMALL = """\
game = "ttt3"
seed = 7

[opponent]
search = "uct"
playouts = 50

[players.A]
search = "grave"
playouts = 40
"""

ITSELF = """\
game = "ttt3"
opponent = "itself"

[players.A]
search = "grave"
playouts = 40
"""

ROUND_ROBIN = """\
game = "ttt3"
seed = 7
round_robin = true

[players.A]
search = "grave"
playouts = 40
paper = 60
paper_draw = 5.5

[players.B]
search = "uct"
playouts = 40

[players.C]
search = "uct"
playouts = 50
"""


@pytest.fixture
def write(tmp_path):
    """A function that writes an experiment's file and tells its path."""

    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return str(path)

    return write


def points_of(name, label=None, **options):
    points = Experiment(name, **options).points
    return [point for point in points if label in (None, point.label)]


def keys_of(points):
    return [point.key for point in points]


# --- those that ship


@pytest.mark.parametrize("name", shipped())
def test_what_ships_loads_and_every_point_has_games_of_its_own(name):
    experiment = Experiment(name)
    keys = keys_of(experiment.points)
    assert keys
    assert len(set(keys)) == len(keys)
    assert experiment.title != name
    assert experiment.source


@pytest.mark.parametrize("name", shipped())
def test_every_player_that_ships_can_be_built_from_its_plain_data(name):
    experiment = Experiment(name)
    for point in experiment.points:
        game = experiment.game_of(point)
        for player in (point.match["player"], point.match["opponent"]):
            if "search" not in player:
                continue
            config, budget = config_of(player)
            ledger = budget.ledger(game, config)
            assert resolve_search(game, {"preset": "paper", **_open(player)}) == player
            if "nodes" in player:
                assert ledger.nodes == player["nodes"]
                assert ledger.playouts == player.get(
                    "playouts", player.get("playouts_top", 0) * player.get("playouts_second", 0)
                )


def _open(player):
    """The entry of a file that would give this player."""
    return {"lambda" if key == "share" else key: value for key, value in player.items()}


def test_the_base_of_the_papers_experiments_is_none_itself():
    assert "paper" not in shipped()
    with pytest.raises(BadInput, match=r"paper.toml, line 1: there is no table \[players\]"):
        Experiment("paper")


def test_the_papers_opponent_is_grave_with_10000_playouts_on_9x9():
    match = Experiment("fig3").points[0].match
    assert match == dict(
        game=dict(name="go9"),
        player=dict(search="grave2", nodes=160, playouts_top=80, playouts_second=80),
        opponent=dict(search="grave", nodes=10000, playouts=10000),
        seed=1,
        resign=0.01,
    )


def test_table_1_has_every_number_of_nodes_at_every_lambda_beside_the_papers_rate():
    points = points_of("table1")
    assert [point.at for point in points] == [
        {"nodes": nodes, "lambda": share} for nodes in NODES for share in LAMBDAS
    ]
    for point in points:
        player = point.match["player"]
        second = round(player["nodes"] * point.at["lambda"])
        assert player["nodes"] == point.at["nodes"]
        assert player["playouts_top"] * player["playouts_second"] == second * (
            player["nodes"] - second
        )
    papers = {(point.at["nodes"], point.at["lambda"]): point.paper for point in points}
    assert papers[160, 0.2] == 31.7
    assert papers[200, 0.5] == 46.6
    assert papers[400, 0.4] == 69.4
    assert papers[440, 0.8] == 59.6
    assert None not in papers.values()


def test_figure_3_shares_its_games_at_lambda_one_half_with_table_1():
    of_figure = points_of("fig3", "GRAVE²")
    of_table = [point for point in points_of("table1") if point.at["lambda"] == 0.5]
    assert [point.at["nodes"] for point in of_figure] == NODES
    assert keys_of(of_figure) == keys_of(of_table)
    assert [point.paper for point in of_figure] == [point.paper for point in of_table]
    for point in of_figure:  # P of the paper: 10,000 playouts with 200 nodes
        player = point.match["player"]
        assert player["playouts_top"] * player["playouts_second"] == (point.at["nodes"] // 2) ** 2


def test_figure_3_has_grave2_without_sharing_and_uct2_at_the_same_sizes():
    unshared = points_of("fig3", "GRAVE² without forward sharing")
    assert [point.match["player"]["sharing"] for point in unshared] == [False] * len(NODES)
    of_uct = points_of("fig3", "UCT²")
    assert [point.match["player"]["search"] for point in of_uct] == ["uct2"] * len(NODES)


def test_figure_4_makes_10000_playouts_whatever_the_nodes():
    points = points_of("fig4")
    assert len(points) == 18
    assert {point.match["player"]["playouts"] for point in points} == {10000}
    assert points[5].match["player"] == dict(search="graver", nodes=1536, playouts=10000)


def test_figure_6_has_all_ratios_of_both_levels():
    points = points_of("fig6")
    assert len(points) == 27
    for point in points:
        half = point.at["nodes"] // 2
        player = point.match["player"]
        assert player["playouts_top"] == half * point.at["ratio_top"]
        assert player["playouts_second"] == half * point.at["ratio_second"]


def test_the_headlines_graver2_is_that_of_figure_5():
    (headline,) = points_of("headline", "GRAVER²")
    player = headline.match["player"]
    assert player == dict(
        search="graver2", nodes=160, playouts_top=160, playouts_second=80, recycling="top"
    )
    (of_figure,) = [
        point
        for point in points_of("fig5", "GRAVER², top level recycled")
        if point.at == dict(nodes=160, ratio_top=2.0)
    ]
    assert headline.key == of_figure.key


def test_the_headline_shares_its_other_games_with_the_figures_and_the_table():
    of_headline = {point.label: point.key for point in points_of("headline")}
    of_table = {tuple(point.at.values()): point.key for point in points_of("table1")}
    assert of_headline["GRAVE²"] == of_table[200, 0.5]
    assert of_headline["GRAVE², λ = 0.2"] == of_table[200, 0.2]
    assert of_headline["GRAVE², λ = 0.8"] == of_table[200, 0.8]
    assert of_headline["GRAVER"] == points_of("fig4", "GRAVER")[5].key


def test_the_baseline_against_itself_is_the_experiment_self():
    (point,) = points_of("self")
    assert point.match["player"] == point.match["opponent"]
    for name in ("fig3", "table1", "headline", "bytes"):
        assert Experiment(name).self_point.key == point.key


@pytest.mark.parametrize(
    "name,game,first,last",
    [
        ("hex-table1", "hex11", ("MCTS/UCT", (88.42, None)), ("MCTS/UCT/RAVE", (12.0, None))),
        ("othello-table2", "othello", ("MCTS/UCT/SS(top3)", (81.58, 1.75)), ("R", (9.58, 1.08))),
    ],
)
def test_every_two_of_the_eleven_of_the_metaheuristics_papers_tables_meet(name, game, first, last):
    experiment = Experiment(name)
    assert len(experiment.points) == 11 * 10 / 2
    assert experiment.games == 100
    assert {point.match["game"]["name"] for point in experiment.points} == {load(game).name}
    papers = list(experiment.paper.items())
    assert (papers[0], papers[-1]) == (first, last)
    wins = [win for win, _ in experiment.paper.values()]
    assert wins == sorted(wins, reverse=True)
    for player in experiment.players.values():
        assert player.get("playouts", 10000) == 10000


def test_the_runner_up_of_the_text_shares_the_games_of_table_2():
    of_table, with_md = (set(keys_of(points_of(name))) for name in ("othello-table2", "othello-md"))
    assert of_table < with_md
    assert len(with_md - of_table) == 11


@pytest.mark.parametrize("number", range(7, 15))
def test_the_figures_of_tic_tac_toe_have_boards_from_3x3_to_10x10(number):
    points = points_of("ttt-fig%d" % number)
    boards = ["ttt%d" % size for size in range(3, 11)]
    names = [point.match["game"]["name"] for point in points]
    assert names == boards * (len(names) // 8)
    for point in points:
        player, opponent = point.match["player"], point.match["opponent"]
        if number <= 12:
            assert player == dict(
                search="uct",
                nodes=[25, 50, 100][(number - 7) % 3],
                playouts=[25, 50, 100][(number - 7) % 3],
                playout_policy="uniform",
            )
        else:
            assert player["search"] == {13: "sarsa", 14: "qlearning"}[number]
        random = dict(search="policy", playout_policy="uniform")
        assert opponent == (player if number <= 9 else random)


@pytest.mark.parametrize("name", ["hex-bytes", "othello-bytes"])
def test_other_games_by_bytes_are_played_against_grave_with_10000_playouts(name):
    experiment = Experiment(name)
    assert {"GRAVE", "GRAVE²", "GRAVER", "GRAVER²"} == {point.label for point in experiment.points}
    assert experiment.opponent == dict(search="grave", nodes=10000, playouts=10000)
    assert {(point.at["playouts"], point.match["resign"]) for point in experiment.points} == {
        (10000, 0.01)
    }


# --- scale, preset, seed


def test_a_tenth_of_the_playouts_takes_the_root_of_a_tenth_of_the_nodes_of_two_levels():
    point = points_of("table1", scale=0.1)[2]
    assert point.at == {"nodes": 51, "lambda": 0.5}
    assert point.match["player"] == dict(
        search="grave2", nodes=51, playouts_top=25, playouts_second=26
    )


def test_a_tenth_of_the_playouts_takes_a_tenth_of_the_nodes_of_one_level():
    point = points_of("fig4", "GRAVER", scale=0.1)[5]
    assert point.at == dict(nodes=154)
    assert point.match["player"] == dict(search="graver", nodes=154, playouts=1000)
    assert point.match["opponent"] == dict(search="grave", nodes=1000, playouts=1000)


def test_bytes_are_not_scaled():
    full, tenth = points_of("bytes"), points_of("bytes", scale=0.1)
    assert [point.at["bytes"] for point in full] == [point.at["bytes"] for point in tenth]
    assert tenth[0].at["playouts"] == 1000
    assert [point.match["player"]["nodes"] for point in full] == [
        point.match["player"]["nodes"] for point in tenth
    ]


def test_sizes_that_nobody_wrote_are_scaled_too():
    players = {point.label: point.match["player"] for point in points_of("gnugo", scale=0.1)}
    assert players["GRAVE"]["playouts"] == players["GRAVE"]["nodes"] == 1000
    assert players["GRAVER"]["playouts"] == 1000
    assert players["GRAVER"]["nodes"] == 154
    assert players["GRAVE²"]["nodes"] == 63
    assert players["GRAVER²"]["nodes"] == 51


def test_another_preset_is_another_match_but_for_players_that_name_one(write):
    text = SMALL + '\n[players.B]\nsearch = "grave"\nplayouts = 40\npreset = "paper"\n'
    by_file, by_option = points_of(write(text)), points_of(write(text), preset="uniform")
    assert by_option[0].match["player"]["playout_policy"] == "uniform"
    assert by_option[0].match["opponent"]["playout_policy"] == "uniform"
    assert by_option[1].match["player"] == by_file[1].match["player"]


def test_another_seed_is_another_match(write):
    path = write(SMALL)
    assert points_of(path)[0].match["seed"] == 7
    assert points_of(path, seed=0)[0].match["seed"] == 0
    assert points_of(path)[0].key != points_of(path, seed=0)[0].key


# --- keys


@pytest.mark.parametrize(
    "name,label,key",
    [
        ("headline", "GRAVE²", "66c4b4e701a6a972"),
        ("headline", "GRAVER", "50d7da7d93a36ac6"),
        ("self", "GRAVE", "4aa345ba078860ef"),
        ("gnugo", "UCTR²", "b003727d7b7041df"),
    ],
)
def test_keys_stay_what_they_were_because_games_were_played_under_them(name, label, key):
    assert keys_of(points_of(name, label)) == [key]


def test_more_players_or_another_title_leave_the_keys_as_they_are(write):
    before = keys_of(points_of(write(SMALL)))
    more = 'title = "Mine"\ngames = 3\nclaims = ["none"]\n' + SMALL
    more += 'paper = 50\nthreshold = 40\n[players.B]\nsearch = "uct"\nplayouts = 9\n'
    more = more.replace("players.A", "players.Anna")
    assert keys_of(points_of(write(more)))[:1] == before


@pytest.mark.parametrize(
    "search,settings,defaults",
    [
        ("grave", "playouts = 40", "nodes = 40"),
        ("grave", "nodes = 40", "playouts = 40.0"),
        ("grave", "nodes = 40", "bias = 0.01\nref = 25\nepsilon = 0.4\ndecay = 0.2"),
        ("grave", "nodes = 40", 'preset = "paper"\nplayout_policy = "mast"'),
        ("grave", "nodes = 40", "tables = 40"),
        ("uct", "nodes = 40", "exploration = 0.7071067811865476"),
        ("grave2", "", "nodes = 200\nplayouts_top = 100\nplayouts_second = 100"),
        ("grave2", "nodes = 200", "ratio_top = 1\nratio_second = 1.0"),
        ("grave2", "nodes = 200", "playouts = 10000"),
        ("graver2", "nodes = 160", 'recycling = "both"\nratio_top = 2'),
        ("graver", "", "nodes = 1536\nplayouts = 10000"),
    ],
)
def test_a_setting_written_out_at_its_default_changes_no_key(write, search, settings, defaults):
    start = SMALL[: SMALL.index('search = "grave"')] + 'search = "%s"\n' % search
    plain = keys_of(points_of(write(start + settings)))
    assert keys_of(points_of(write("%s%s\n%s" % (start, settings, defaults)))) == plain


def test_a_number_is_the_same_with_and_without_a_point(write):
    keys = [keys_of(points_of(write(SMALL + text))) for text in ("epsilon = 1", "epsilon = 1.0")]
    assert keys[0] == keys[1]


def test_the_usual_komi_written_out_changes_no_key(write):
    text = SMALL.replace("ttt3", "go5")
    before = keys_of(points_of(write(text)))
    assert keys_of(points_of(write("komi = 7.5\n" + text))) == before
    assert keys_of(points_of(write("komi = 6.5\n" + text))) != before


@pytest.mark.parametrize(
    "change",
    ["bias = 0.02", "nodes = 39", "ref = 9", 'playout_policy = "uniform"', "tables = 9"],
)
def test_a_setting_that_is_not_the_default_is_another_match(write, change):
    assert keys_of(points_of(write(SMALL + change))) != keys_of(points_of(write(SMALL)))


def test_tables_fewer_than_nodes_reach_the_player(write):
    (point,) = points_of(write(SMALL + "tables = 9"))
    config, budget = config_of(point.match["player"])
    assert budget.ledger(Experiment("fig3").game, config).amaf_tables == 9


# --- a user's own files


def test_a_file_in_any_folder_may_build_on_one_that_ships(write):
    path = write('base = "fig3"\ntitle = "Mine"\ngames = 20\n[players.UCT]\nsearch = "uct"\n')
    mine = Experiment(path)
    assert (mine.name, mine.title, mine.games) == ("mine", "Mine", 20)
    assert mine.source == "figure 3"
    assert keys_of(mine.points)[:24] == keys_of(points_of("fig3"))
    assert {point.label for point in mine.points[24:]} == {"UCT"}


def test_a_file_may_build_on_one_beside_it_which_comes_before_one_that_ships(write):
    write(SMALL, "fig3.toml")
    path = write('base = "fig3"\nseed = 8\n')
    (point,) = points_of(path)
    assert point.match["game"]["name"] == "ttt3"
    assert point.match["seed"] == 8


def test_a_file_may_have_the_name_of_its_base(write):
    path = write('base = "fig3"\nseed = 8\n', "fig3.toml")
    assert len(points_of(path)) == 24


def test_a_file_is_found_from_its_own_folder(write, monkeypatch, tmp_path):
    write(SMALL, "other.toml")
    write('base = "other"\n')
    monkeypatch.chdir(tmp_path)
    assert len(points_of("mine.toml")) == 1


def test_what_is_above_replaces_a_player_and_changes_the_rest_key_by_key(write):
    write(SMALL + "[plot]\nlog = true\n", "other.toml")
    path = write(
        'base = "other"\n[opponent]\nplayouts = 60\n[players.A]\nsearch = "uct"\nnodes = 30\n'
        '[sweep]\nref = [5, 6]\n[plot]\nx = "ref"\n'
    )
    mine = Experiment(path)
    assert mine.points[0].match["player"] == dict(search="uct", nodes=30, playouts=30, ref=5)
    assert mine.points[0].match["opponent"] == dict(search="uct", nodes=60, playouts=60)
    assert mine.plot == dict(log=True, x="ref")


def test_searches_that_are_swept_come_beside_what_else_the_base_sweeps(write):
    write(SMALL + "[sweep]\nref = [5, 6]\n", "other.toml")
    path = write('base = "other"\n[sweep]\nsearch = ["grave", "uct"]\n')
    assert [point.at for point in points_of(path)] == [
        dict(ref=ref, search=search) for ref in (5, 6) for search in ("grave", "uct")
    ]


def test_hex_may_be_played_with_the_swap_rule(write):
    text = 'game = "hex4"\nswap = %s\n[opponent]\nsearch = "uct"\n[players.A]\nsearch = "grave"\n'
    (with_swap,), (without,) = (points_of(write(text % swap)) for swap in ("true", "false"))
    assert with_swap.match["game"] == dict(name="hex4", swap=True)
    assert without.match["game"] == dict(name="hex4")
    with pytest.raises(BadInput, match="line 2: Go has no option swap"):
        Experiment(write(text.replace("hex4", "go9") % "true"))


def test_a_players_own_sweep_comes_beside_that_of_all(write):
    text = SMALL + "sweep = { ref = [5, 6] }\npaper = [[1, 2], [3, 4]]\n[sweep]\nbias = [0.1, 0.2]"
    assert [(point.at, point.paper) for point in points_of(write(text))] == [
        (dict(bias=0.1, ref=5), 1),
        (dict(bias=0.1, ref=6), 2),
        (dict(bias=0.2, ref=5), 3),
        (dict(bias=0.2, ref=6), 4),
    ]


def test_players_of_other_programs_are_kept_as_they_are(write):
    text = SMALL + '[players.B]\ngtp = "engine {seed}"\n[players.C]\nsweep.openspiel = [10, 20]\n'
    points = points_of(write(text.replace("ttt3", "go5")))
    assert [point.match["player"] for point in points[1:]] == [
        dict(gtp="engine {seed}"),
        dict(openspiel=10),
        dict(openspiel=20),
    ]


def test_a_game_may_be_swept_and_everybody_is_sized_for_it(write):
    text = SMALL.replace("playouts = 50", "bytes = 4000")
    points = points_of(write(text + 'sweep.game = ["ttt5", "ttt3"]\n'))
    assert [(point.at["game"], point.match["game"]["name"]) for point in points] == [
        ("ttt5", "ttt5"),
        ("ttt3", "ttt3"),
    ]
    large, small = (point.match["opponent"]["nodes"] for point in points)
    assert large < small
    single = points_of(write(text))
    assert keys_of(points[1:]) == keys_of(single)


def test_a_swept_game_concerns_other_programs_too(write):
    text = SMALL + '[players.B]\ngtp = "engine"\n[sweep]\nref = [5, 6]\ngame = ["go5", "go6"]\n'
    points = points_of(write(text), "B")
    assert [point.at for point in points] == [dict(game="go5"), dict(game="go6")]


def test_nothing_is_called_equal_where_games_differ(write):
    assert Experiment(write(SMALL)).self_point
    assert Experiment(write(SMALL + 'sweep.game = ["ttt3", "ttt4"]\n')).self_point is None


def test_a_player_may_play_itself(write):
    mine = Experiment(write(ITSELF + "sweep.nodes = [30, 40]\n"))
    assert [point.match["player"]["nodes"] for point in mine.points] == [30, 40]
    for point in mine.points:
        assert point.match["opponent"] == point.match["player"]
    assert mine.opponent is mine.self_point is None


def test_a_file_above_may_let_the_players_of_its_base_play_themselves(write):
    write(SMALL, "other.toml")
    (point,) = points_of(write('base = "other"\nopponent = "itself"\n'))
    assert point.match["opponent"] == point.match["player"]


# --- round robins


def test_every_two_players_of_a_round_robin_meet_once(write):
    mine = Experiment(write(ROUND_ROBIN))
    pairs = [{point.label, point.against} for point in mine.points]
    assert sorted(map(sorted, pairs)) == [["A", "B"], ["A", "C"], ["B", "C"]]
    for point in mine.points:
        assert point.match["player"] == mine.players[point.label]
        assert point.match["opponent"] == mine.players[point.against]
    assert mine.paper == dict(A=(60, 5.5), B=(None, None), C=(None, None))
    assert mine.opponent is mine.self_point is None


def test_a_pair_has_the_same_key_wherever_the_two_stand_in_a_file(write):
    players = ROUND_ROBIN.split("[players.")
    turned = "[players.".join([players[0], *players[:0:-1]])
    assert turned != ROUND_ROBIN
    before, after = (points_of(write(text)) for text in (ROUND_ROBIN, turned))
    assert {(point.key, point.label) for point in before} == {
        (point.key, point.label) for point in after
    }


def test_a_pair_of_a_round_robin_is_the_same_match_as_with_an_opponent(write):
    (pair, *_) = points_of(write(ROUND_ROBIN))
    sides = dict(A="grave", B="uct")
    text = 'game = "ttt3"\nseed = 7\n[opponent]\nsearch = "%s"\nplayouts = 40\n'
    text += '[players.A]\nsearch = "%s"\nplayouts = 40\n'
    assert keys_of(points_of(write(text % (sides[pair.against], sides[pair.label])))) == [pair.key]


# --- refusals


@pytest.mark.parametrize(
    "wrong,line,hint",
    [
        (("seed = 7", "sead = 7"), 2, "unknown key sead"),
        (("seed = 7", 'preset = "mine"'), 2, "preset takes one of paper, uniform, strong"),
        (("seed = 7", "sweep = 5"), 2, "sweep is a table"),
        (("seed = 7", 'games = "many"'), 2, "games is a whole number"),
        (("seed = 7", "games = 2.5"), 2, "games is a whole number"),
        (("seed = 7", 'resign = "never"'), 2, "resign is a number"),
        (("seed = 7", "resign = 5"), 2, "resign is 0 to 0.5, not 5"),
        (("seed = 7", "games = 0"), 2, "games is 1 to 1000000, not 0"),
        (("seed = 7", "swap = 1"), 2, "swap is true or false"),
        (('search = "grave"', "openspiel = 1"), 9, "openspiel is 2 to 1000000000, not 1"),
        (("seed = 7", "komi = 5"), 2, "komi"),
        (("seed = 7", 'komi = "much"'), 2, "komi is a number"),
        (("seed = 7", 'plot.y = "nodes"'), 2, "unknown key y"),
        (('game = "ttt3"', 'game = "shogi"'), 1, "no game called shogi"),
        (('game = "ttt3"', "game = 9"), 1, "game is a text"),
        (("playouts = 50", "playout = 50"), 6, "unknown key playout"),
        (('search = "uct"', 'search = "alpha"'), 5, "no search called alpha"),
        (('search = "uct"', "search = 5"), 5, "search is a text"),
        (('search = "grave"', 'search = "grave3"'), 9, "no search called grave3"),
        (('search = "grave"', 'gtp = 7'), 9, "gtp is a text"),
        (('search = "grave"', 'openspiel = "many"'), 9, "openspiel is a whole number"),
        (('search = "grave"', 'search = "grave"\ngtp = "gnugo"'), 8, "a player has one of"),
        (('search = "grave"\n', ""), 8, "a player has one of search, gtp, uci, openspiel"),
        (("playouts = 40", "node = 40"), 10, "unknown key node"),
        (("playouts = 40", 'preset = "mine"'), 10, "no preset called mine"),
        (("playouts = 40", "playouts = 0.1.2"), 10, "line 10"),
        (("playouts = 40", 'nodes = "many"'), 10, "nodes is a number"),
        (("playouts = 40", "nodes = 1"), 10, "2 to 65534 nodes"),
        (("playouts = 40", "lambda = 1"), 10, "lambda must be 0.0001 to 0.9999"),
        (("playouts = 40", "bias = 5"), 10, "bias must be"),
        (("playouts = 40", 'bias = "much"'), 10, "bias is a number"),
        (("playouts = 40", 'recycling = "none"'), 10, "no recycling called none"),
        (("playouts = 40", "sweep = { nodez = [3, 4] }"), 10, "unknown key nodez"),
        (("playouts = 40", "sweep = { nodes = 3 }"), 10, "sweep nodes takes a list"),
        (("playouts = 40", "sweep.nodes = []"), 10, "sweep nodes takes a list"),
        (("playouts = 40", 'sweep.nodes = [3, "x"]'), 10, "nodes is a number"),
        (("playouts = 40", "sweep.bias = [0.1, 5]"), 10, "bias must be"),
        (("playouts = 40", "[sweep]\nbias = [0.1, 5]"), 11, "bias must be"),
        (("playouts = 40", "[sweep]\n\nnodez = [3]"), 12, "unknown key nodez"),
        (("playouts = 40", "paper = [1, 2]"), 10, "paper has 2 values for 1 points"),
        (("playouts = 40", "paper = []\nsweep.nodes = [3, 4]"), 10, "paper has 0 values for 2"),
        (("playouts = 40", 'paper = "half"'), 10, "paper"),
        (("[players.A]\n", "[player.A]\n"), 8, "unknown key player"),
        ((SMALL[SMALL.index("[opponent]") : SMALL.index("[players")], ""), 1, "[opponent]"),
        ((SMALL[SMALL.index("[players") :], ""), 1, "no table [players]"),
        ((SMALL[SMALL.index("[players") :], "[players]"), 1, "no table [players]"),
        ((SMALL[SMALL.index("[players") :], "[players]\nA = 5"), 9, "A is a table"),
        ((SMALL, "title = 'Mine'\nplayers = 5"), 2, "players is a table"),
        (("playouts = 40", "ratio_top = 2"), 10, "ratio_top is for two levels"),
        (("playouts = 40", "ref = 2.5"), 10, "ref is a whole number"),
        (("playouts = 40", 'sharing = "no"'), 10, "sharing is true or false"),
        (("playouts = 40", "nodes = inf"), 10, "nodes is a number, not inf"),
        (("playouts = 40", "rave_k = 5"), 10, "grave does not use rave_k, which is for RAVE"),
        (("playouts = 40", "sweep.depth = [5, 6]"), 10, "grave does not use depth"),
        (("playouts = 40", "nodes = 9\nlambda = 0.4"), 11, "use lambda, which is for two levels"),
        (("playouts = 50", "playouts = 50\ntables = 9"), 7, "uct does not use tables"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_line_that_names_the_line(write, wrong, line, hint):
    check_refusal(write, SMALL, wrong, line, hint)


def check_refusal(write, text, wrong, line, hint):
    before, after = wrong
    assert before in text
    path = write(text.replace(before, after, 1))
    with pytest.raises(BadInput) as refusal:
        Experiment(path)
    message = str(refusal.value)
    assert "\n" not in message
    assert message.startswith(path)
    assert "line %d" % line in message
    assert hint in message


@pytest.mark.parametrize(
    "wrong,line,hint",
    [
        (("true", '"yes"'), 3, "round_robin is true or false"),
        (("true", "true\nopponent = 'itself'"), 4, "a round robin has no opponent"),
        (("true", "true\nsweep.ref = [5]"), 4, "a round robin sweeps nothing but game"),
        (("true", "true\nplot.x = 'ref'"), 4, "a round robin has no plot"),
        (("paper = 60", "paper = [60]"), 8, "paper is one number per player"),
        (("paper_draw = 5.5", "paper_draw = 'few'"), 9, "paper_draw is a number"),
        (("paper = 60", "sweep.ref = [5]"), 8, "a round robin has no sweep"),
        (("paper = 60", "threshold = 6"), 8, "threshold needs one opponent"),
        (("playouts = 50", "playouts = 40"), 15, "C is the same as B"),
        ((ROUND_ROBIN[ROUND_ROBIN.index("[players.B]") :], ""), 5, "takes two players or more"),
    ],
)  # fmt: skip
def test_a_wrong_round_robin_is_refused_with_its_line(write, wrong, line, hint):
    check_refusal(write, ROUND_ROBIN, wrong, line, hint)


@pytest.mark.parametrize(
    "wrong,line,hint",
    [
        (('"itself"', '"others"'), 2, "opponent is a table"),
        (("playouts = 40", "threshold = 40"), 6, "threshold needs one opponent"),
        (("playouts = 40", "paper_draw = 40"), 6, "paper_draw is for round robins"),
        (("playouts = 40", 'sweep.game = ["ttt3", "shogi"]'), 6, "no game called shogi"),
        (("playouts = 40", '[sweep]\ngame = ["ttt99"]'), 7, "ttt99"),
        (("playouts = 40", "sweep.game = [3]"), 6, "game is a text"),
        (("playouts = 40", 'game = "ttt3"'), 6, "unknown key game"),
        (("playouts = 40", "[plot]\noutcomes = 1"), 7, "outcomes is true or false"),
    ],
)
def test_a_wrong_file_without_an_opponent_is_refused_with_its_line(write, wrong, line, hint):
    check_refusal(write, ITSELF, wrong, line, hint)


@pytest.mark.parametrize(
    "base,hint",
    [
        ('"nowhere"', "line 2: no file nowhere.toml"),
        ('"mine"', "line 2: no file mine.toml"),
        ("5", "line 2: base is a text"),
    ],
)
def test_a_base_that_is_not_there_is_refused(write, base, hint):
    with pytest.raises(BadInput, match=hint):
        Experiment(write("seed = 1\nbase = %s\n" % base))


def test_bases_that_lead_back_to_the_file_are_refused(write):
    write('seed = 1\nbase = "third"\n', "second.toml")
    write('base = "mine"\n', "third.toml")
    with pytest.raises(BadInput, match=r"third.toml, line 1: .*mine.toml .*builds on"):
        Experiment(write('base = "second"\n'))


def test_what_is_wrong_in_a_base_is_refused_with_the_bases_line(write):
    write(SMALL.replace("playouts = 50", "lambda = 2"), "other.toml")
    with pytest.raises(BadInput, match=r"other.toml, line 6: lambda must be"):
        Experiment(write('base = "other"\ntitle = "Mine"\n'))


def test_a_setting_for_all_need_not_be_used_by_each(write):
    write(SMALL.replace("playouts = 50", "playouts = 50\nbias = 0.3"), "other.toml")
    mine = Experiment(write('base = "other"\n[sweep]\nrave_k = [5, 6]\n'))
    assert [point.match["player"]["rave_k"] for point in mine.points] == [5, 6]
    assert mine.opponent["bias"] == 0.3


@pytest.mark.parametrize(
    "name,preset,scale,keys",
    [
        ("fig3", None, 1, ("7527607728b2c95e", "4aa345ba078860ef")),
        ("headline", None, 0.1, ("0ec9d0379506b8fa", "50ec821a2ed442d3")),
        ("hex-uct", None, 1, ("812d899f0fef02e3", "3973f0571f2d4d7d")),
        ("hex-table1", None, 1, ("447a4aec698f79bc", "15cd3b9ca80defde")),
        ("ttt-fig13", None, 1, ("8a59ff2fe8d0fa29", "0befc94d41b02473")),
        ("gnugo", None, 1, ("9e1f1ca069dc59b9", "4032426999765798")),
        ("bytes", "uniform", 0.1, ("6b6cd03c9bd85758", "25f621498b215831")),
        ("self", "uniform", 1, ("05c732d35c7bdd6f", "05c732d35c7bdd6f")),
    ],
)
def test_games_recorded_by_version_0_3_still_count(name, preset, scale, keys):
    mine = Experiment(name, preset, scale)
    last = mine.self_point or mine.points[-1]
    assert (mine.points[0].key, last.key) == keys


def test_an_experiment_that_is_nowhere_is_refused_with_those_that_ship():
    with pytest.raises(BadInput, match=r"no experiment fig9: .* bytes, chess-players, "):
        Experiment("fig9")
    with pytest.raises(BadInput, match="no experiment"):
        Experiment(str(SHIPPED))
    with pytest.raises(BadInput, match=r"there is no file mine\.toml"):
        Experiment("mine.toml")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"title = '\xff'\n")
    with pytest.raises(BadInput, match=r"mine.toml: "):
        Experiment(str(path))


def test_an_unknown_preset_of_the_command_line_is_refused():
    with pytest.raises(BadInput, match=r"^no preset called mine; there are paper, uniform, strong"):
        Experiment("fig3", preset="mine")


# --- lines


LINES = """\
a = 1
claims = [
    "b = 5",
    "nodes = 7",
]
rows = [
    [1, 2],
    [3, 4]
]
b = 2 # after rows
text = \"\"\"
c = 1
[d]
\"\"\"
c.x = 1

[d]
x = 1
"quoted = x" = 2

[players."GRAVE², λ = 0.2"]
'search' = "grave"
sweep.nodes = [1]
plain = { x = 1, y = { z = 2 } }
  [players.'b.c'] # indented
  x = 1
[ players . d ]
x = 1
"""


@pytest.mark.parametrize(
    "keys,line",
    [
        ((), 1),
        (("a",), 1),
        (("claims",), 2),
        (("rows",), 6),
        (("b",), 10),
        (("text",), 11),
        (("c", "x"), 15),
        (("c", "unseen"), 15),
        (("d",), 17),
        (("d", "x"), 18),
        (("d", "quoted = x"), 19),
        (("d", "unseen"), 17),
        (("players",), 21),
        (("players", "GRAVE², λ = 0.2"), 21),
        (("players", "GRAVE², λ = 0.2", "search"), 22),
        (("players", "GRAVE², λ = 0.2", "sweep", "nodes"), 23),
        (("players", "GRAVE², λ = 0.2", "plain", "x"), 24),
        (("players", "GRAVE², λ = 0.2", "plain", "y", "z"), 24),
        (("players", "GRAVE², λ = 0.2", "unseen"), 21),
        (("players", "b.c", "x"), 26),
        (("players", "d"), 27),
        (("players", "d", "x"), 28),
        (("nodes",), 1),
        (("unseen", "x"), 1),
    ],
)
def test_the_line_of_a_key_is_found(keys, line):
    assert line_of(LINES, keys) == line


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ('x = "bytes"', "bytes is not swept"),
        ('x = "nodes"\npanels = "lambda"', "lambda is not swept"),
        ('x = "nodes"\nlog = 1', "log is true or false"),
    ],
)
def test_a_plot_that_cannot_be_drawn_is_refused_with_its_line(tmp_path, lines, text):
    file = tmp_path / "plot.toml"
    body = 'base = "self"\n[sweep]\nnodes = [10, 20]\n[plot]\n' + lines
    file.write_text(body)
    with pytest.raises(BadInput, match="line %d: %s" % (len(body.splitlines()), text)):
        Experiment(str(file))


def test_a_threshold_is_a_number(tmp_path):
    file = tmp_path / "threshold.toml"
    file.write_text('base = "paper"\n[players.A]\nsearch = "grave2"\nthreshold = "200"\n')
    with pytest.raises(BadInput, match="line 4: threshold is a number, not 200"):
        Experiment(str(file))


def test_a_setting_of_searches_does_not_concern_another_program(tmp_path):
    file = tmp_path / "mixed.toml"
    text = 'base = "paper"\n[sweep]\nnodes = [160, 200]\n[players.A]\nsearch = "grave2"\n'
    file.write_text(text + '[players.B]\ngtp = "engine"\n')
    assert [(point.label, point.at) for point in Experiment(str(file)).points] == [
        ("A", {"nodes": 160}),
        ("A", {"nodes": 200}),
        ("B", {}),
    ]
    file.write_text(text + '[players.B]\ngtp = "engine"\nnodes = 5\n')
    with pytest.raises(BadInput, match="line 8: nodes is a setting of searches"):
        Experiment(str(file))


# --- files that mean harm


def test_an_unknown_key_at_the_end_of_a_long_file_is_found_in_time_of_its_length(
    write, monkeypatch
):
    """Finding 3: every line read the whole file again. Now each statement is read once."""
    players = "".join('[players.p%d]\nsearch = "uct"\nnodes = %d\n' % (n, n) for n in range(300))
    path = write(SMALL + players + "typo = 1\n")
    read = []
    loads = tomllib.loads
    monkeypatch.setattr(source.tomllib, "loads", lambda text: read.append(len(text)) or loads(text))
    with pytest.raises(BadInput, match="line 911: unknown key typo"):
        Experiment(path)
    assert sum(read) < 3 * len(players)


@pytest.mark.parametrize(
    "sweep",
    [
        "[sweep]\nnodes = %s\nplayouts = %s\nref = %s\n" % ((list(range(10, 310)),) * 3),
        "".join('[players.p%d]\nsearch = "uct"\n' % n for n in range(400)),
    ],
)
def test_too_many_points_are_refused_before_any_is_made(write, sweep, monkeypatch):
    monkeypatch.setattr(Experiment, "_resolve", None)
    head = SMALL if "sweep" in sweep else "round_robin = true\n"
    with pytest.raises(BadInput, match="points are more than 10000"):
        Experiment(write(head + sweep))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = " + "[" * 5000 + "]" * 5000, "more than 20 deep"),
        ("x = " + "[" * 30 + "]" * 30, "more than 20 deep"),
        ('title = "\\u001b[2J"', "control characters in the text ?"),
        ('["\\u001b[2J"]\nx = 1', "control characters in the text ?"),
        ("title = '" + "x" * 1_000_001 + "'", "more than 1000000 bytes"),
        ("[players.%s]" % ("x" * 300), "a player's name has at most 100 letters"),
        (SMALL + "paper = nan", "paper is a number, not nan"),
        ("resign = inf\n" + SMALL, "resign is a number, not inf"),
        ("seed = 1" + "0" * 5000, "line 1"),
    ],
)
def test_a_file_that_means_harm_is_refused_in_one_line(write, text, words):
    with pytest.raises(BadInput) as refusal:
        Experiment(write(text))
    assert words in str(refusal.value) or "limit" in str(refusal.value)
    assert str(refusal.value).isprintable()

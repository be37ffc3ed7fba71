"""The Python face: positions, searchers with names of moves, what they show of themselves."""

import random

import pytest
from picograve import BadInput, Budget, Config, Position, Searcher, load, open_search

DRAWN = "B2 A1 C3 A3 A2 C2 B1 B3 C1".split()
WON_BY_X = "A1 A2 B1 B2 C1".split()


def after(name, moves, **options):
    position = Position(load(name, **options))
    position.set_position(moves)
    return position


def searcher_of(name, search="graver2", nodes=40, **settings):
    return Searcher(load(name), Config(search, **settings), Budget(nodes=nodes))


@pytest.mark.parametrize("name", ["go5", "hex4", "othello", "ttt3"])
def test_a_random_game_needs_nothing_but_a_position(name):
    position = Position(load(name))
    dice = random.Random(1)
    while not position.is_over:
        assert position.winner is None
        assert position.score() is None
        assert not position.is_draw
        position.play(dice.choice(position.legal_moves()))
    assert position.legal_moves() == []
    assert position.is_draw or position.winner in position.game.players
    assert position.score()


def test_a_new_position_is_the_first_one_and_says_who_moves():
    position = Position(load("ttt3"))
    assert (position.to_move, position.is_over) == ("X", False)
    assert sorted(position.legal_moves()) == sorted("A1 A2 A3 B1 B2 B3 C1 C2 C3".split())
    position.play("b2")
    assert position.to_move == "O"
    assert "B2" not in position.legal_moves()


def test_a_win_and_a_draw_are_told_apart():
    won = after("ttt3", WON_BY_X)
    assert (won.winner, won.is_draw, won.score()) == ("X", False, "X wins")
    drawn = after("ttt3", DRAWN)
    assert (drawn.winner, drawn.is_draw, drawn.score()) == (None, True, "draw")


def test_the_second_player_wins_by_name_too():
    position = after("go5", ["pass", "pass"])
    assert (position.winner, position.score()) == ("white", "W+7.5")


def test_legal_moves_are_those_of_the_full_rules():
    """Searches leave out moves into one's own eyes, and superko forbids some."""
    position = after("go5", "A2 E5 B1 E4 B2 D5".split())
    assert "A1" in position.legal_moves()
    for move in position.legal_moves():
        position.play(move)
        position.undo()
    superko = after("go5", "E4 D3 C5 C4 A2 B1 B2 C2 C3 D1 B3 A1 C1".split())
    legal = superko.legal_moves()
    refused = 0
    for move in [superko.game.text(number) for number in superko._listed()]:
        if move not in legal:
            refused += 1
            with pytest.raises(BadInput):
                superko.play(move)
    assert refused == 1


def test_a_position_says_whose_turn_it_is_and_what_the_first_player_has_won():
    position = after("ttt3", WON_BY_X[:-1])
    assert (position.turn, position.points) == (0, None)
    position.play(WON_BY_X[-1])
    assert (position.turn, position.points) == (1, 2)


def test_undo_brings_back_the_position_before():
    position = Position(load("go5"))
    shown = [str(position)]
    for move in "C3 B3 C2 pass".split():
        position.play(move)
        shown.append(str(position))
    assert position.moves == ["C3", "B3", "C2", "pass"]
    while position.moves:
        assert str(position) == shown.pop()
        position.undo()
    assert str(position) == shown.pop()
    with pytest.raises(BadInput, match="no move to take back"):
        position.undo()


def test_a_searcher_can_take_a_move_back_and_thinks_as_if_it_had_not_been_made():
    searcher = searcher_of("ttt4", preset="paper")
    searcher.play("B2")
    expected = searcher.search().tree_hash
    searcher.play("C3")
    searcher.search()
    searcher.undo()
    assert searcher.search().tree_hash == expected


def test_an_illegal_move_and_a_word_that_is_no_move_are_refused():
    position = after("ttt3", ["B2"])
    with pytest.raises(BadInput, match="B2 is not legal for O as move 2"):
        position.play("B2")
    with pytest.raises(BadInput, match="Z9 is no move in ttt3"):
        position.play("Z9")
    with pytest.raises(BadInput, match="the game is over; C3 cannot be played"):
        after("ttt3", WON_BY_X).play("C3")


def test_a_searcher_is_refused_what_has_no_tree_and_says_how_it_is_opened():
    with pytest.raises(BadInput, match="alphabeta has no tree"):
        Searcher(load("ttt3"), Config("alphabeta"), Budget(nodes=100))


class Wide:
    """Tic-tac-toe whose moves could be any of 60,000 numbers, without codes."""

    move_limit = 60000
    code_count = 0

    def __init__(self, game):
        self._game = game
        self.texts = 0

    def __getattr__(self, name):
        if name in ("code", "find"):
            raise AttributeError(name)
        return getattr(self._game, name)

    def text(self, move):
        self.texts += 1
        return self._game.text(move)


def test_a_move_is_found_among_the_legal_ones_however_many_numbers_there_are():
    game = Wide(load("ttt3"))
    position = Position(game)
    position.play("C3")
    assert game.texts <= 9
    with pytest.raises(BadInput, match="C3 is no"):
        position.play("C3")
    assert game.texts <= 17


def test_a_game_may_find_moves_by_itself():
    game = Wide(load("ttt3"))
    game.find = {"centre": 4}.get
    position = Position(game)
    position.play("Centre")
    assert position.moves == ["B2"]


def test_a_searcher_names_the_moves_it_considered():
    searcher = searcher_of("ttt3", "uct", playouts=200, nodes=200)
    result = searcher.search()
    moves = searcher.root_moves()
    assert moves[0].move == result.move
    assert moves[0].value == result.value
    assert {child.move: child.visits for child in moves} == result.visits
    assert sorted(child.move for child in moves) == sorted(searcher.legal_moves())


def test_a_principal_variation_is_a_game_that_goes_on_from_here():
    searcher = searcher_of("ttt3", "uct", playouts=2000, nodes=2000)
    searcher.play("B2")
    best = searcher.search().move
    variation = searcher.principal_variation()
    assert variation[0] == best
    assert len(variation) > 3
    after("ttt3", ["B2", *variation])  # refuses what is not legal


@pytest.mark.parametrize("search", ["alphabeta", "policy"])
def test_without_a_tree_the_variation_is_the_best_move(search):
    searcher = open_search(load("ttt3"), Config(search), Budget())
    best = searcher.search().move
    assert searcher.principal_variation() == [best]


def test_nothing_searched_is_an_empty_variation():
    assert searcher_of("ttt3").principal_variation() == []


def test_objects_say_what_they_are():
    position = after("ttt3", ["B2"])
    assert repr(position) == "<Position of ttt3, moves played: 1, O to move>"
    assert repr(after("ttt3", DRAWN)) == "<Position of ttt3, moves played: 9, draw>"
    assert repr(load("go9", komi=5.5)) == "load('go9', komi=5.5)"
    assert repr(Budget(bytes=1000, tables=3)) == "Budget(bytes=1000, tables=3)"
    assert repr(Budget()) == "Budget()"
    searcher = searcher_of("ttt3")
    size = searcher.ledger.total_bytes
    assert repr(searcher) == (
        "<graver2 with 40 nodes in %d bytes at ttt3, moves played: 0, X to move>" % size
    )
    assert repr(searcher.ledger).startswith("<Ledger of graver2 on ttt3: 40 nodes (top 20")


def test_printing_a_position_shows_the_board():
    assert str(after("ttt3", ["B2"])).splitlines()[2] == " 2 . X ."

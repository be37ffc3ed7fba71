"""Searches of games and with parts that are not in the product (toys/), on any runtime.

    python seams.py [--checked]     and on MicroPython, with the core's folder as an argument

prints a line for each job of JOBS: the tree's hash.
"""

import sys

RETURNED = "0-2 5-7 2-6 25-29"  # 12 squares: one more and three more would come again

# game of toys/, search, nodes, settings, moves played before
JOBS = (
    ("again", "uct", 60, dict(playouts=400)),
    ("again", "graver2", 60, dict(playouts=400, preset="paper")),
    ("again", "rave", 30, dict(playouts=400, preset="paper")),
    ("again", "alphabeta", 64, dict(depth=12)),
    ("crossing", "uct", 60, dict(playouts=400)),
    ("crossing", "graver2", 60, dict(playouts=400, preset="paper")),
    ("crossing", "graver", 60, dict(playouts=400, explore=4)),
    ("crossing", "graver2", 60, dict(playouts=400, preset="paper"), "0-1 25-26 20-23"),
    ("plain", "uct2", 60, dict(playouts=400)),
    ("joint", "uct", 300, dict(playouts=300)),
    ("joint", "uctr2", 60, dict(playouts=900)),
    ("again", "greedy", 60, dict(playouts=300)),
    ("crossing", "greedyr2", 60, dict(playouts=400)),
    ("again", "uct", 60, dict(playouts=300, playout_policy="lowest")),
    ("again", "graver2", 60, dict(playouts=300, playout_policy="lowest+uniform+mast")),
    ("crossing", "uct", 60, dict(playouts=400, reward="degrees")),
    ("joint", "uctr2", 60, dict(playouts=900, reward="degrees")),
    ("crossing", "graver2", 60, dict(playouts=400, reward="degrees", preset="paper")),
    ("crossing", "uct", 40, dict(playouts=30000, reward="degrees")),  # counters are halved
    ("again", "graver2", 60, dict(playouts=400, reward="bonus", preset="paper")),
    ("joint", "uct", 300, dict(playouts=600, reward="curve")),
    ("crossing", "rave2", 60, dict(playouts=400, reward="curve", playout_policy="mast+uniform")),
    ("again", "uctr", 30, dict(playouts=400, reward="weighted")),
    ("crossing", "grave", 60, dict(playouts=30000, reward="weighted")),
    ("plain", "uct", 60, dict(playouts=400, reward="weighted")),
    ("joint", "uctr2", 60, dict(playouts=900, reward="weighted")),
    ("crossing", "uctr2", 60, dict(playouts=400, reward="wp", wp_near=0.5)),
    ("plain", "uct", 60, dict(playouts=400, reward="wp", playout_limit=5)),
    ("joint", "uct", 300, dict(playouts=600, reward="wp", wp_relative=True)),
    ("crossing", "graver2", 60, dict(playouts=400, reward="hp")),
    ("joint", "uctr2", 60, dict(playouts=900, reward="rqb")),
    ("crossing", "tunedr", 60, dict(playouts=400, reward="hp")),
    ("joint", "uct", 300, dict(playouts=600, root_policy="epsilon", root_epsilon=0.5)),
    ("crossing", "rave", 60, dict(playouts=400, root_policy="voi", final="mean")),
    ("again", "uctr2", 60, dict(playouts=400, backup="fap")),
    ("returning", "uct", 60, dict(playouts=400, root_policy="epsilon"), RETURNED),
    ("returning", "uctr2", 60, dict(playouts=400), RETURNED),
    ("returning", "graver2", 60, dict(playouts=400, preset="paper"), RETURNED),
    ("returning", "rave", 60, dict(playouts=400), RETURNED),
)


def add_parts():
    """The toys into the tables: what a change of the product would be a line for."""
    from picograve.mcts.playout import PLAYOUT
    from picograve.mcts.reward import REWARD
    from picograve.mcts.select import SELECT

    SELECT["greedy"] = ("toys.greedy", 0, (1000, 100, 100, 100))
    PLAYOUT["lowest"] = ("toys.lowest", True)
    for name in ("degrees", "curve", "bonus", "weighted"):
        REWARD[name] = ("toys." + name, True)


def game_of(name):
    game = getattr(__import__("toys." + name), name).Game
    game = game(game.default_size)
    game.name, game.given = name, {}
    return game


def searcher_of(name, search, nodes, settings, moves="", seed=7):
    from picograve import Budget, Config, open_search

    searcher = open_search(game_of(name), Config(search, **settings), Budget(nodes=nodes), seed)
    searcher.set_position(moves.split())
    return searcher


def main():
    if sys.implementation.name == "micropython":
        sys.path[:0] = sys.argv[1:]
        from micropython import heap_lock, heap_unlock
    else:

        def heap_lock():
            pass

        heap_unlock = heap_lock
        if "--checked" in sys.argv:
            import int32_checker

            int32_checker.install()
    add_parts()
    for job in JOBS:
        searcher = searcher_of(*job)
        searcher.start()
        heap_lock()
        while searcher.run(1000):
            pass
        heap_unlock()
        print(searcher.result().tree_hash)


if __name__ == "__main__":
    main()

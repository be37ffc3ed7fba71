"""The trees that a few searches grow on this runtime, MicroPython included.

python -m picograve_host.contract.trees GAME ...
{"GAME": {"graver2": HASH ...}, or {"error": text} if a search raises}
"""

import json
import sys

from picograve import RUNTIME, Budget, Config, load, open_search

# Search, settings, whether it needs codes of moves.
SEARCHES = (
    ("graver2", {"preset": "paper", "playouts": 80}, True),
    ("grave", {"preset": "paper", "playouts": 30, "epsilon": 0.0}, True),
    ("uct", {"playouts": 30}, False),
)
MOVES = 2  # searched in a row

if RUNTIME == "micropython":
    from micropython import heap_lock, heap_unlock
else:
    from picograve import Result
    from picograve.position import Thinker

    def heap_lock():
        pass

    heap_unlock = heap_lock


def search(searcher: "Thinker") -> "Result":
    """A search that allocates nothing."""
    searcher.start()
    heap_lock()
    try:
        while searcher.run(10000):
            pass
    finally:
        heap_unlock()
    return searcher.result()


def trees_of(name: str) -> dict[str, str]:
    game = load(name)
    trees = {}
    for kind, settings, needs_codes in SEARCHES:
        if needs_codes and not game.code_count:
            continue
        searcher = open_search(game, Config(kind, **settings), Budget(nodes=30), 7)
        hashes: list[str] = []
        while len(hashes) < MOVES and not searcher.is_over:
            result = search(searcher)
            hashes.append(result.tree_hash)
            searcher.play(result.move)
        trees[kind] = " ".join(hashes)
    return trees


def words_of(error: Exception) -> str:
    """An error in one line; Numba's have many, of which the one after the heading says most."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    where = [line.rstrip(":") for line in lines if line.startswith('File "')]
    return "%s: %s" % (type(error).__name__, ", ".join(lines[:2] + where[:1]))


def main(names: list[str]) -> None:
    answers = {}
    for name in names:
        try:
            answers[name] = trees_of(name)
        except Exception as error:
            answers[name] = {"error": words_of(error)}
    print(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1:])

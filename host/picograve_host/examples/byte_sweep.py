"""How strong is a search for its bytes? GRAVER² of a few sizes against UCT, with a plot.

    python byte_sweep.py [games for each size, default 20]

`picograve lab` does this with many games, on all cores, and can go on where it was stopped.
"""

import sys

import matplotlib
from picograve import Budget, Config, Position, Searcher, load

matplotlib.use("Agg")  # a file, no window
from matplotlib import pyplot

GAME = load("hex5")
BYTES = (5_000, 8_000, 16_000, 32_000)
OPPONENT = Config("uct", playouts=400)


def points_of(player: Searcher, opponent: Searcher, number: int) -> float:
    """The player's points in one game; colours alternate."""
    seats = (player, opponent) if number % 2 == 0 else (opponent, player)
    referee = Position(GAME)
    for searcher in seats:
        searcher.seed = number
        searcher.new_game()
    while not referee.is_over:
        move = seats[referee.turn].search().move
        for position in (referee, *seats):
            position.play(move)
    if referee.is_draw:
        return 0.5
    return float(referee.winner == GAME.players[seats.index(player)])


def main(games: int) -> None:
    opponent = Searcher(GAME, OPPONENT, Budget(nodes=400))
    rates = []
    for size in BYTES:
        player = Searcher(GAME, Config("graver2", playouts=400), Budget(bytes=size))
        rates.append(100 * sum(points_of(player, opponent, n) for n in range(games)) / games)
        print("%6d bytes, %3d nodes: %5.1f %%" % (size, player.ledger.nodes, rates[-1]))
    pyplot.plot(BYTES, rates, "o-")
    pyplot.xlabel("bytes of GRAVER²")
    pyplot.ylabel("points against UCT, %")
    pyplot.ylim(0, 100)
    pyplot.savefig("byte_sweep.png")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

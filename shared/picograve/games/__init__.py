"""Games by name: `go9`, `hex11`, `othello`. A game is one file in this folder and nothing else.

The letters of the name are the file, the digits the size: `hex11` is games/hex.py.
Such a file holds five kernels and a class `Game`. The kernels work on a state, a byte
buffer whose first byte is the player to move (0 or 1; players alternate, a forced pass is
a move). Every search on every runtime uses just these:

    copy(to, state)              the part of a state that a move can change, or all of it
    moves(state, out) -> count   moves worth a search into out (H); 0 if the game is over
    play(state, move)            a move that `moves` or `legal` allows
    playout(state, rng, trace, length, order, epsilon) -> length
                                 to the end of the game, appending moves to trace (H);
                                 a random move with epsilon / 65536, else the first
                                 playable one of the player's half of order (H)
    outcome(state) -> 0 | 1 | 2  half points of the first player, the game being over

`Game(size, **options)` has
    rules          the tuple of these five, in this order
    legal          kernel legal(state, move) -> 0 | 1, by the full rules; 0 when the game is over
    key            kernel key(state) -> hash, where a position must not come again, or None;
                   with it, kernel repetitions(state, work, keys, now, moves, count) -> count
                   keeps of `moves` (H) those that bring back a position of keys[:now] (i);
                   keys[now] is the state's own, work is scratch
    players        the two names
    options        names of its options
    sizes, default_size
    state_bytes    length of a state
    move_limit     moves are 0 to move_limit - 1
    code(move)     dense index of a move in AMAF and MAST tables, None if it is no move
    code_count     number of such codes
    move_cap       longest game
    reset(state), text(move), show(state), score(state)
and, for those who know something about the game, or None and () where nobody does:
    fingerprint    kernel fingerprint(state, out): two hashes, each 0 to 2**31 - 1, into out
                   (i[2]), of the position and the player to move, the same however it came
                   about: what tables of positions look for
    evaluate       kernel evaluate(state) -> the first player's advantage in a game that is
                   not over, less than 10000 either way
    heuristics     names of what `appraise` knows, such as ("E", "Mp")
    appraise       kernel appraise(state, work, heuristic, moves, count, values): the worth of
                   the position after each of `moves` (H), 0 or more, larger is better for
                   the player to move now, into values (i), by the heuristic of that place in
                   `heuristics`; work is a state to scratch in
    strategies     sets of playout policies by name, for switching between them:
                   (("all", ("uniform", "E", "Mp")), ("top3", ...))
`load` adds its `name` and `given`, the options it was made with.
No position may have more than code_count moves.
"""

from picograve.errors import BadInput
from picograve.kernel import remembering

NO_CODE = 65535  # in the table of codes: not a move


def load(name, **options):
    """The game called `name`, such as go9; options go to its class (Go: komi)."""
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    kind = _module(name, letters).Game
    size = int(digits) if digits else kind.default_size
    usual = letters + str(kind.default_size) if len(kind.sizes) > 1 else letters
    if size not in kind.sizes:
        raise BadInput(
            "%s comes in sizes %d to %d: %s, not %s"
            % (kind.title, kind.sizes[0], kind.sizes[-1], usual, name)
        )
    for option in options:
        if option not in kind.options:
            raise BadInput("%s has no option %s" % (kind.title, option))
    game = kind(size, **options)
    game.name = letters + str(size) if len(kind.sizes) > 1 else letters
    game.given = options
    return game


def _module(name, letters):
    if letters.isalpha() and letters == letters.lower():
        try:
            return getattr(__import__("picograve.games." + letters).games, letters)
        except ImportError:
            pass
    raise BadInput("no game called %s; try go9, hex11, othello or ttt3" % name)


def codes_of(game, codes):
    """Fill the table of move codes (H[move_limit])."""
    for move in range(game.move_limit):
        code = game.code(move)
        codes[move] = NO_CODE if code is None else code


@remembering
def move_of(game, text):
    """The move that `text` stands for, or None; upper and lower case are the same."""
    for move in range(game.move_limit):
        if game.code(move) is not None and game.text(move).lower() == text.lower():
            return move
    return None

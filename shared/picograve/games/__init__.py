"""Games by name: `go9`, `hex11`, `othello`. A game is one file in this folder and nothing else.

The letters of the name are the file, the digits the size: `hex11` is games/hex.py. A game of
one's own is a file anywhere else: `nim.py` in its usual size, `games/nim.py:4` in size 4; its
name then is nim4, as if it were here.

Such a file holds kernels and a class `Game`, which builds on the one below. protocols.pyi says
what each of them is, and `picograve check-game nim.py` tries it.
"""

from picograve.errors import BadInput
from picograve.kernel import RUNTIME, bind, const, remembering

if RUNTIME != "micropython":
    from typing import TYPE_CHECKING, Any

    if TYPE_CHECKING:
        from picograve import protocols

NO_CODE = 65535  # in the table of codes: not a move

# Places of the kernels in the tuple that searches take, and their shapes (kernel.bind).
_COPY = const(0)
_LIST_MOVES = const(1)
_PLAY = const(2)
_PLAYOUT = const(3)
_OUTCOME = const(4)
_APPRAISE = const(5)
_CODE_MOVES = const(6)
_EVALUATE = const(7)
_FINGERPRINT = const(8)
_PRIOR = const(9)
_REPLY = const(10)
_PICK = const(11)
_DECIDED = const(12)
_BEGIN = const(13)
_BOUND = const(14)
_LOUD = const(15)
_TAKE_BACK = const(16)
_MORE = (
    "appraise", "codes", "evaluate", "fingerprint", "prior", "reply", "pick", "decided", "begin",
    "bound", "loud", "take_back",
)  # fmt: skip
_SHAPES = "-BB nBH -Bn nBiHnHn nB -BBnHni -BHnH nB -Bi -BnnHHnBH nBinnB nBin nB -B nBn nBHn -BHnn"


# How a tree numbers a game's moves, see mcts/search.py.
TABLE = const(0)
PLACES = const(1)
PLAIN = const(2)
UNLISTED = const(3)
NESTED = const(4)  # without a list as well


def kind_of(game):
    """How a tree numbers its moves."""
    if not game.lists:
        return NESTED if game.nested else UNLISTED
    if game.codes:
        return PLACES
    return TABLE if game.code_count else PLAIN


def chosen_of(game, kind, text):
    """A setting such as all, none or captures+shapes as a sum of bits: the places of its words in
    game.replies or game.priors, which `kind` names."""
    known = getattr(game, kind)
    if text == "all":
        return (1 << len(known)) - 1
    bits = 0
    for word in text.split("+"):
        if word in known:
            bits |= 1 << known.index(word)
        elif word != "none":
            choices = ", ".join(("all", "none") + known)
            raise BadInput(
                "%s on %s are one of %s, or several joined by +, not %s"
                % (kind, game.name, choices, text)
            )
    return bits


def rules_of(game, wanted):
    """A game's kernels for a search: the five that all have, and those that are wanted."""
    more = [getattr(game, name) if name in wanted else None for name in _MORE]
    return bind(_SHAPES, game.rules + tuple(more))


class Game:
    """What a game is that says nothing else; the classes of the files build on it."""

    name: str
    given: "dict[str, Any]"
    file: "Path | None"
    digest: str | None
    code_count: int

    lists = True
    nested = False
    hides = False
    key = codes = fingerprint = evaluate = appraise = owners = None
    reply = pick = decided = prior = begin = bound = loud = verdict = playout_cap = None
    take_back = None
    replies = priors = ()
    known = b""
    amaf_span = 1
    heuristics = strategies = scripts = options = ()
    default_size = 1
    sizes = (1,)
    numbering = (1, 0)

    @property
    def most_moves(self) -> int:
        return self.code_count

    if RUNTIME != "micropython":

        def __repr__(self):
            options = "".join(", %s=%r" % option for option in self.given.items())
            return "load(%r%s)" % (self.name, options)

        def need_switches(self, *names):
            """Refuse options that are neither on nor off."""
            for name in names:
                if getattr(self, name) not in (True, False):
                    raise BadInput("%s must be true or false, not %s" % (name, getattr(self, name)))


def load(name: str, **options: "Any") -> "protocols.Game":
    """The game called `name`, such as go9, or in a file: nim.py, nim.py:4 for its size 4.

    Options go to its class (Go: komi).
    """
    if RUNTIME != "micropython":
        name = _open_file(name)
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    kind = _module(name, letters).Game
    size = int(digits[:4]) if digits else kind.default_size  # no game has a size of four digits
    usual = letters + str(kind.default_size) if len(kind.sizes) > 1 else letters
    if size not in kind.sizes:
        sizes = "%d to %d" % (kind.sizes[0], kind.sizes[-1])
        if kind.sizes[-1] - kind.sizes[0] >= len(kind.sizes):
            sizes = ", ".join([str(one) for one in kind.sizes])
        raise BadInput("%s comes in sizes %s: %s, not %s" % (kind.title, sizes, usual, name))
    for option in options:
        if option not in kind.options:
            raise BadInput("%s has no option %s" % (kind.title, option))
    game = kind(size, **options)
    game.name = letters + str(size) if len(kind.sizes) > 1 else letters
    game.given = options
    if RUNTIME != "micropython":
        game.file, game.digest, _ = _FILES.get(letters, (None, None, None))
    return game


def _module(name, letters):
    if RUNTIME != "micropython":
        if letters in _FILES:
            return _FILES[letters][2]
    if letters.isalpha() and letters == letters.lower():
        try:
            return getattr(__import__("picograve.games." + letters).games, letters)
        except ImportError:
            pass
    raise BadInput("no game called %s; try go9, hex11, othello, chess or ttt3" % name)


if RUNTIME != "micropython":  # a chip has a game of one's own in this folder
    import hashlib
    import importlib.util
    import linecache
    import sys
    from pathlib import Path

    # Games of one's own that were loaded, by their letters: (path, digest of the text, module).
    _FILES = {}

    def _open_file(name):
        """Load the file that `name` gives, if it does: nim.py:4 then is nim4."""
        path, _, size = name.rpartition(":")
        if not path.endswith(".py"):
            path, size = name, ""
        if not path.endswith(".py"):
            return name
        file = Path(path).resolve()
        letters = file.stem
        if not (letters.isascii() and letters.isalpha() and letters.islower()):
            raise BadInput(
                "%s: name the file in small letters only, as nim.py: digits are sizes" % path
            )
        if (Path(__file__).parent / file.name).exists():
            raise BadInput("%s: picograve has a game called %s; rename the file" % (path, letters))
        try:
            text = file.read_bytes()
        except OSError as error:
            raise BadInput("cannot read %s: %s" % (path, error.strerror)) from None
        digest = hashlib.sha256(text).hexdigest()[:12]
        if _FILES.get(letters, ())[:2] != (file, digest):
            _FILES[letters] = file, digest, _import_file(path, file)
        return letters + size

    def _import_file(path, file):
        linecache.checkcache(str(file))  # kernels are compiled from their text
        spec = importlib.util.spec_from_file_location("picograve_game_" + file.stem, file)
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise BadInput("%s cannot be loaded: %s" % (path, error)) from None
        if not hasattr(module, "Game"):
            raise BadInput("%s has no class Game: see picograve.games" % path)
        return module


def codes_of(game, codes):
    """Fill the table of move codes (H[move_limit])."""
    for move in range(game.move_limit):
        code = game.code(move)
        codes[move] = NO_CODE if code is None else code


def move_of(game, text, listed=None):
    """The move that `text` stands for, or None; upper and lower case are the same.

    A game that has `find` is asked; where moves have a table of codes, all of them are looked
    through; else those that listed() gives.
    """
    text = str(text).lower()
    if hasattr(game, "find"):
        return game.find(text)
    if kind_of(game) == TABLE:
        return _any_move(game, text)
    for move in listed():
        if game.text(move).lower() == text:
            return move
    return None


@remembering
def _any_move(game, text):
    for move in range(game.move_limit):
        if game.code(move) is not None and game.text(move).lower() == text:
            return move
    return None

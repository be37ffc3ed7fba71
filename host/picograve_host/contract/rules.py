"""Random games of a game on plain CPython, and what picograve.games says of its kernels.

    python -m picograve_host.contract.rules GAME ...    {"GAME": {"violations": [...]}}

The buffers here refuse an index beyond their ends, negative ones too, and a number that does not
fit. Of each kind of violation the first is reported.
"""

import json
import random
import sys
import traceback
from array import array

from picograve import load, rng
from picograve.games import PLACES, TABLE, kind_of, move_of
from picograve.kernel import ITEM_BYTES

GAMES = 4
PLAYOUTS = 4  # in each game
UNIFORM, GREEDY = 65536, 0  # epsilon of a playout
SECOND = 32768  # = picograve.mcts.search._SECOND
NONE = 65535  # = picograve.mcts.tree._NONE
UNTOUCHED = 12345
MOST_VISITS = 127  # of a prior: twice as many points fit a byte
WANTED = (
    "title rules legal players state_bytes move_limit code_count move_cap reset text show score"
).split()


class Broken(Exception):
    """A kernel failed: the game cannot go on."""


class Buffer(array):
    """An array that knows what it is called, and its bounds."""

    name: str

    def __new__(cls, name, kind, count):
        buffer = array.__new__(cls, kind, bytes(count * ITEM_BYTES[kind]))
        buffer.name = name
        return buffer

    def _check(self, place):
        if not isinstance(place, slice) and not 0 <= place < len(self):
            raise IndexError("%s[%d]; it has %d entries" % (self.name, place, len(self)))

    def __getitem__(self, place):
        self._check(place)
        return array.__getitem__(self, place)

    def __setitem__(self, place, value):
        self._check(place)
        try:
            array.__setitem__(self, place, value)
        except OverflowError:
            raise OverflowError("%d does not fit %s" % (value, self.name)) from None


class Checker:
    """`found` maps what was looked at to the first thing that was wrong with it."""

    def __init__(self, game):
        self.game = game
        self.kind = kind_of(game)
        self.copy, self.moves, self.play, self.playout, self.outcome = game.rules
        self.found = {}
        self.fingerprints = {}  # of positions seen: what they look like

    def complain(self, what, text):
        self.found.setdefault(what, "%s: %s" % (what, text))

    def call(self, what, kernel, *arguments):
        """Its result; a failure is a violation, with the line."""
        try:
            return kernel(*arguments)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = [frame.lineno for frame in frames if frame.filename != __file__][-1:]
            where = "line %s, " % line[0] if line else ""
            self.complain(what, "%s%s: %s" % (where, type(error).__name__, error))
            raise Broken from None

    def new_state(self):
        state = Buffer("state", "B", self.game.state_bytes)
        self.call("reset", self.game.reset, state)
        return state

    def run(self):
        try:
            self.check_codes_and_texts()
            self.ended = [self.new_state(), self.new_state()]  # buffers of earlier games
            for number in range(GAMES):
                self.play_game(random.Random(number))
        except Broken:
            pass
        return list(self.found.values())

    def check_codes_and_texts(self):
        game = self.game
        most = SECOND if self.kind == TABLE else 65536
        if not 0 < game.move_limit <= most:
            self.complain("move_limit", "%d is not 1 to %d" % (game.move_limit, most))
        if self.kind != TABLE:
            return
        moves: dict[int, int] = {}
        texts: dict[str, int] = {}
        for move in range(game.move_limit):
            code = self.call("code", game.code, move)
            if code is None:
                continue
            if code in moves:
                self.complain("code", "moves %d and %d share code %d" % (moves[code], move, code))
            moves[code] = move
            text = self.call("text", game.text, move)
            other = texts.setdefault(text.lower(), move)
            if other != move:
                self.complain("text", "moves %d and %d are both called %s" % (other, move, text))
        gaps = set(range(game.code_count)) ^ set(moves)
        if gaps:
            wrong = min(gaps)
            text = "no move has it" if wrong not in moves else "code_count is %d" % game.code_count
            self.complain("code", "codes are not dense: %d, %s" % (wrong, text))
        self.coded = list(moves.values())

    def play_game(self, dice):
        """A random game; it ends in one of the buffers `ended`."""
        state, ply = self.new_state(), 0
        played: list[int] = []
        every = 1 + self.game.move_cap // PLAYOUTS // 2
        while listed := self.look(state):
            if ply == self.game.move_cap:
                self.complain("move_cap", "a game has more than %d moves" % ply)
                break
            if ply % every == 0:
                self.check_playouts(state, played, dice)
                self.check_knowledge(state, listed, played[-1] if played else NONE, dice)
            move = dice.choice(listed)
            self.call("play", self.play, state, move)
            played.append(move)
            ply += 1
        else:
            self.check_end(state)
            if self.game.pick:
                numbers = Buffer("rng", "i", 2)
                if self.call("pick", self.game.pick, state, numbers, 0) != NONE:
                    self.complain("pick", "finds a move when the game is over")
        self.ended = [self.ended[1], state]

    def list_moves(self, state):
        game = self.game
        out = Buffer("list of moves", "H", game.most_moves if game.lists else 0)
        count = self.call("moves", self.moves, state, out)
        if not game.lists:
            return range(count)
        return list(out[:count])

    def picture(self, state):
        """All that a position shows of itself."""
        prints = Buffer("fingerprint", "i", 2)
        if self.game.fingerprint:
            self.call("fingerprint", self.game.fingerprint, state, prints)
        shown = self.call("show", self.game.show, state)
        return state[0], list(self.list_moves(state)), shown, tuple(prints)

    def look(self, state):
        """The listed moves, after a look at all that a position shows."""
        game = self.game
        before = self.picture(state)
        turn, listed, shown, prints = before
        if turn > 1:
            self.complain("state", "its first byte, the player to move, is %d" % turn)
            raise Broken
        if len(set(listed)) < len(listed):
            self.complain("moves", "a move is listed twice")
        for move in listed[:: 1 + len(listed) // 500]:
            self.check_move(state, move, listed)
        if self.kind == PLACES and listed:
            self.check_codes(state, listed)
        if game.fingerprint:
            self.check_fingerprint(prints, (turn, shown))
        if listed:
            self.check_opinions(state, listed)
        if self.picture(state) != before:
            self.complain("state", "looking at a position changes it")
        return listed

    def check_move(self, state, move, listed):
        game = self.game
        if not 0 <= move < game.move_limit:
            self.complain("moves", "%d is listed; move_limit is %d" % (move, game.move_limit))
            raise Broken
        text = self.call("text", game.text, move)
        if not self.call("legal", game.legal, state, move):
            self.complain("moves", "%s is listed and not legal" % text)
        if not text or len(text.split()) != 1:
            self.complain("text", "%r is not one word" % text)
        if self.kind == TABLE and game.code(move) is None:
            self.complain("code", "%s is listed and has none" % text)
        for spelling in (text.lower(), text.upper()):
            if self.call("text", move_of, game, spelling, lambda: listed) != move:
                self.complain("text", "%s does not lead back to move %d" % (spelling, move))

    def check_codes(self, state, listed):
        moves, out = Buffer("moves", "H", len(listed)), Buffer("codes", "H", len(listed))
        moves[:] = array("H", listed)
        self.call("codes", self.game.codes, state, moves, len(listed), out)
        if max(out) >= self.game.code_count:
            self.complain("codes", "%d; code_count is %d" % (max(out), self.game.code_count))

    def check_fingerprint(self, prints, position):
        if min(prints) < 0:
            self.complain("fingerprint", "%d is negative" % min(prints))
        if self.fingerprints.setdefault(prints, position) != position:
            self.complain("fingerprint", "two different positions have the same")

    def check_opinions(self, state, listed):
        """What `evaluate`, `bound`, `appraise` and `loud` think."""
        game = self.game
        if game.evaluate:
            value = self.call("evaluate", game.evaluate, state)
            if abs(value) >= 10000:
                self.complain("evaluate", "%d is not less than 10000" % value)
        if game.bound:
            for player in (0, 1):
                value = self.call("bound", game.bound, state, player)
                if not 1 <= value < 10000:
                    self.complain("bound", "%d is not 1 to 9999" % value)
        moves, values = Buffer("moves", "H", len(listed)), Buffer("values", "i", len(listed))
        moves[:] = array("H", listed)
        for place, name in enumerate(game.heuristics):
            work = self.ended[0]
            self.call("appraise", game.appraise, state, work, place, moves, len(listed), values)
            if min(values) < 0:
                self.complain("appraise", "%s gives %d, less than 0" % (name, min(values)))
        if game.loud:
            count = self.call("loud", game.loud, state, moves, len(listed))
            if not 0 <= count <= len(listed) or not set(moves[:count]) <= set(listed):
                self.complain("loud", "%d moves, not some of those listed" % count)

    def check_playouts(self, state, played, dice):
        """Playouts from a copy of the position, and from where the moves lead."""
        seed = dice.randrange(2**30)
        order = Buffer("order", "H", 0)
        self.check_playout(state, played, seed, order, UNIFORM)
        if self.kind == TABLE:
            order = Buffer("order", "H", 2 * self.game.code_count)
            halves = (
                dice.sample(self.coded, len(self.coded)),
                dice.sample(self.coded, len(self.coded)),
            )
            order[:] = array("H", halves[0] + halves[1])
            self.check_playout(state, played, seed, order, GREEDY)

    def check_knowledge(self, state, listed, last, dice):
        """What reply, pick, decided and prior do, each for all that it knows."""
        game = self.game
        numbers = Buffer("rng", "i", 2)
        rng.start(numbers, dice.randrange(2**30))
        twin = self.ended[0]
        self.call("copy", self.copy, twin, state)
        which = (1 << len(game.replies)) - 1
        if game.reply:
            move = self.call("reply", game.reply, twin, numbers, which, last, game.known)
            if move != NONE and not self.call("legal", game.legal, state, move):
                self.complain("reply", "%s is not legal" % game.text(move))
        if game.pick:
            move = self.call("pick", game.pick, twin, numbers, which)
            if move not in listed:
                self.complain("pick", "%d is not listed" % move)
        if game.decided and self.call("decided", game.decided, twin) not in (0, 1):
            self.complain("decided", "it is not 0 or 1")
        if game.prior:
            self.check_prior(state, listed, last)

    def check_prior(self, state, listed, last):
        game = self.game
        limit = game.move_limit if self.kind == TABLE else game.most_moves
        moves = Buffer("moves", "H", len(listed))
        moves[:] = array("H", listed)
        places = array("H", listed if self.kind == TABLE else range(len(listed)))
        priors = Buffer("priors", "H", limit)
        which = (1 << len(game.priors)) - 1
        self.call(
            "prior", game.prior, state, which, last, moves, places, len(listed), game.known, priors
        )
        for place, move in zip(places, listed, strict=True):
            visits, points = divmod(priors[place], 256)
            if visits > MOST_VISITS or points > 2 * visits:
                text = "%s has %d points in %d visits" % (game.text(move), points, visits)
                self.complain("prior", text)

    def check_playout(self, state, played, seed, order, epsilon):
        twin = self.ended[0]
        self.call("copy", self.copy, twin, state)
        if self.picture(twin) != self.picture(state):
            self.complain("copy", "the copy is another position")
            raise Broken
        again = self.new_state()
        for move in played:
            self.call("play", self.play, again, move)
        if self.picture(again) != self.picture(state):
            self.complain("play", "the same moves lead to another position")
            raise Broken
        notes = self.play_out(again, len(played), seed, order, epsilon)
        if self.play_out(twin, len(played), seed, order, epsilon) != notes:
            self.complain("copy", "a playout from the copy is another")
        result = self.check_end(again)
        if self.kind == TABLE:
            self.check_notes(state, notes, result)

    def play_out(self, state, start, seed, order, epsilon):
        """What a playout notes."""
        numbers = Buffer("rng", "i", 2)
        rng.start(numbers, seed)
        trace = Buffer("trace (move_cap)", "H", self.game.move_cap)
        for place in range(start):
            trace[place] = UNTOUCHED
        length = self.call("playout", self.playout, state, numbers, trace, start, order, epsilon)
        if not start <= length <= self.game.move_cap:
            cap = self.game.move_cap
            self.complain("playout", "%d moves long; move_cap is %d" % (length, cap))
            raise Broken
        if any(note != UNTOUCHED for note in trace[:start]):
            self.complain("playout", "changes the trace before its start")
        return list(trace[start:length])

    def check_notes(self, state, notes, result):
        """That the moves a playout notes are a game with its result."""
        replay = self.ended[1]
        self.call("copy", self.copy, replay, state)
        for note in notes:
            player, move = divmod(note, SECOND)
            if player != replay[0]:
                self.complain("playout", "notes a move for the wrong player")
                return
            if not self.call("legal", self.game.legal, replay, move):
                self.complain("playout", "plays %s, which is not legal" % self.game.text(move))
                return
            self.call("play", self.play, replay, move)
        if self.list_moves(replay):
            self.complain("playout", "stops before the end of the game")
        elif self.call("outcome", self.outcome, replay) != result:
            self.complain("playout", "ends with another outcome than its moves")

    def check_end(self, state):
        """The outcome of a game that is over."""
        if self.list_moves(state):
            self.complain("playout", "leaves a game that is not over")
        outcome = self.call("outcome", self.outcome, state)
        if outcome not in (0, 1, 2):
            self.complain("outcome", "%s is not 0, 1 or 2" % outcome)
        for move in self.coded if self.kind == TABLE else ():
            if self.call("legal", self.game.legal, state, move):
                text = self.game.text(move)
                self.complain("legal", "%s is legal though no move is listed" % text)
        if not isinstance(self.call("score", self.game.score, state), str):
            self.complain("score", "it is no text")
        return outcome


def violations(name: str) -> list[str]:
    game = load(name)
    missing = [attribute for attribute in WANTED if not hasattr(game, attribute)]
    if missing:
        return ["Game: it has no %s" % attribute for attribute in missing]
    if len(game.rules) != 5:
        return ["rules: the tuple of five kernels has %d" % len(game.rules)]
    return Checker(game).run()


def main(names: list[str]) -> None:
    answers: dict[str, dict[str, str | list[str]]] = {}
    for name in names:
        try:
            answers[name] = {"violations": violations(name)}
        except Exception as error:  # of its class Game; the other games are checked all the same
            answers[name] = {"error": "%s: %s" % (type(error).__name__, error)}
    print(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1:])

"""A board as a player: its search behind a link, brought back whenever it forgets.

Every request names the session that was set up; a board that was reset does not know it and
says so (link.Lost). Then the game is played to it again. A search draws its random numbers
from the seed and the move number, so the same move comes out; where a search leaves traces
for the next (MAST's statistics, a kept tree), the searches are repeated, too, each with just
the playouts it had made.
"""

import random
import time

from picograve import PRESETS
from picograve.config import PAPER

from picograve_host.link import LinkError, Lost
from picograve_host.players import Thought, catch_up

FIRST_POLL, LONGEST_POLL = 0.005, 0.25  # seconds between two looks at a thinking board
MOST_LOSSES = 50  # of one request: a board that cannot keep a session is broken


class BoardPlayer:
    def __init__(self, link, game, config, budget, seed=1):
        self._link = link
        self.config = config
        self.budget = budget
        self.seed = seed
        self.where = "%s (%s, %s)" % (link.port, link.hello["machine"], link.hello["system"])
        self.set_game(game)

    def set_game(self, game):
        self.ledger = self.budget.ledger(game, self.config)
        self.game = game
        self._events = []  # what happened since the game began: (do, request)
        self._thinking = False
        self._set_up()

    def _set_up(self):
        """A session for this game, at its first position."""
        for _ in range(MOST_LOSSES):
            self._session = "%04x" % random.randrange(65536)
            try:
                self._link.request("clear")
                answer = self._link.request("setup", session=self._session, **self._setting())
                self._link.request("new", of=self._session, seed=self.seed)
                break
            except Lost:
                continue
        else:
            raise self._hopeless()
        self.heap = answer
        mine = self.ledger
        expected = (mine.total_bytes, mine.nodes_top, mine.nodes_second, mine.playouts)
        if tuple(answer[k] for k in ("bytes", "nodes_top", "nodes_second", "playouts")) != expected:
            raise LinkError("the board counts another ledger; install this version on it")

    def _setting(self):
        preset = PRESETS[self.config.preset]
        names = [name for name in PAPER if getattr(self.config, name) != preset[name]]
        names += ["preset", "playouts", "playouts_top", "playouts_second"]
        config = {name: getattr(self.config, name) for name in names}
        budget = {name: getattr(self.budget, name) for name in ("bytes", "nodes", "tables")}
        return dict(
            game=self.game.name,
            options=self.game.given,
            search=self.config.search,
            config={name: value for name, value in config.items() if value is not None},
            budget={name: value for name, value in budget.items() if value is not None},
        )

    @property
    def moves(self):
        return [request["move"] for do, request in self._events if do == "play"]

    def new_game(self, seed):
        self.seed = seed
        self._events = []
        self._ask("new", seed=seed)

    def play(self, move):
        self._ask("play", move=move, ply=len(self.moves))
        self._events.append(("play", dict(move=move)))

    def set_position(self, moves):
        catch_up(self, moves)

    def search(self, seconds=None, watch=None):
        limit = dict(ms=max(1, round(seconds * 1000))) if seconds else {}
        for _ in range(MOST_LOSSES):
            try:
                self._think(len(self.moves), limit, watch)
                answer = self._request("result")
                break
            except Lost:
                self._bring_back()
        else:
            raise self._hopeless()
        self._events.append(("search", dict(playouts=answer["playouts"])))
        visits = answer["visits"]
        return Thought(
            move=answer["move"],
            value=answer["points"] / (2 * visits) if visits else 0.5,
            playouts=answer["playouts"],
            playouts_saved=answer["saved"],
            seconds=answer["us"] / 1e6,
            nodes_used=answer["used"],
            nodes_recycled=answer["recycled"],
            bytes=answer["bytes"],
            tree_hash=answer["hash"],
            heap_used=answer["heap_used"],
            heap_free=answer["heap_free"],
            heap_largest=answer["heap_largest"],
            choices=answer.get("choices"),
            depth=answer.get("depth"),
        )

    def root_moves(self):
        ask = self._request if self._thinking else self._ask  # a search begins anew by itself
        return [
            (move, visits, points / (2 * visits) if visits else 0.5)
            for move, visits, points in ask("root")["moves"]
        ]

    def sample(self, playouts):
        """Seconds of the board's own clock for so many playouts without a tree."""
        return self._ask("sample", playouts=playouts)["us"] / 1e6

    def _ask(self, do, **request):
        for _ in range(MOST_LOSSES):
            try:
                return self._request(do, **request)
            except Lost:
                self._bring_back()
        raise self._hopeless()

    def _request(self, do, **request):
        return self._link.request(do, of=self._session, **request)

    def _think(self, ply, limit, watch=None):
        answer = self._request("search", ply=ply, **limit)
        self._thinking = True
        wait = FIRST_POLL
        while answer["thinking"]:
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_POLL)
            answer = self._request("status")
            if watch and answer["thinking"] and watch(self, answer["playouts"]):
                answer = self._request("stop")
        self._thinking = False

    def _bring_back(self):
        """Set the board up again and repeat the game up to here."""
        self._thinking = False
        remembers = "mast" in self.ledger.policies or self.config.reuse
        last = len(self._events) - 1  # if it was a search, its tree may be asked for
        for _ in range(MOST_LOSSES):
            self._set_up()
            ply = 0
            try:
                for number, (do, request) in enumerate(self._events):
                    if do == "play":
                        self._request("play", ply=ply, **request)
                        ply += 1
                    elif remembers or number == last:
                        self._think(ply, request)
                return
            except Lost:
                continue
        raise self._hopeless()

    def _hopeless(self):
        return LinkError("the board at %s cannot keep a session" % self._link.port)

"""The game under way: whose turn it is, clocks, undo, hints.

One worker thread calls `handle` with a message after the other; searches run there, too, in slices.
Another thread may call `announce` before it hands a message over: a search then ends at the next
slice, with its move (`stop`) or without one (whatever changes the game). What there is to see goes
to `publish(kind, data)`. A message `{"do": "undo"}` is done by the method `_do_undo`.

In a match two searches play, each its side; else one plays every side that is not the person's.
"""

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve import BadInput, Position
from picograve.errors import RunFailed

from picograve_host.match.game import is_hopeless
from picograve_host.play import files
from picograve_host.play.choices import HERE, Choices
from picograve_host.play.shapes import moves_of, picture_of, shape_of
from picograve_host.play.watching import Watcher, thought_as_data
from picograve_host.players.data import PLACE
from picograve_host.players.desktop import STEPS, DesktopPlayer
from picograve_host.players.factory import open_search_player
from picograve_host.words import number

if TYPE_CHECKING:
    from picograve_host.players.protocol import SearchPlayer

Publish = Callable[[str, Any], object]
CHANGES = ("new", "undo", "switch", "resign", "play")  # a search under way is of no use after these
MOVES_LEFT = 25  # for so many moves a search's clock must always last
LONGEST_MOVE = 64  # letters


class Room:
    def __init__(
        self, choices: Choices, publish: Publish, is_watched: Callable[[], bool] = lambda: True
    ) -> None:
        self.choices = choices
        self._publish = publish
        self._is_watched = is_watched  # whether anybody sees what is published
        # Two counters, each written by one thread: nothing to lock.
        self._announced = self._done = 0  # messages that change the game
        self._stop = False
        self.paused = False  # between two moves of searches
        self._clients = contextlib.ExitStack()  # players to close
        self.choice: Any = None  # a Choice, once there is a game
        self.number = 0  # of the game: pages tell games apart by it

    # What other threads may call.

    def announce(self, do: str) -> None:
        """A message of this kind is about to be handed over."""
        if do in CHANGES:
            self._announced += 1
        elif do == "stop":
            self._stop = True
        elif do in ("pause", "go"):
            self.paused = do == "pause"

    def answer(self, message: dict[str, Any]) -> tuple[str, Any]:
        """A question that any page may ask, also while a search runs: (kind, data)."""
        choice = self.choice
        if choice is None:
            raise BadInput("there is no game yet")
        if message["do"] == "look":
            ply = message.get("ply")
            if type(ply) is not int or not 0 <= ply < len(self.pictures):
                raise BadInput("the game has no such move")
            return "look", self.pictures[ply]
        kind = message.get("kind")
        if kind not in files.kinds_of(choice.game):
            raise BadInput("this game cannot be saved like that")
        names = ["you" if side in self.seats else self.players[side].where for side in (0, 1)]
        text = files.write(kind, choice.game, names, list(self.moves), self.result)
        return "record", dict(name="%s.%s" % (choice.game.name, kind), text=text)

    @property
    def _changes(self):
        """How many messages wait that make a search under way useless."""
        return self._announced - self._done

    # What only the worker calls.

    def handle(self, message: dict[str, Any]) -> None:
        """Do what a message says, then think while it is the search's turn."""
        do = message.get("do")
        if do in CHANGES:
            self._done += 1
        try:
            action = getattr(self, "_do_%s" % do, None)
            if action is None or (self.choice is None and do != "new"):
                raise BadInput("there is nothing like that to do here")
            self._check_flag()
            action(message)
            while self._is_searchs_turn() and not self._changes and not self.paused:
                self._think()
        except (BadInput, RunFailed) as error:
            self._publish("error", str(error))
        self._publish("state", self.state())

    def close(self) -> None:
        self._clients.close()

    def state(self) -> dict[str, Any] | None:
        """All that a page shows but the search under way."""
        choice = self.choice
        if choice is None:
            return None
        referee, player = self.referee, self.player
        return dict(
            number=self.number,
            game=choice.game.name,
            title=choice.game.title,
            players=choice.game.players,
            shape=self.shape,
            picture=self.pictures[-1],
            legal=[] if self.result else moves_of(referee),
            lists=choice.game.lists,
            turn=referee.turn,
            seats=sorted(self.seats),
            moves=self.moves,
            result=self.result,
            thinking=self.thinking,
            clock=self._clock(),
            search=player.config.search,
            steps=STEPS[player.config.search],
            where=HERE if isinstance(player, DesktopPlayer) else player.where,
            ledger=[(row[0], files.row_bytes(row)) for row in player.ledger.rows if row[2]],
            bytes=player.ledger.total_bytes,
            nodes=player.ledger.nodes,
            records=files.kinds_of(choice.game),
            paused=self.paused,
            rivals=[_described(one) for one in self.players] if choice.rival else None,
        )

    @property
    def player(self) -> "SearchPlayer":
        """Who thinks, or would, in this position."""
        return self.players[self.referee.turn]

    def _do_new(self, message):
        choice = self.choices.take(message)
        shape = shape_of(choice.game)
        with self._noting("%s is being set up" % choice.game.title):
            self._clients.close()  # a board that stays the same must be free before it is opened
            self.choice = None
            first = second = self._open(choice.player, choice.game, choice.seed)
            if choice.rival:
                second = self._open(choice.rival, choice.game, choice.rival_seed)
        self.choice, self.shape, self.seats = choice, shape, set(choice.seats)
        self.number += 1
        self.players: list[SearchPlayer] = [first, second]  # of each side
        self.watchers = [Watcher(first, self._show_live)]
        self.watchers.append(Watcher(second, self._show_live) if choice.rival else self.watchers[0])
        self.paused = False
        self._adviser: Any = None
        self.referee = Position(choice.game)
        self.moves: list[dict[str, Any]] = []
        self.pictures = [self._picture()]
        self.result: str | None = None
        self.thinking = False
        self._used = [0.0, 0.0]  # seconds of each side
        self._since = time.monotonic()

    def _open(self, data, game, seed):
        player = open_search_player(data, game, seed, say=self._say)
        self._clients.callback(player.close)
        player.new_game(seed)
        return player

    def _show_live(self, live):
        if "candidates" not in live:
            self._publish("progress", live)
            return
        if "pool" in live:
            live["pool"] = self._owned(live["pool"])
        self._publish("live", live)

    def _owned(self, pool):
        """A picture of the pool of who is to move; in a match, where there are two, it says so."""
        return dict(pool, owner=self.referee.to_move if self.choice.rival else None)

    def _do_play(self, message):
        move = message.get("move")
        if not (isinstance(move, str) and 0 < len(move) <= LONGEST_MOVE and move.isascii()):
            raise BadInput("a move is a word such as those on the board")
        if message.get("at", self._at()) != self._at():
            raise BadInput("the board has changed since that click")
        self._need_going_on()
        if self.referee.turn not in self.seats:
            raise BadInput("it is not your turn")
        self._make(move, None)

    def _at(self):
        """The position that a click is meant for: the game's number, the moves played."""
        return [self.number, len(self.moves)]

    def _do_undo(self, message):
        """Back to the last move of the person's own, or of anybody."""
        turns = [move["turn"] for move in self.moves]
        mine = [ply for ply, turn in enumerate(turns) if turn in self.seats]
        if not turns:
            raise BadInput("there is no move to take back")
        ply = mine[-1] if mine else len(turns) - 1
        self.moves, self.pictures = self.moves[:ply], self.pictures[: ply + 1]
        texts = [move["move"] for move in self.moves]
        self.referee.set_position(texts)
        for player in self._each_player():
            player.set_position(texts)
        self.result = None
        self._since = time.monotonic()

    def _do_switch(self, message):
        """Who was the search's is the person's, and the other way round."""
        if self.choice.rival:
            raise BadInput("two searches play each other here")
        self.seats = {0, 1} - self.seats

    def _do_resign(self, message):
        self._need_going_on()
        side = self.referee.turn if self.referee.turn in self.seats else min(self.seats, default=0)
        self.result = "%s resigns" % self.choice.game.players[side]

    def _do_flag(self, message):
        """The page saw a clock run out; `handle` has looked at it."""

    def _do_stop(self, message):
        """`announce` has done it."""

    _do_pause = _do_go = _do_stop

    def _do_step(self, message):
        """One move of a search that is paused."""
        self._need_going_on()
        self.paused = True
        if self._is_searchs_turn():
            self._think()

    def _do_hint(self, message):
        """What a search here would play. It is another one, so the opponent's moves stay those
        that it would have made without the hint."""
        self._need_going_on()
        if self._adviser is None:
            here = {k: v for k, v in self.choice.player.items() if k not in PLACE}
            self._adviser = open_search_player(here, self.choice.game, self.choice.seed)
        self._adviser.set_position([move["move"] for move in self.moves])
        with self._noting("A search looks for a hint"):
            thought = self._search(self._adviser, self.choice.seconds, self._until_changed)
        self._publish("hint", dict(move=thought.move, value=thought.value))

    def _search(self, player, seconds, watch):
        """A thought that `stop` ends; pages are told that a search is under way."""
        self.thinking, self._stop = True, False
        self._publish("state", self.state())
        try:
            return player.search(seconds, watch)
        finally:
            self.thinking = False

    def _think(self):
        player, watcher = self.player, self.watchers[self.referee.turn]
        watcher.start()
        thought = self._search(player, self._seconds(), self._watch)
        if self._changes:
            return
        kept = thought_as_data(thought, player)
        if self._is_watched() and (pool := watcher.last_look()):
            self._publish("pool", self._owned(pool))
        if self._gives_up(thought.value):
            self.result = "%s resigns" % self.referee.to_move
        else:
            self._make(thought.move, kept)
        self._publish("state", self.state())

    def _gives_up(self, value):
        """Whether a search that values its best move so resigns, as in a match without a page."""
        if not self.choice.resign:
            return False
        turn = self.referee.turn
        values: tuple[list[float], list[float]] = [], []
        for move in self.moves:
            values[move["turn"]].append(move["thought"]["value"])
        values[turn].append(value)
        return is_hopeless(values, turn, self.choice.resign)

    def _each_player(self):
        """Every player once."""
        return dict.fromkeys(self.players)

    def _watch(self, player, playouts):
        if self._is_watched():
            self.watchers[self.referee.turn].look(playouts)
        return self._until_changed(player, playouts)

    def _until_changed(self, player, playouts):
        return self._stop or self._changes > 0

    def _make(self, move, thought):
        turn = self.referee.turn
        self.referee.play(move)
        move = self.referee.moves[-1]  # as the game writes it
        for player in self._each_player():
            player.play(move)
        now = time.monotonic()
        seconds = now - self._since
        self._used[turn] += seconds
        self._since = now
        self.moves.append(dict(move=move, turn=turn, wall=round(seconds, 3), thought=thought))
        self.pictures.append(self._picture())
        self.result = self.referee.score()
        self._check_flag()

    def _picture(self):
        return picture_of(self.referee, self.shape)

    def _is_searchs_turn(self):
        return self.choice and not self.result and self.referee.turn not in self.seats

    def _need_going_on(self):
        if self.result:
            raise BadInput("the game is over: %s" % self.result)

    def _clock(self):
        """Seconds that each side has used, and has in all; which one runs."""
        used = list(self._used)
        if not self.result:
            used[self.referee.turn] += time.monotonic() - self._since
        limit = self.choice.minutes and 60 * self.choice.minutes
        return dict(used=[round(seconds, 1) for seconds in used], limit=limit)

    def _check_flag(self):
        if self.choice and self.choice.minutes and not self.result:
            clock = self._clock()
            for side, used in enumerate(clock["used"]):
                if used >= clock["limit"]:
                    self.result = "%s is out of time" % self.choice.game.players[side]

    def _seconds(self):
        """How long a search may think now; None: as long as its playouts take."""
        limits = [self.choice.seconds] if self.choice.seconds else []
        if self.choice.minutes:
            clock = self._clock()
            left = clock["limit"] - clock["used"][self.referee.turn]
            limits.append(max(left / MOVES_LEFT, 0.01))
        return min(limits) if limits else None

    def _say(self, text):
        self._publish("note", text)

    @contextlib.contextmanager
    def _noting(self, text):
        """Says what takes a while, as long as it does."""
        self._say(text)
        try:
            yield
        finally:
            self._say("")


def _described(player):
    return "%s in %s bytes on %s" % (
        player.config.search,
        number(player.ledger.total_bytes),
        player.where,
    )

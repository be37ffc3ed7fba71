"""A board as a player: its search behind a link, brought back whenever it forgets.

Every request names the session that was set up; a board that was reset does not know it and
says so (link.Lost). Then the game is played to it again. A search draws its random numbers
from the seed and the move number, so the same move comes out; where a search leaves traces
for the next (MAST's statistics, a kept tree), the searches are repeated, too, each with just
the playouts it had made.
"""

import random
import time
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from picograve import BadInput, Budget, Config, Position
from picograve.position import RootMove
from picograve.value import share
from picograve_board.service import MOST_SHOWN

from picograve_host.boards import install, program
from picograve_host.boards import registry as boards
from picograve_host.boards.link import LinkError, Lost, clock_text
from picograve_host.boards.one_size import as_built, check_size
from picograve_host.players.desktop import catch_up
from picograve_host.players.pool import Pool
from picograve_host.players.thought import Thought, thought_of

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.boards.link import Link
    from picograve_host.players.protocol import Watch

FIRST_POLL, LONGEST_POLL = 0.005, 0.25  # seconds between two looks at a thinking board
MOST_LOSSES = 50  # of one request: a board that cannot keep a session is broken
# Seconds in which a thinking board must get on. An emulated Pico makes a playout of its slowest
# game in one, on a busy machine in ten.
PATIENCE = 120


def open_on_board(
    where: str,
    game: "Game",
    config: Config,
    budget: Budget,
    seed: int,
    say: Callable[[str], object],
    mhz: int | None = None,
) -> "BoardPlayer":
    """The player on a board, by name or port; `mhz` is a clock for one that runs here, if not the
    certified."""
    check_board(where, game, config, budget)
    opened = boards.open_board(where, say, game, mhz)
    try:
        budget = _fitting(opened.board, game, config, budget)
        player = BoardPlayer(opened.link, game, config, budget, seed, opened)
    except BaseException:
        opened.close()
        raise
    if opened.machine:
        system, bits = opened.link.hello["system"], opened.link.hello["bits"]
        what = "%s, %d bits%s" % (system, bits, clock_text(opened.link.hello))
        player.where = "%s (%s)" % (opened.board["name"], what)
    return player


def check_board(where: str, game: "Game", config: Config, budget: Budget) -> None:
    """Refuse what is no board or cannot hold a search, before any board is started."""
    _fitting(boards.describe_any(where), game, config, budget)


def _fitting(board, game, config, budget):
    """The budget, or the board's own where none was given; refused if it cannot fit."""
    if budget.nodes is None and budget.bytes is None:
        budget = Budget(**board["budget"], tables=budget.tables)
    install.check_fit(board, budget.ledger(as_built(game, board.get("only")), config))
    return budget


class BoardPlayer:
    def __init__(
        self,
        link: "Link",
        game: "Game",
        config: Config,
        budget: Budget,
        seed: int = 1,
        board: boards.OpenBoard | None = None,
    ) -> None:
        self._link = link
        self._board = board  # closed with the player
        self.config = config
        self.budget = budget
        self.seed = seed
        hello = link.hello
        self._pool: Pool | None = None  # as it was last seen, if somebody watches
        self._has_news = self._wants_news = False  # of the pool
        self.mhz = hello.get("mhz")
        what = "%s, %s%s" % (hello["machine"], hello["system"], clock_text(hello))
        self.where = "%s (%s)" % (link.port, what)
        self.set_game(game)

    def set_game(self, game: "Game") -> None:
        only = program.only_of(self._link.hello["stamp"])
        check_size(game, only, self._link.port)
        self.ledger = self.budget.ledger(as_built(game, only), self.config)
        self.game = game
        self._referee = Position(game)  # the board's word on what is legal is not enough
        self._events: list[
            tuple[str, dict[str, Any]]
        ] = []  # what happened since the game began: (do, request)
        self._thinking = False
        if self._pool:
            self._pool = Pool(self.ledger, MOST_SHOWN)
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
        budget = {name: getattr(self.budget, name) for name in ("bytes", "nodes", "tables")}
        return dict(
            game=self.game.name,
            options=self.game.given,
            search=self.config.search,
            config=self.config.given,
            budget={name: value for name, value in budget.items() if value is not None},
            **(dict(pool=True) if self._pool else {}),
        )

    @property
    def moves(self) -> list[str]:
        return [request["move"] for do, request in self._events if do == "play"]

    def new_game(self, seed: int) -> None:
        self.seed = seed
        self._events = []
        self._referee.new_game()
        self._ask("new", seed=seed)

    def play(self, move: str) -> None:
        self._ask("play", move=move, ply=len(self.moves))
        self._events.append(("play", dict(move=move)))
        self._referee.play(move)

    def set_position(self, moves: Sequence[str]) -> None:
        catch_up(self, moves)

    def search(self, seconds: float | None = None, watch: "Watch | None" = None) -> Thought:
        limit = dict(ms=max(1, round(seconds * 1000))) if seconds else {}
        self._has_news = False
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
        self._check_moves([answer["move"]])
        thought = thought_of(**answer)
        if not 0 <= thought.value <= 1:
            raise self._link.nonsense("a move worth %g, where a win is 1" % thought.value)
        return thought

    def _check_moves(self, moves):
        legal = set(self._referee.legal_moves())
        for move in moves:
            if move not in legal:
                raise self._link.nonsense("its move is %s, which is not legal" % move)

    def root_moves(self, most: int | None = None) -> list[RootMove]:
        ask = self._request if self._thinking else self._ask  # a search starts again by itself
        answer = ask("root", **(dict(most=most) if most else {}))
        self._check_moves([move for move, _, _ in answer["moves"]])
        return [
            RootMove(move, visits, share(points, visits, answer["scale"]))
            for move, visits, points in answer["moves"]
        ]

    def variations(self, most: int | None = None) -> dict[str, list[str]]:
        return {}  # the protocol has no question for them

    def go_on(self, watch: "Watch") -> None:
        pass  # a search that has ended stays on the board as it is

    def open_pool(self) -> bool:
        if not self.config.has_tree:
            return False
        self._pool = Pool(self.ledger, MOST_SHOWN)
        try:
            self._bring_back()
        except BadInput:  # no room for it beside the search
            self._pool = None
            self._bring_back()
        return self._pool is not None

    def pool(self) -> Pool | None:
        """While it thinks, a board looks when it is next asked how it stands."""
        if self._pool and not (self._thinking or self._has_news):
            self._take_look(self._ask("look", seen=self._pool.look))
        self._wants_news = True
        has_news, self._has_news = self._has_news, False
        return self._pool if has_news else None

    def _take_look(self, answer):
        if self._pool and answer.get("look") is not None:  # else it has no time for it yet
            try:
                self._pool.take(answer["look"], b64decode(answer["cells"]))
            except (ValueError, IndexError) as error:
                raise self._link.nonsense("its pool cannot be: %s" % error) from None
            for name in ("playouts", "microseconds", "aside"):
                setattr(self._pool, name, answer[name])
            self._has_news, self._wants_news = True, False

    def _status(self):
        if not (self._pool and self._wants_news):
            return self._request("status")
        answer = self._request("look", seen=self._pool.look)
        self._take_look(answer)
        return answer

    def sample(self, playouts: int) -> float:
        """Seconds of the board's own clock for so many playouts without a tree."""
        return max(1, self._ask("sample", playouts=playouts)["microseconds"]) / 1e6

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
        made, since = 0, time.monotonic()
        while answer["thinking"]:
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_POLL)
            answer = self._status()
            if answer["playouts"] > made:
                made, since = answer["playouts"], time.monotonic()
            elif answer["thinking"] and time.monotonic() - since > PATIENCE:
                raise self._link.nonsense("it thinks, and has not got on in %d s" % PATIENCE)
            if watch and answer["thinking"] and watch(self, answer["playouts"]):
                answer = self._request("stop")
        self._thinking = False

    def _bring_back(self):
        """Set the board up again and repeat the game up to here."""
        self._thinking = False
        remembers = self.ledger.learns or self.config.reuse
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

    def close(self) -> None:
        board, self._board = self._board, None
        if board:
            board.close()

    __del__ = close

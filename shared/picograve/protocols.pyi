"""What the core asks of a game, for readers and for type checkers.

A stub: no process loads it, and a chip does not even hold it. `picograve check-game` tries a game
against what is said here.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

# A kernel takes and gives whole numbers and buffers, whatever these are on its runtime: B, H and i
# stand for buffers of 8, 16 and 32 bits.
Kernel = Callable[..., Any]
Buffer = Any

class Game(Protocol):
    """A game of one size, with its options: Game(size, **options).

    Its kernels work on a state, a byte buffer whose first byte is the player to move, 0 or 1.
    A player may move twice in a row; a forced pass is a move.

    picograve.games.Game has what a game need not say itself. A game may also have

        code(move)     see `codes`
        find(text)     the move that a text in lower case stands for, or None; without it, texts of
                       moves that `moves` does not list are looked for among all that have a code
        left_out(state, listed)  the legal moves that `moves` leaves out as not worth a search
        repetitions    see `key`
    """

    @property
    def name(self) -> str:
        """Such as go9; `load` sets it, and what follows up to `digest`."""
    @property
    def given(self) -> dict[str, Any]:
        """The options it was made with."""
    @property
    def file(self) -> Path | None:
        """Of a game of one's own, on a desktop; else None."""
    @property
    def digest(self) -> str | None:
        """12 digits that change with the text of that file."""

    @property
    def title(self) -> str:
        """Such as Tic-tac-toe: how it is called in messages and in GTP's set_game. Go, Hex, Othello
        and Tic-tac-toe have GTP's usual names of moves (picograve_host.protocols.habits)."""
    @property
    def size(self) -> int: ...
    @property
    def sizes(self) -> Sequence[int]: ...
    @property
    def default_size(self) -> int: ...
    @property
    def numbering(self) -> tuple[int, int]:
        """(row, spare), where a move is row * y + x: on a chip that has one size only, the row is
        by `spare` shorter than in the source (picograve_tools.kernels.sizes). Hashes take moves as
        the source numbers them: move + move // row * spare."""
    @property
    def options(self) -> Sequence[str]:
        """Names of the options that its class takes; each is an attribute."""
    @property
    def players(self) -> tuple[str, str]:
        """The two names."""

    @property
    def rules(self) -> tuple[Kernel, Kernel, Kernel, Kernel, Kernel]:
        """Five kernels, all that a search needs:

        copy(to, state)              the part of a state that a move can change, or all of it; of a
                                     real position where the game `hides` something, what the
                                     player to move may know of it
        moves(state, out) -> count   moves worth a search into out (H); 0 if the game is over
        play(state, move)            a move that `moves` or `legal` allows
        playout(state, rng, trace, length, order, epsilon) -> length
                                     to the end of the game, appending a note of each move to
                                     trace (H): its number, or its code where the game has `codes`,
                                     and 32768 more if the second player makes it; a random move
                                     with epsilon / 65536, else the first playable one of the
                                     player's order
        outcome(state) -> 0 | 1 | 2  the first player's points (value.py), the game being over

        order (H) is 2 * code_count long: all moves in the notes of trace, the best first; those of
        the first player at 0, of the second at code_count. With epsilon 65536 it may be empty, and
        no random number is drawn for the choice between random and first. rng (i[2]) is the state
        of rng.py: copy the two lines of its `draw`, or call it. What is drawn in which order is
        the game's own affair, but must be the same on every runtime.
        """
    @property
    def legal(self) -> Kernel:
        """legal(state, move) -> 0 | 1, by the full rules; 0 when the game is over."""
    @property
    def key(self) -> Kernel | None:
        """key(state) -> hash, where a position must not come again, or None.

        With it, repetitions(state, work, keys, now, moves, count) -> count keeps of `moves` (H)
        those that bring back a position of keys[:now] (i); keys[now] is the state's own, work is
        scratch.
        """

    @property
    def state_bytes(self) -> int:
        """Length of a state."""
    @property
    def move_limit(self) -> int:
        """Moves are 0 to move_limit - 1."""
    @property
    def move_cap(self) -> int:
        """Longest game."""
    @property
    def playout_cap(self) -> int | None:
        """Moves of a playout at most, where it may be shorter than a game (`begin`); else None."""
    @property
    def lists(self) -> bool:
        """Whether `moves` writes a list. Where it does not, the moves are 0 to count - 1."""
    @property
    def nested(self) -> bool:
        """Without a list, in which order a tree tries the moves of a node: in any (False), or after
        a random first one those that differ from it in the lowest bits; count is a power of 2."""
    @property
    def hides(self) -> bool:
        """Whether a state holds what the player to move must not see, such as orders given at the
        same time. Searches work on copies, so `copy` leaves it out, and so does `begin`; `show`
        does not tell. No tree is kept for the next move then, whatever `reuse` says."""
    @property
    def code_count(self) -> int:
        """How many codes its moves have, the dense numbers of AMAF and MAST; 0: they have none."""
    @property
    def codes(self) -> Kernel | None:
        """codes(state, moves, count, out): the codes of a position's moves (H) into out (H). None:
        code(move) is the code of a move in every position, or None if it is no move."""
    @property
    def most_moves(self) -> int:
        """The most that `moves` lists in any position; code_count if the game does not say."""

    @property
    def fingerprint(self) -> Kernel | None:
        """fingerprint(state, out): two hashes, each 0 to 2**31 - 1, into out (i[2]), of the
        position and the player to move, the same however it came about: what tables of positions
        look for."""
    @property
    def evaluate(self) -> Kernel | None:
        """evaluate(state) -> the first player's advantage, less than 10000 either way. Rewards by
        degrees also ask when the game is over; alpha-beta does not."""
    @property
    def bound(self) -> Kernel | None:
        """bound(state, player) -> the largest lead of a player (0 or 1) that `evaluate` may give
        from this position on, or what is usually the largest: 1 to 9999. Rewards by degrees divide
        by it."""
    @property
    def loud(self) -> Kernel | None:
        """loud(state, moves, count) -> how many of `count` moves (H) may change what `evaluate`
        says at a stroke, such as captures: these are then at the front of the list, the most
        promising first. Alpha-beta looks at them beyond its depth (setting `quiet`)."""
    @property
    def owners(self) -> Kernel | None:
        """owners(state, counts): the first player's points (value.py) in each place of the board,
        the game being over, added to counts, a list or a buffer, by the codes of moves there. Only
        a desktop asks; None where nobody owns places."""
    @property
    def heuristics(self) -> tuple[str, ...]:
        """Names of what `appraise` knows, such as ("E", "Mp")."""
    @property
    def appraise(self) -> Kernel | None:
        """appraise(state, work, heuristic, moves, count, values): the worth of the position after
        each of `moves` (H), 0 or more, larger is better for the player to move now, into values
        (i), by the heuristic of that place in `heuristics`; work is a state to scratch in."""
    @property
    def strategies(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Sets of playout policies by name, for switching between them:
        (("all", ("uniform", "E", "Mp")), ("top3", ...))."""

    @property
    def scripts(self) -> tuple[tuple[str, int], ...]:
        """Of a game without a list: players that always do the same, by name, for playouts and
        `policy`. Each has a number whose lowest bits are its move, as many as the position has;
        count then is a power of 2."""

    @property
    def reply(self) -> Kernel | None:
        """reply(state, rng, which, last, known) -> move: what a playout answers to the move `last`
        (65535: there is none), or 65535 for nothing in particular, and when the game is over.
        `which` has a bit for each of `replies` that may be played, known is `known`."""
    @property
    def replies(self) -> tuple[str, ...]:
        """Names of what `reply` knows, such as ("tactics", "shapes")."""
    @property
    def pick(self) -> Kernel | None:
        """pick(state, rng, which) -> a move where there is nothing to reply, or 65535 when the game
        is over: any that `moves` lists, every one as likely, but for those that one of `replies`
        in `which` avoids. None: playouts that reply list all moves to draw one."""
    @property
    def decided(self) -> Kernel | None:
        """decided(state) -> 1 if a playout may end here, because `outcome`, asked now, would hardly
        change any more; else 0."""
    @property
    def begin(self) -> Kernel | None:
        """begin(state): a playout starts here. Where playouts are shorter than games, the state
        then knows when this one ends: `moves` lists none there, and `outcome` says what it is
        worth. `playout` does this by itself."""
    @property
    def take_back(self) -> Kernel | None:
        """take_back(state, trace, shown, wanted): from the position after the first `shown` moves
        of a trace (H, the moves from the root on, 32768 more where the second player made them)
        to that after the first `wanted`, as far as `evaluate` looks; other kernels need not
        understand it any more. None: reward wp plays such moves a second time."""
    @property
    def verdict(self) -> Callable[[Buffer, list[bytes]], str | None] | None:
        """verdict(state, past): the draw in words, if a real game ends here by a rule that searches
        do not know, such as one about positions that came before; else None. `past` are the states
        of the game so far, the present one last. Only a desktop asks."""
    @property
    def prior(self) -> Kernel | None:
        """prior(state, which, last, moves, numbers, count, known, out): what the game thinks of
        each of `moves` (H) beforehand, into out (H) at the place that `numbers` (H) has for it:
        256 * visits + points, as if it had been tried so often. Up to 127 visits, each of 0 to 2
        points. A tree calls moves by `numbers`; where moves have a table of codes, they are the
        moves themselves. `which` has a bit for each of `priors` that counts."""
    @property
    def priors(self) -> tuple[str, ...]:
        """Names of what `prior` knows."""
    @property
    def known(self) -> bytes:
        """A constant that reply and prior are given (B); on a chip it can stay in flash."""

    @property
    def amaf_span(self) -> float:
        """Share of a playout's moves that AMAF learns from best, where a search leaves it to the
        game: less than 1 if the last ones only fill up the board."""

    def reset(self, state: Buffer) -> None:
        """Make it the first position."""

    def text(self, move: int) -> str:
        """A move in the words of the game, E5 or pass: one word; no two moves have the same, and
        upper and lower case do not count. Go programs draw only a letter and a number."""

    def show(self, state: Buffer) -> str:
        """The board as lines of text."""

    def score(self, state: Buffer) -> str:
        """The result in words, the game being over: B+3.5, X wins."""

"""Who owns each point of a Go board, and which stones are dead: playouts tell.

A playout goes on until each point is somebody's (a game's `owners`), so the share of the playouts
in which black has a point says whose it will be. They follow the policy of the preset `strong`.

`dead` takes the stones of a finished game, and only these: who has passed or how many moves are
left does not matter. Chains around the same empty points live or die as one group. The deadest
goes first, and new playouts follow, for what was around it is the stronger then. Random moves
overrate stones that float in the other's land and underrate those that have an eye space to defend;
so a group with such a space lives with a smaller share. Where the other cannot approach without
losing what it approaches with, as in a seki, shares do not count.

tests/support/scoring.py compares this with GNU Go.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from picograve import Budget, Config, Searcher
from picograve.value import WIN

from picograve_host.go.stones import (
    Stones,
    beside,
    chain_at,
    chains,
    liberties,
    moves_to,
    other,
    points_of,
    regions,
)
from picograve_host.protocols.habits import COLOURS

if TYPE_CHECKING:
    from picograve.protocols import Game

PLAYOUTS = 300  # with each player to move
EYE_SPACE = 2  # so many empty points of its own let a group
LIVES_WITH = 0.4  # ... live with this share of the points that it stands on,
LIVES_WITHOUT = 0.58  # and without them it needs this


class Group(NamedTuple):
    stones: list[str]
    space: int  # empty points that touch no other


class Ownership:
    """Playouts of Go of one size; komi does not matter here."""

    def __init__(self, game: "Game") -> None:
        self.size = game.size
        self.points = points_of(game.size)
        self._searcher = Searcher(game, Config("grave", "uniform", playouts=2), Budget(nodes=2))

    def count(self, moves: Sequence[str], playouts: int, counts: list[int], seed: int = 1) -> None:
        """Add black's points, 0 to WIN, of so many playouts after these moves to those counted."""
        searcher = self._searcher
        searcher.seed = seed
        searcher.set_position(moves)
        for _ in range(playouts):
            searcher.sample(1)
            searcher.game.owners(searcher.buffers["work"], counts)

    def shares(self, stones: Stones) -> dict[str, float]:
        """In which share of the playouts black has each point."""
        counts = [0] * len(self.points)
        for turn in range(len(COLOURS)):
            self.count(moves_to(stones, turn), PLAYOUTS, counts)
        most = WIN * PLAYOUTS * len(COLOURS)
        return {point: count / most for point, count in zip(self.points, counts, strict=True)}

    def dead(self, stones: Stones) -> list[str]:
        """The stones that are dead if nobody wants to play any more."""
        left = dict(stones)
        while doomed := self._weakest(left):
            for stone in doomed.stones:
                del left[stone]
        return [stone for stone in stones if stone not in left]

    def _weakest(self, stones):
        """The group that is captured first of those that do not live, or None."""
        shares = self.shares(stones)

        def strength(group):
            share = sum(shares[stone] for stone in group.stones) / len(group.stones)
            if stones[group.stones[0]] != COLOURS[0]:
                share = 1 - share
            return share - (LIVES_WITH if group.space >= EYE_SPACE else LIVES_WITHOUT)

        ranked = sorted((strength(group), group) for group in groups_of(stones, self.size))
        for above, group in ranked:
            if above < 0 and not is_closed(group, stones, self.size):
                return group
        return None

    def in_seki(self, stones: Stones) -> list[str]:
        """The stones that live without eyes beside the other's, all dead ones being removed."""
        neutral = {
            point
            for region, around in regions(stones, self.size)
            if len({stones[stone] for stone in around}) == len(COLOURS)
            for point in region
        }
        groups = [
            group.stones
            for group in groups_of(stones, self.size)
            if group.space < EYE_SPACE
            and neutral.intersection(liberties(group.stones, stones, self.size))
            and is_closed(group, stones, self.size)
        ]
        return [stone for stone in stones if any(stone in group for group in groups)]


def groups_of(stones: Stones, size: int) -> list[Group]:
    """Chains that are around the same empty points, with none of the other's, are one group."""
    group_of: dict[str, Group] = {}
    for chain in chains(stones, size):
        group_of.update(dict.fromkeys(chain, Group(chain, 0)))
    for region, around in regions(stones, size):
        if around and len({stones[stone] for stone in around}) == 1:
            parts = {id(group_of[stone]): group_of[stone] for stone in sorted(around)}.values()
            joined = Group(
                [stone for part in parts for stone in part.stones],
                len(region) + sum(part.space for part in parts),
            )
            group_of.update(dict.fromkeys(joined.stones, joined))
    return list({id(group): group for group in group_of.values()}.values())


def is_closed(group: Group, stones: Stones, size: int) -> bool:
    """Whether the other can take no liberty of a group without giving it life."""
    return all(_is_lost(p, group, stones, size) for p in liberties(group.stones, stones, size))


def _is_lost(point, group, stones, size):
    """Whether who plays at a liberty of the group only loses stones there: by suicide, or in a
    shape that leaves more than one eye."""
    colour = stones[group.stones[0]]
    after = {**stones, point: other(colour)}
    for next_ in beside(point, size):
        if after.get(next_) == colour and not liberties(chain_at(next_, after, size), after, size):
            return False  # it captures
    chain = chain_at(point, after, size)
    free = len(liberties(chain, after, size))
    return free == 0 or (free == 1 and not leaves_one_eye(chain, size))


def leaves_one_eye(shape: list[str], size: int) -> bool:
    """Whether one move inside keeps a captured shape from becoming two eyes: three or fewer, the
    square, and those with a point that is beside all others or all but one of a square."""
    sides = sorted(len([p for p in beside(point, size) if p in shape]) for point in shape)
    lines = sum(sides) // 2
    if len(shape) < 4 or sides[-1] == len(shape) - 1:
        return True
    has_square = lines >= len(shape)
    return has_square and (len(shape) in (4, 5) or (len(shape) == 6 and sides[-1] == 4))

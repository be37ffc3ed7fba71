"""GRAVE, HRAVE, RAVE, UCT and UCB1-Tuned as the papers word them: objects and fractions.

No pools, no integers of fixed width, no tricks; only the game's rules and the random numbers
are the core's, drawn in the same order, so that both searches must visit the same moves. A
second implementation of the algorithm, for the tests to compare with.
"""

from fractions import Fraction
from math import isqrt

from game_play import UNIFORM, copied, listed_moves, new_state
from picograve import rng
from picograve.kernel import allocate
from picograve.mcts.select.uct import log


class Node:
    def __init__(self, player):
        self.player = player  # to move here
        self.visits = 0
        self.points = Fraction(0)  # of the player who moved here
        self.squares = Fraction(0)  # of each playout's points
        self.amaf = {}  # (player, code) -> [visits, points]
        self.children = {}  # move -> Node, oldest first


class NaiveSearch:
    """One search from the start position, uniform playouts, nodes without end."""

    def __init__(
        self, game, policy, seed, bias=Fraction(1, 100), ref=25, sharing=True, rave_k=1000,
        exploration=True, amaf_span=1, hope=0,
    ):  # fmt: skip
        self.game, self.policy = game, policy
        self.bias, self.ref, self.sharing = bias, ref, sharing
        self.rave_k, self.exploration = rave_k, exploration
        self.amaf_span, self.hope = amaf_span, hope
        self.rng = allocate("i", 2)
        rng.start(self.rng, seed)

    def run(self, top, second=None):
        """`top` iterations, of `second` playouts each if there are two levels; the root."""
        root = Node(0)
        is_new = True
        for _ in range(top):
            state = new_state(self.game)
            path, trace = self.descend(root, is_new, state, [], [])
            is_new = False
            if second is None:
                self.play_out(state, path, trace)
            else:
                self.search_below(state, path, trace, second)
        return root

    def search_below(self, leaf, top_path, top_trace, playouts):
        root = Node(int(leaf[0]))
        for playout in range(playouts):
            state = copied(self.game, leaf)
            path, trace = self.descend(root, playout == 0, state, top_path, top_trace)
            self.play_out(state, path, trace)

    def descend(self, node, is_new, state, path, trace):
        """From a level's root down to a new node; path holds (node, moves made before it)."""
        _, _, play, _, _ = self.game.rules
        references = [n for n, _ in path] if self.sharing else []
        path, trace = [*path, (node, len(trace))], list(trace)
        while not is_new and (listed := listed_moves(self.game, state)):
            first = rng.draw(self.rng, len(listed))
            references.append(node)
            move = self.choose(node, references, listed[first:] + listed[:first])
            play(state, move)
            trace.append(move)
            is_new = move not in node.children
            if is_new:
                node.children[move] = Node(int(state[0]))
            node = node.children[move]
            path.append((node, len(trace)))
        return path, trace

    def choose(self, node, references, moves):
        """The first of the best: children newest first, then moves without a node."""
        new = [move for move in moves if move not in node.children]
        if self.policy in ("uct", "tuned"):
            if new:
                return new[0]
            bound = self.bound if self.policy == "uct" else self.tuned_bound
            return max(reversed(node.children), key=lambda move: bound(node, move))
        if self.policy == "rave":
            return self.choose_rave(node, new)
        passed = []
        if self.policy != "hrave":
            passed = [n for n in references if n.visits > self.ref]
        table = passed[-1].amaf if passed else references[0].amaf
        for move in new:
            if (node.player, self.game.code(move)) not in table:
                return move
        candidates = [*reversed(node.children), *new]
        return max(candidates, key=lambda move: self.value(node, move, table))

    def value(self, node, move, table):
        """Formulas (2) and (3) of the paper; with hope, as if a child had won more often."""
        amaf_visits, amaf_points = table.get((node.player, self.game.code(move)), (0, 0))
        child = node.children.get(move)
        more = node.visits // self.hope if child and self.hope else 0
        visits = child.visits + more if child else 0
        beta = amaf_visits / (amaf_visits + visits + self.bias * amaf_visits * visits)
        mean = (child.points + more) / visits if visits else 0
        return (1 - beta) * mean + beta * (amaf_points / amaf_visits if amaf_visits else 0)

    def bound(self, node, move):
        """Formula (1) of the paper with C = sqrt(2)/2, rounded to the core's 13 places."""
        child = node.children[move]
        mean = int(8192 * child.points / child.visits)
        return mean + isqrt(4096 * log(node.visits) // child.visits)

    def tuned_bound(self, node, move):
        """UCB1-Tuned, rounded to the core's 13 places, squares to 26."""
        child = node.children[move]
        mean = int(8192 * child.points / child.visits)
        ratio = 8192 * log(node.visits) // child.visits
        variance = (int(32768 * child.squares) // child.visits >> 2) - (mean * mean >> 13)
        variance = min(2048, max(0, variance) + isqrt(2 * ratio))
        return mean + isqrt(ratio * variance >> 13)

    def choose_rave(self, node, new):
        """A move without a node first, by its AMAF mean, if there is exploration at all."""

        def hope(move):
            visits, points = node.amaf.get((node.player, self.game.code(move)), (1, 1))
            return int(8192 * points / visits)

        best = max(reversed(node.children), key=lambda m: self.mixed(node, m), default=None)
        if new and (self.exploration or best is None):
            return max(new, key=hope)
        if new and hope(max(new, key=hope)) > self.mixed(node, best):
            return max(new, key=hope)
        return best

    def mixed(self, node, move):
        """Equations (2) and (4) of the metaheuristics paper, in the core's 13 places."""
        child = node.children[move]
        mean = int(8192 * child.points / child.visits)
        visits, points = node.amaf.get((node.player, self.game.code(move)), (0, 0))
        if visits:
            ratio = 8192 * self.rave_k // (3 * child.visits + self.rave_k)
            mean += isqrt(8192 * ratio) * (int(8192 * points / visits) - mean) >> 13
        return mean + self.exploration * isqrt(4096 * log(node.visits) // child.visits)

    def play_out(self, state, path, trace):
        _, _, _, playout, outcome = self.game.rules
        room = allocate("H", self.game.move_cap)
        length = playout(state, self.rng, room, len(trace), allocate("H", 0), UNIFORM)
        trace = trace + [int(note) & 32767 for note in room[len(trace) : length]]
        won = Fraction(outcome(state), 2)
        points = (won, 1 - won)
        end = int(len(trace) * self.amaf_span)
        for node, ply in path:
            node.visits += 1
            node.points += points[1 - node.player]
            node.squares += points[1 - node.player] ** 2
            after = {(i % 2, self.game.code(trace[i])) for i in range(ply, end)}
            for player, code in after:
                entry = node.amaf.setdefault((player, code), [0, Fraction(0)])
                entry[0] += 1
                entry[1] += points[player]

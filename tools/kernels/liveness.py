"""Liveness: which variables still matter after a statement, and which can share a place.

A variable is live where a later read may see its present value. Found backwards, statement
by statement, around loops until nothing is added; what is live is never underestimated.
"""

import ast
from collections import defaultdict

from picograve_tools.kernels.syntax import arguments, is_name, loaded, target_of


class Liveness:
    """after: {statement: set of names live after it}; clash: {name: names it may not share
    a place with}, because one is stored while the other is live."""

    def __init__(self, kernel):
        self.after = {}
        self.clash = defaultdict(set)
        entry = self._block(kernel.body, frozenset(), None, None)
        for argument in arguments(kernel):
            self._store(argument, entry)

    def _store(self, name, live, value=None):
        for other in live - {name}:
            if not (is_name(value) and value.id == other):  # a copy holds the same value
                self.clash[name].add(other)
                self.clash[other].add(name)

    def _block(self, block, live, at_break, at_continue):
        for statement in reversed(block):
            self.after[statement] = live
            live = self._before(statement, live, at_break, at_continue)
        return live

    def _before(self, statement, live, at_break, at_continue):
        if isinstance(statement, ast.Break):
            return at_break
        if isinstance(statement, ast.Continue):
            return at_continue
        if isinstance(statement, ast.Return):
            return frozenset(loaded(statement))
        if isinstance(statement, ast.If):
            return (
                self._block(statement.body, live, at_break, at_continue)
                | self._block(statement.orelse, live, at_break, at_continue)
                | set(loaded(statement.test))
            )
        if isinstance(statement, (ast.For, ast.While)):
            return self._loop(statement, live, at_break, at_continue)
        target = target_of(statement)
        if is_name(target):
            copied = statement.value if isinstance(statement, ast.Assign) else None
            self._store(target.id, live, copied)
            live = live - {target.id}
        return live | set(loaded(statement))

    def _loop(self, loop, live, at_break, at_continue):
        """Live before the loop. `head` is what is live where the next round is decided on."""
        head = self._block(loop.orelse, live, at_break, at_continue)
        reads = set()
        if isinstance(loop, ast.For):
            reads = set(loaded(loop.iter))
        elif isinstance(loop.test, ast.Constant) and loop.test.value:
            head = frozenset()  # while True is left by break only
        else:
            head |= set(loaded(loop.test))
        while True:
            body = self._block(loop.body, head, live, head)
            if isinstance(loop, ast.For):
                self._store(loop.target.id, body | head)
                body = body - {loop.target.id}
            if body <= head:
                return head | reads
            head |= body

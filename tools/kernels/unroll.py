"""Short loops, over the neighbours of a point say, written out.

    side = p - _ROW                                  if s[p - 6] == 0:
    for k in range(4):                                   n += 1
        if s[_CELL + side] == 0:                     if s[7 + p] == 0:
            n += 1                             ->        n += 1
        side += 2 if k == 1 else _ROW - 1            ...

A loop of at most 4 rounds is repeated with a number for its counter. Where the statement
before it sets a variable to another one plus a constant, and its last statement moves that
variable by a constant, this walker goes, too: where it stands is known in every round.

Measured: 10 %, with MAST 8 %.
"""

import ast

from picograve_tools.kernels.fold import folded, shifted, split
from picograve_tools.kernels.liveness import Liveness
from picograve_tools.kernels.syntax import (
    constant,
    integer,
    is_name,
    leaves,
    stored,
    substitute,
)

_MOST_ROUNDS = 4


def unroll(kernel):
    """Unroll the short loops of a folded kernel."""
    kernel.body = _block(kernel.body, Liveness(kernel).after)


def _block(block, after):
    result = []
    for statement in block:
        for field in ("body", "orelse"):
            if getattr(statement, field, None):
                setattr(statement, field, _block(getattr(statement, field), after))
        if not _is_short(statement, after):
            result.append(statement)
            continue
        counter = statement.target.id
        rounds = [{counter: constant(k)} for k in range(statement.iter.args[0].value)]
        body = statement.body
        if result and _walks(result[-1], statement, rounds, after):
            walker = result[-1].targets[0].id
            place, base = split(result.pop().value)
            *body, move = body
            for values in rounds:
                step = _step(move, values)
                values[walker] = shifted(place, base)
                place += step
        for values in rounds:
            result += folded(substitute(body, values))
    return result


def _is_short(loop, after):
    return (
        isinstance(loop, ast.For)
        and len(loop.iter.args) == 1
        and integer(loop.iter.args[0]) in range(1, _MOST_ROUNDS + 1)
        and not loop.orelse
        and not leaves(loop.body, ast.Break, ast.Continue)
        and loop.target.id not in after[loop]
        and loop.target.id not in stored(loop.body)
    )


def _walks(before, loop, rounds, after):
    """Whether `before` sets a walker, and the loop moves it by constants and at its end only."""
    last = loop.body[-1]
    if not (isinstance(before, ast.Assign) and isinstance(last, ast.AugAssign)):
        return False
    walker = before.targets[0]
    base = split(before.value)[1]
    changed = stored(loop.body)
    return (
        is_name(walker)
        and is_name(base)
        and base.id != walker.id
        and base.id not in changed
        and is_name(last.target)
        and last.target.id == walker.id
        and isinstance(last.op, ast.Add)
        and changed.count(walker.id) == 1
        and walker.id not in after[loop]
        and all(_step(last, values) is not None for values in rounds)
    )


def _step(move, values):
    """How far the statement moves the walker in that round; None if not by a constant."""
    return integer(folded(substitute([move], values))[0].value)

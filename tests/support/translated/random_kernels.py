"""Random kernels, and what to call them with: food for the kernel build.

`kernel(random)` is the text of a file with two kernels: `helper`, small enough to be inlined,
and `work`, with loops, branches, buffers of all types, and calls of the helper, which changes
what others read. It keeps to the subset of Python that picograve/kernel.py describes, its values
below 1024, its indices inside the buffers, and its loops short. The smallest numbers make the
shortest text.
"""

from random import Random

ITEMS = 80
BUFFERS = {"s": "ptr8", "o": "ptr16", "r": "ptr32"}
VARIABLES = ("a", "b", "c", "d")
COUNTERS = ("i", "j", "k")
HEAD = """from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
_FAR = const(40)
_STEP = const(3)
"""


def arguments(random):
    """Of `work`: its buffers, filled from one number, and two integers."""
    filler = Random(random.randrange(1000))
    buffers = [(kind, [filler.randrange(256) for _ in range(ITEMS)]) for kind in BUFFERS.values()]
    return [*buffers, random.randrange(1024), random.randrange(1024)]


def kernel(random, most=7):
    """The text; `work` has up to `most` statements that are not part of others."""
    return HEAD + _helper(random) + _work(random, most)


def _helper(random):
    text = _Text(random, ("s",), ("p", "q", "t"))
    lines = ["@micropython.viper", "def helper(s: ptr8, p: int, q: int) -> int:", "    t = 0"]
    if random.random() > 0.5:
        lines += ["    if %s:" % text.condition(), "        return %s" % text.value()]
    if random.random() > 0.7:
        lines += ["    for i in range(5):", "        t += s[i + 1]"]
        if random.random() > 0.7:
            lines += ["        if t > 200:", "            break"]
        lines += ["        if t > 300:", "            return %s" % text.value()]
    lines += [*text.block(2, 1), "    return %s" % text.value()]
    return "\n".join(lines) + "\n"


def _work(random, most):
    views = {name: random.random() > 0.3 for name in BUFFERS}
    given = ["%s_" % n if views[n] else "%s: %s" % (n, kind) for n, kind in BUFFERS.items()]
    lines = ["@micropython.viper", "def work(%s, a: int, b: int) -> int:" % ", ".join(given)]
    lines += ["    %s = %s(%s_)" % (n, kind, n) for n, kind in BUFFERS.items() if views[n]]
    lines += [
        "    c = %d" % random.randrange(99),
        "    d = a",
        "    i = 0",
        "    j = 0",
        "    k = 0",
    ]
    text = _Text(random, tuple(BUFFERS), VARIABLES, "s_" if views["s"] else "s")
    lines += text.block(random.randint(most // 2, most), 1)
    counters = [counter for counter in COUNTERS if random.random() > 0.7]  # others end unread
    lines += ["    return (%s) & 1023" % " + ".join(["a + 3 * b + 5 * c + 7 * d", *counters])]
    return "\n".join(lines) + "\n"


class _Text:
    """Statements and expressions over some variables and buffers; `state` is the helper's."""

    def __init__(self, random, buffers, variables, state=None):
        self.random = random
        self.buffers = buffers
        self.variables = variables
        self.state = state
        self.counters = []  # of the loops around

    def atom(self):
        choices = [*self.variables, *self.counters, "%d" % self.random.randrange(20), "_STEP"]
        return self.random.choice(choices)

    def index(self):
        return self.random.choice(
            ("(%s & 15)", "_FAR + (%s & 15)", "_FAR - _STEP + (%s & 15)", "(%s & 31) + 2")
        ) % self.random.choice(self.variables)

    def item(self):
        return "%s[%s]" % (self.random.choice(self.buffers), self.index())

    def value(self):
        kind = self.random.randrange(9)
        if kind == 0:
            return "int(%s)" % self.item()
        if kind == 1:
            return "(%s + %s * %s) & 1023" % (self.atom(), self.atom(), self.atom())
        if kind == 2:
            return "(%s + _FAR - %s) & 1023" % (self.item(), self.atom())
        if kind == 3:
            return "int(%s %s %s)" % (self.atom(), self.random.choice("<>"), self.atom())
        if kind == 4:
            by = self.random.choice((3, 8, 7, 16, 1, -3, -8))
            sign = self.random.choice(("//", "%"))
            return "((%s - %d) %s %d) & 1023" % (self.atom(), self.random.randrange(999), sign, by)
        if kind == 5:
            return "(%s if %s else %s) & 1023" % (self.atom(), self.condition(), self.atom())
        if kind == 6 and self.state and self.counters:
            return "(%s + %s) & 1023" % self.random.choice(
                ((self.item(), self.called()), (self.called(), self.called()))
            )
        return "%s & 1023" % self.atom()

    def called(self):
        return "int(helper(%s, %s, %s))" % (self.state, self.atom(), self.value())

    def changed(self):
        """An item whose place may be what the helper says."""
        if self.state and self.counters and self.random.random() > 0.7:
            return "%s[%s & 15]" % (self.random.choice(self.buffers), self.called())
        return self.item()

    def condition(self):
        simple = "%s %s %s" % (
            self.random.choice((self.atom(), self.item())),
            self.random.choice(("==", "!=", "<", ">=")),
            self.random.choice((self.atom(), "0")),
        )
        if self.state and self.counters and self.random.random() > 0.9:
            simple = "%s %s %s" % (self.item(), self.random.choice("<>"), self.called())
        if self.random.random() > 0.8:
            return "%s %s %s" % (simple, self.random.choice(("and", "or")), self.condition())
        return simple

    def block(self, count, depth):
        lines = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines

    def statement(self, depth):
        pad = "    " * depth
        kind = self.random.randrange(10)
        if kind < 3:
            return [pad + "%s = %s" % (self.random.choice(self.variables), self.value())]
        if kind == 3:
            return [pad + "%s = (%s) & 255" % (self.changed(), self.value())]
        if kind == 4:
            value = self.random.choice((self.atom(), "(%s)" % self.value()))
            return [pad + "%s ^= %s & 255" % (self.changed(), value)]
        if kind == 5 and self.state and self.counters:
            return self.call(pad)
        if kind == 6 and self.counters and self.random.random() > 0.5:
            leave = self.random.choice(("break", "continue"))
            return [pad + "if %s:" % self.condition(), pad + "    " + leave]
        if depth > 3:
            return [pad + "%s = %s" % (self.random.choice(self.variables), self.value())]
        if kind < 8:
            lines = [pad + "if %s:" % self.condition(), *self.block(2, depth + 1)]
            if self.random.random() > 0.5:
                lines += [pad + "else:", *self.block(1, depth + 1)]
            return lines
        return self.loop(pad, depth)

    def call(self, pad):
        call = self.called()
        target = self.random.choice(self.variables)
        return self.random.choice(
            (
                [pad + call.removeprefix("int(").removesuffix(")")],
                [pad + "%s = %s" % (target, call)],
                [pad + "if %s == 0:" % call, pad + "    %s = 1" % target],
            )
        )

    def loop(self, pad, depth):
        free = [counter for counter in COUNTERS if counter not in self.counters]
        if not free or self.variables != VARIABLES:
            return [pad + "%s = %s" % (self.random.choice(self.variables), self.value())]
        counter = free[0]
        kind = self.random.randrange(5)
        self.counters.append(counter)
        body = self.block(2, depth + 1)
        self.counters.pop()
        inner = pad + "    "
        if kind == 0:
            head = [pad + "%s = 0" % counter, pad + "while %s < 5:" % counter]
            return [*head, inner + "%s += 1" % counter, *body]
        if self.random.random() > 0.8:  # no round more or less
            body.append(inner + "%s = %s & 7" % (counter, self.random.choice(self.variables)))
        if kind == 1:
            return [pad + "for %s in range(%d):" % (counter, self.random.randint(1, 4)), *body]
        if kind == 2:
            return [
                pad + "for %s in range(2, %s & 7):" % (counter, self.random.choice("ab")),
                *body,
            ]
        if kind == 3:
            down = self.random.choice(("7, 0, -2", "4, -1, -1", "%s & 7, 1, -3"))
            down = down.replace("%s", self.random.choice("ab"))
            return [pad + "for %s in range(%s):" % (counter, down), *body]
        walk = [
            pad + "d = a + %d" % self.random.randrange(9),
            pad + "for %s in range(4):" % counter,
        ]
        return [*walk, *body, inner + "d += 5 if %s == 1 else _STEP" % counter]

"""The picture of `picograve play --terminal`: the board, what the search sees, what was typed."""

import time
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.layout import Layout
from rich.table import Table
from rich.text import Text

from picograve_host.play.shapes import WORDS
from picograve_host.screen import boards, panels
from picograve_host.words import number

LEAST = (40, 16)  # columns and lines of a terminal that holds a small board
LARGER = "make the terminal larger, %d x %d or more" % LEAST
WIDE = 76  # columns from which the figures stand beside the board
ROWS = 5  # of the candidates
BUFFERS = 8  # of the ledger, the largest
LISTED = 12  # moves around the chosen one, where there is no board
HELP = "arrows and Enter, or type a move, undo hint stop switch resign new save quit"


class View:
    """What is to be seen: the latest of each kind that the room published, and the keys' work."""

    def __init__(self) -> None:
        self.state: Any = None
        self.live: dict[str, Any] = {}
        self.progress: Any = None  # of a board's playouts, between two looks at it
        self.pool: Any = None
        self.hint: Any = None
        self.looking: Any = None  # a position of before
        self.note = self.error = self.typed = ""
        self.chosen: str | None = None
        self.at = [0, 0]  # column and row of the cursor; in a list, only the row counts
        self._since = time.monotonic()  # when the state came

    def hear(self, kind: str, data: Any) -> None:
        if kind == "state":
            self._hear_state(data)
        else:
            setattr(self, kind, data)
            if kind == "live":
                self.pool = data.get("pool", self.pool)
            elif kind == "progress":
                self.live = {**self.live, **data}

    def _hear_state(self, state):
        before = self.state
        if state is None:
            return
        if before is None or len(before["moves"]) != len(state["moves"]):
            self.hint = self.looking = self.chosen = None
        if before is None:
            self.at = _middle(state["picture"])
        if not state["thinking"]:
            self.live = {}
        self.state, self._since = state, time.monotonic()

    @property
    def picture(self) -> dict[str, Any]:
        return self.looking or self.state["picture"]

    @property
    def is_persons_turn(self) -> bool:
        state = self.state
        return bool(state and not state["result"] and state["turn"] in state["seats"])

    @property
    def cursor(self) -> str | None:
        """The place under the cursor, if there is a board."""
        picture = self.picture
        if "cells" not in picture:
            return None
        column, row = self.at
        return "%s%d" % (picture["columns"][column], picture["rows"][row])

    def step(self, right: int, down: int) -> None:
        if self.state is None:
            return
        picture = self.picture
        if "cells" in picture:
            sizes = len(picture["columns"]), len(picture["rows"])
        else:
            sizes = 1, max(1, len(self.state["legal"]))
        self.at = [(self.at[0] + right) % sizes[0], (self.at[1] + down) % sizes[1]]

    def moves_here(self) -> list[str]:
        """The legal moves that Enter may mean now."""
        if not self.is_persons_turn or self.looking:
            return []
        legal = self.state["legal"]
        here = self.cursor
        if here is None:
            return legal[self.at[1] % len(legal) :][:1] if legal else []
        so_far = ((self.chosen or "") + here).upper()
        return [move for move in legal if "".join(boards.places_of(move)).startswith(so_far)]

    def ends_here(self, move: str) -> bool:
        """Whether a move is complete at the cursor; one of a list always is."""
        return self.cursor is None or boards.places_of(move)[-1] == self.cursor.upper()

    def clocks(self) -> str:
        state = self.state
        used = list(state["clock"]["used"])
        if not state["result"]:
            used[state["turn"]] += time.monotonic() - self._since
        limit = state["clock"]["limit"]
        shown = [max(0, limit - seconds) if limit else seconds for seconds in used]
        both = zip(state["players"], shown, strict=True)
        return "  ".join("%s %d:%02d" % (name, *divmod(int(left), 60)) for name, left in both)


def _middle(picture):
    if "cells" not in picture:
        return [0, 0]
    return [len(picture["columns"]) // 2, len(picture["rows"]) // 2]


def is_too_small(console: Console) -> bool:
    columns, lines = console.size
    return columns < LEAST[0] or lines < LEAST[1]


def draw(view: View, console: Console) -> RenderableType:
    """All of it, as large as the terminal is."""
    if view.state is None:
        return Text(view.note or "loading ...")
    if is_too_small(console):
        return Text(LARGER)
    board = _board(view, boards.is_plain(console))
    if console.width >= WIDE:
        body: Any = Table.grid(padding=(0, 3, 0, 0))
        body.add_row(board, _figures(view))
    else:
        body = Group(board, *_thinking(view))
    state = view.state
    title = "%s against %s on %s" % (state["title"], state["search"], state["where"])
    head = Group(Text(title, "bold", no_wrap=True, overflow="ellipsis"), Text(view.clocks(), "dim"))
    foot = Group(
        Text(_status(view), "green", no_wrap=True, overflow="ellipsis"),
        Text(view.error, "bold red", no_wrap=True, overflow="ellipsis"),
        Text("> " + view.typed + "_"),
        Text(HELP, "dim", no_wrap=True, overflow="ellipsis"),
    )
    whole = Layout()
    whole.split_column(Layout(head, size=2), Layout(body), Layout(foot, size=4))
    return whole


def _board(view, plain):
    state, picture = view.state, view.picture
    moves = state["moves"][: picture["ply"]]
    considered = view.live.get("candidates", ())
    notable = boards.Notable(
        last=moves[-1]["move"] if moves else None,
        cursor=view.cursor if view.is_persons_turn else None,
        chosen=view.chosen,
        hint=view.hint and view.hint["move"],
        candidates=[move for move, _, _ in considered] if not view.looking else [],
    )
    board = boards.draw(picture, state["shape"], state["players"], notable, plain)
    if state["shape"] == WORDS and view.is_persons_turn and not view.looking:
        return Group(board, Text(), _list(view))
    return board


def _list(view):
    """The moves around the chosen one."""
    legal = view.state["legal"]
    at = view.at[1] % max(1, len(legal))
    first = max(0, min(at - LISTED // 2, len(legal) - LISTED))
    text = Text()
    for place, move in enumerate(legal[first : first + LISTED], first):
        text.append(move, "reverse" if place == at else "")
        text.append(" ")
    return text


def _figures(view):
    """The rows that matter least stand last: a low terminal cuts them off."""
    state = view.state
    thought = _thought(view)
    rows = [("chances", panels.chance(share), text) for share, text in _chances(state)]
    pool = view.pool  # a board may show a part of it
    whole = pool and pool["shown"] == pool["nodes"]
    used = panels.nodes_in_use(pool) if whole else thought.get("nodes_used")
    if used is not None and state["nodes"]:
        told = "%s of %s nodes" % (number(used), number(state["nodes"]))
        rows.append(("pool", panels.part(used, state["nodes"]), told))
    free = thought.get("heap_free")
    told = ", %s of the heap free" % number(free) if free else ""
    parts = [
        *_thinking(view),
        panels.figures(rows),
        Text("%s bytes%s" % (number(state["bytes"]), told)),
    ]
    if thought.get("candidates"):
        parts.append(panels.candidates(thought["candidates"], ROWS))
    if thought.get("variation"):
        parts.append(Text("expects " + " ".join(thought["variation"][:8]), "dim"))
    ledger = sorted(state["ledger"], key=lambda row: -row[1])[:BUFFERS]
    shares = [(name, panels.memory(size, state["bytes"]), number(size)) for name, size in ledger]
    return Group(*parts, Text(), panels.figures(shares))


def _thought(view):
    """Of the search under way, or the last one."""
    if view.live:
        return view.live
    thoughts = [move["thought"] for move in view.state["moves"] if move["thought"]]
    return thoughts[-1] if thoughts else {}


def _thinking(view):
    thought, steps = _thought(view), view.state["steps"]
    if not thought:
        return [Text("nothing thought yet", "dim")]
    seconds = thought.get("seconds")
    rate = thought.get("rate") or (seconds and thought["playouts"] / seconds)
    words = "%s %s" % (number(thought["playouts"]), steps)
    if rate:
        words += ", %s a second" % number(round(rate))
    if not view.live:
        return [Text(words)]
    bar = panels.part(thought["playouts"], thought["of"])
    share = panels.percent(thought["playouts"] / thought["of"])
    return [Text(words), panels.figures([("thinks", bar, share)])]


def _chances(state):
    """The first player's, as the search last saw them."""
    for move in reversed(state["moves"]):
        if move["thought"]:
            value = move["thought"]["value"]
            share = 1 - value if move["turn"] else value
            return [(share, "%s of %s" % (panels.percent(share), state["players"][0]))]
    return []


def _status(view):
    state, picture = view.state, view.picture
    if view.looking:
        return "move %d of %d: page up, page down" % (picture["ply"], len(state["moves"]))
    if state["result"]:
        return "The game is over: %s. Type save, new or quit. %s" % (state["result"], view.note)
    before = ""
    if state["moves"]:
        last = state["moves"][-1]
        before = "%s played %s. " % (state["players"][last["turn"]], last["move"])
    if view.note:
        return before + view.note
    mover = state["players"][state["turn"]]
    if state["thinking"]:
        return "%s%s is thinking ..." % (before, mover)
    advice = ""
    if view.hint:
        advice = " A search would play %s, %s." % (
            view.hint["move"],
            panels.percent(view.hint["value"]),
        )
    return "%sYour move, %s.%s" % (before, mover, advice)

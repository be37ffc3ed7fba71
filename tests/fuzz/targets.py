"""What is fuzzed: for each way in, what may arrive and what must come of it.

A target is a strategy of hypothesis and a function that hands over what it draws and returns the
outcome, a text: what was refused, or that it was taken. It raises if anything else happens than one
printable line. MET counts what has come. test_fuzz.py tries each for a second or two, long.py for
hours.
"""

import contextlib
import functools
import io
import json
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from hypothesis import strategies as st
from line.wire import Liar, Wire, WireLink, player_of
from picograve import BadInput, Budget, Config, Position, load
from picograve.errors import RunFailed
from picograve.frames import KINDS, PART, TO_BOARD, TO_HOST, Lines, cut, decode, encode
from picograve_board import service
from picograve_board.service import REQUESTS, Service, Talk
from picograve_host import cli, outside
from picograve_host.boards import link
from picograve_host.boards.answers import ANSWERS, REFUSAL
from picograve_host.boards.link import LinkError, Lost
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import PLAYER_KEYS, TOP_KEYS
from picograve_host.lab.play.records import FIELDS
from picograve_host.lab.play.store import Store
from picograve_host.lab.record import merge, text
from picograve_host.lab.report import table
from picograve_host.play.choices import Choices
from picograve_host.play.room import Room
from picograve_host.play.server import _message
from picograve_host.players import board as players
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.protocols import gtp, uci
from uci_fuzz import LETTERS, WORDS, Script, open_player

cli.make_parser = functools.cache(cli.make_parser)  # 40 ms, and the same each time
service.gc = SimpleNamespace(collect=lambda: None)  # it would look at all of hypothesis, too
TAKEN = "taken"
MET: Counter[str] = Counter()  # target: answers, frames, lines ... that have come
WEIRD = st.sampled_from(
    ["", "\x1b[2J", "\u202e", "~^", "E5", "pass", "go9", "-", "0", "9" * 5000, "é"]
)
NUMBERS = st.integers(-2, 200) | st.sampled_from([2**30, 2**31, 2**64, 10**40, -(10**40)])
JUNK = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | WEIRD | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=6,
)


def one_line(error):
    """What a user reads of an error: a line that cannot steer a terminal."""
    text = str(error)
    assert outside.clean(text, 10**6).split() == text.split(), text
    return type(error).__name__ + ": " + text


# --- answers of a board


class Clock:
    """Time as those who wait for a board see it: it passes when they sleep, and a little with each
    look. So the two minutes that a board may think without getting on are over in a moment."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        self.now += 1e-6
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@contextlib.contextmanager
def nobody_waits():
    clock = Clock()
    with patch.object(link, "time", clock), patch.object(players, "time", clock):
        yield


def of_kind(kind):
    """Values that a field of the schema takes."""
    if isinstance(kind, outside.Whole):
        return st.integers(kind.least, min(kind.most, 2**40))
    if isinstance(kind, outside.Truth):
        return st.booleans()
    if isinstance(kind, outside.Text):
        return WEIRD | st.text(max_size=kind.most)
    if isinstance(kind, outside.Maybe):
        return st.none() | of_kind(kind.kind)
    if isinstance(kind, outside.Rows):
        return st.lists(st.tuples(*map(of_kind, kind.kinds)).map(list), max_size=4)
    return st.dictionaries(st.text(max_size=8), of_kind(kind.kind), max_size=3)


def answer_of(schema):
    """Answers of a schema: each field left out, of its kind, or junk, on top of the true ones."""
    fields = {name: of_kind(kind) | JUNK | st.just(...) for name, kind in schema.items()}
    return st.fixed_dictionaries({}, optional=fields)


LIES = st.fixed_dictionaries(
    {}, optional={do: answer_of({**schema, **REFUSAL}) for do, schema in ANSWERS.items()}
)


def hear(lies):
    def lie(request, answer):
        MET["answers"] += request["do"] in lies
        changed = {**answer, **lies.get(request["do"], {})}
        return {key: value for key, value in changed.items() if value is not ...}

    def think():
        thought = player.search()
        assert all(str(part).isprintable() for part in (*thought, player.where))

    with nobody_waits():
        try:
            player = player_of(lie)
        except (BadInput, RunFailed) as error:
            return one_line(error)
        asked = (think, player.root_moves, lambda: player.sample(2), lambda: player.play("B2"))
        return " ".join(map(outcome_of, asked))


def outcome_of(ask):
    try:
        ask()
    except (BadInput, RunFailed) as error:
        return one_line(error)
    return TAKEN


# --- frames, both ways

KIND = st.sampled_from([KINDS[i : i + 1] for i in range(len(KINDS))])
FRAMES = st.lists(
    st.binary(max_size=60)
    | st.tuples(KIND, st.integers(0, 255), st.binary(max_size=PART))
    | JUNK.map(lambda junk: cut({"do": junk})),
    min_size=1,
    max_size=12,
)


def lines_of(frames, start):
    for frame in frames:
        if isinstance(frame, bytes):
            yield frame + b"\n"
        elif isinstance(frame, tuple):
            yield encode(start, *frame)
        else:
            yield from (encode(start, kind, n, part) for n, (kind, part) in enumerate(frame))


def to_the_board(frames):
    """Any lines: each is answered by one frame, and the next good request is understood."""
    board = Service()
    talk, lines = Talk(board.answer, board.clear), Lines()
    for line in filter(None, map(lines.add, b"".join(lines_of(frames, TO_BOARD)))):
        MET["to-board"] += 1
        assert decode(TO_HOST, talk.reply(line))
    talk.reply(encode(TO_BOARD, b"N", 253))  # two numbers: the last one may have been either
    kind, _, payload = decode(TO_HOST, talk.reply(encode(TO_BOARD, b"S", 254, b'{"do": "ping"}')))
    assert (kind, payload) == (b"S", b'{"thinking": false}')
    return TAKEN


def to_the_host(frames):
    """A board that speaks well once, then says these lines instead of its answers."""
    talk, said = Liar(lambda request, answer: answer).talk, list(lines_of(frames, TO_HOST))
    board = WireLink(talk.reply)

    def reply(line):
        frame = decode(TO_BOARD, line)
        if said and frame:
            MET["to-host"] += 1
            return said.pop(0).replace(b"\n", b"") + b"\n"
        return talk.reply(line)

    board._wire = board._line = Wire(reply)
    with nobody_waits():
        try:
            board.request("ping")
        except Lost:
            return "Lost"
        except (BadInput, LinkError) as error:
            return one_line(error)
    return TAKEN


# --- requests, well framed

FIELD = dict(
    nonce=NUMBERS, session=st.sampled_from([1, 2, None]), of=st.sampled_from([1, 1, 1, 2]) | JUNK,
    ply=NUMBERS, seed=NUMBERS | JUNK, move=st.sampled_from(["A1", "B2", "C3", "Z9"]) | JUNK,
    playouts=NUMBERS | JUNK, ms=st.integers(1, 20) | JUNK, most=NUMBERS | JUNK,
    game=st.sampled_from(["ttt3", "ttt4", "hex3", "nogame"]) | JUNK, options=JUNK,
    search=st.sampled_from(["graver", "uct", "sarsa", "alphabeta", "policy"]) | JUNK,
    config=st.dictionaries(
        st.sampled_from(["playouts", "reuse", "lean", "reward", "x"]), NUMBERS | JUNK, max_size=2
    ) | JUNK,
    budget=st.fixed_dictionaries({}, optional=dict(nodes=st.integers(2, 30), bytes=NUMBERS)) | JUNK,
)  # fmt: skip
SETUP = dict(
    do="setup", session=1, game="ttt3", search="graver", config=dict(playouts=30),
    budget=dict(nodes=20),
)  # fmt: skip
REQUEST = st.builds(
    lambda do, given, usual: {**(SETUP if usual else {}), **given, "do": do},
    st.sampled_from(list(REQUESTS)) | JUNK,
    st.fixed_dictionaries({}, optional=FIELD),
    st.booleans(),
)
REQUESTED = st.lists(st.just(SETUP) | REQUEST, max_size=8)


def ask(requests):
    """Whatever is asked is answered or refused, and then the board still works."""
    board = Service()
    said = []
    for request in requests:
        MET["requests"] += 1
        answer = board.answer(request)
        json.dumps(answer)
        for _ in range(3 * board.thinking):
            board.think()
        said.append("error" if "error" in answer else "answer")
    assert "error" not in board.answer(dict(SETUP))
    assert "error" not in board.answer(dict(do="search", of=1))
    return " ".join(said)


# --- protocols of programs

VERTICES = ["a1", "C3", "pass", "resign", "z99", "b", "w", "black", "-1", "1e99", "nan", "\x1b[2J"]
GTP_LINE = st.one_of(
    st.builds(
        lambda name, words: " ".join([name, *words]),
        st.sampled_from(sorted(gtp.COMMANDS)),
        st.lists(st.sampled_from(VERTICES) | NUMBERS.map(str), max_size=4),
    ),
    st.text(max_size=60),
)


@functools.cache
def _gtp_engine():
    setting = load("go5"), Config("grave", playouts=3), Budget(nodes=10)
    return gtp.Engine(DesktopPlayer(*setting, 1, hashes=False), "fuzz")


def speak_gtp(lines):
    """Each line has at most one answer in GTP's form."""
    engine = _gtp_engine()
    said = []
    for number, line in enumerate(lines, 1):
        words = line.replace("\n", " ")
        if "loadsgf" in words or "analyze" in words or "quit" in words:
            continue  # files of this machine; what ends only with the next line; the end
        MET["gtp"] += 1
        written = []
        script = Script([words, "%d name" % number])
        gtp.serve(engine, _Iterated(script), written.append)
        *answers, last, rest = "".join(written).split("\n\n")
        assert (last, rest) == ("=%d picograve" % number, "") and len(answers) <= 1, (
            words,
            written,
        )
        assert not re.match(r"\?\d* \w+(Error|Exception): ", "".join(answers)), (words, answers)
        said += [answer[:12] for answer in answers]
    return " ".join(said)


class _Iterated:
    def __init__(self, script):
        self._script = script
        self.has_come = script.has_come

    def __iter__(self):
        return self._script.lines


UCI_LINE = st.lists(st.sampled_from(WORDS) | WEIRD, min_size=1, max_size=7).map(" ".join)


def speak_uci(lines):
    MET["uci"] += len(lines)
    script = Script([line.replace("\n", " ") for line in lines] + ["isready", "quit"])
    data = dict(search="uct", preset="uniform", nodes=20, playouts=20)
    script.answers.append("")
    uci.Engine(open_player, data, load("chess"), 1, "fuzz", script, script.write).serve()
    said = "".join(script.answers)
    assert "readyok" in said and all(line.isprintable() for line in said.splitlines())
    return said


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FEN = st.one_of(
    st.text(LETTERS, max_size=90),
    st.builds(
        lambda place, cut, new: START[:place] + new + START[place + cut :],
        st.integers(0, len(START)), st.integers(0, 9), st.text(LETTERS, max_size=9),
    ),
)  # fmt: skip


def read_fen(text):
    """The core names what is wrong as it stands there; the doors clean what they print of it."""
    MET["fen"] += 1
    try:
        Position(load("chess", fen=text)).legal_moves()
    except BadInput as error:
        assert "\n" not in text or "\n" not in outside.clean(error)
        return outside.clean(error)
    return TAKEN


# --- experiment files

SMALL = """\
game = "ttt3"
[opponent]
search = "uct"
playouts = 50
[players.A]
search = "grave"
playouts = 40
[sweep]
nodes = [10, 20]
"""
VALUE = (
    JUNK.map(lambda junk: json.dumps(junk, ensure_ascii=False).replace("null", "1"))
    | st.sampled_from(['"go9"', "[1, 2]", "nan", "inf", "1e999", "1979-05-27", "[[", "{", "'''"])
)  # fmt: skip
STATEMENT = st.builds(
    "{} = {}".format,
    st.sampled_from([*TOP_KEYS, *PLAYER_KEYS]) | st.text("a.\"'b", max_size=4),
    VALUE,
) | st.sampled_from(["[sweep]", "[tune]", "[players.A]", "[players.B]", "[plot]", "[checks]", "[["])
TOML = st.builds(
    lambda lines, more, order: "\n".join(
        sorted([*lines, *more], key=lambda line: hash((order, line)) if order else 0)
    ),
    st.just(SMALL.splitlines()), st.lists(STATEMENT, max_size=5), st.integers(0, 5),
)  # fmt: skip


@functools.cache
def _folder():
    return Path(tempfile.mkdtemp())


def read_experiment(text):
    MET["toml"] += 1
    path = _folder() / "fuzz.toml"
    path.write_text(text, "utf-8", "replace")
    try:
        experiment = Experiment(str(path))
        assert experiment.points
    except (BadInput, RunFailed) as error:
        return one_line(error)
    return TAKEN


# --- games that others have recorded: games.txt, lab.sqlite


@functools.cache
def _small():
    """An experiment, and games of it as text."""
    path = _folder() / "small.toml"
    path.write_text(SMALL)
    experiment = Experiment(str(path))
    by = dict(version="0.5.0", fingerprint="01234567", machine="a PC", seconds=0.5)
    games = [dict(by, number=n, half_points=n, digest=n, player_moves=3 + n) for n in range(3)]
    point = experiment.points[0]
    return experiment, text.as_text([text.Played(point.key, point.match, games)])


CELL = JUNK.map(lambda junk: json.dumps(junk).replace(" ", "")) | st.sampled_from(["-", "[" * 3000])
GAME_LINE = st.builds(
    "{} {}".format,
    st.sampled_from(["match 0", "match", "by", "same", "games", "games number", "end", "0", "1"]),
    st.lists(CELL | st.sampled_from(["number", "half_points"]), max_size=3).map(" ".join),
)
# In the text of three games: where a line goes, whether it takes the place of one, and which.
GAME_LINES = st.lists(st.tuples(st.integers(1, 8), st.booleans(), GAME_LINE), max_size=2)


def read_games(changes):
    lines = _small()[1].splitlines()
    for place, replaces, line in changes:
        lines[place : place + replaces] = [line]
    MET["games"] += len(lines)
    path = _folder() / "games.txt"
    path.write_text("\n".join(lines), "utf-8", "replace")
    return outcome_of(lambda: merged_and_shown(path))


FIELD_OF_STORE = st.sampled_from(["key", *FIELDS])
VALUE_OF_STORE = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(0, 3), st.floats(), WEIRD, st.binary()
)
ROWS = st.lists(st.dictionaries(FIELD_OF_STORE, VALUE_OF_STORE, max_size=3), max_size=3)


def read_store(rows):
    """Games as a lab has written them, with other values in some fields."""
    folder = _folder() / "theirs"
    shutil.rmtree(folder, ignore_errors=True)
    experiment, _ = _small()
    point = experiment.points[0]
    with Store(folder, write=True) as store:
        store.add(point.key, point.match, [dict(number=n, half_points=n) for n in range(3)])
        for number, row in enumerate(rows):
            MET["stores"] += 1
            for field, value in row.items():
                store.database.execute(
                    'UPDATE OR IGNORE games SET "%s" = ? WHERE number = ?' % field, (value, number)
                )
        store.database.commit()
    return outcome_of(lambda: merged_and_shown(folder))


def merged_and_shown(path):
    experiment, _ = _small()
    folder = _folder() / "all"
    shutil.rmtree(folder, ignore_errors=True)
    found = list(merge.sources(path))
    with Store(folder, write=True) as store:
        merge.merge(store, found, lambda key, match: "01234567")
        shown = [
            table.rows_of(experiment, store, 10),
            table.timing(experiment, store, 10),
            table.figures(experiment, store, 10),
            [store.errors(point.key, 10) for point in experiment.points],
        ]
        json.dumps(shown)
        assert text.of_points(store, experiment.points)


# --- command lines

FLAGS = (
    "--game --search --nodes --bytes --preset --playouts --ref --bias --lambda --lean --komi "
    "--option --swap --json --reuse --no-reuse --tables --variant --reward --depth --battle --ram"
).split()
WORD = st.one_of(
    st.sampled_from(FLAGS), st.sampled_from(["ttt3", "go9", "uct", "pico", "nan", "10", "x=1"]),
    WEIRD, NUMBERS.map(str), st.builds("{}={}".format, st.sampled_from(FLAGS), WEIRD),
    st.text(max_size=9),
)  # fmt: skip


def type_words(words):
    """`picograve budget ...`: everything a command line goes through but a search."""
    MET["words"] += 1
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        try:
            code = cli.main(["budget", *words])
        except SystemExit as stop:
            code = stop.code
    *_, last = stderr.getvalue().split("\n")[:-1] or [TAKEN]
    assert code in (0, 1, 2) and last.isprintable()
    return last


# --- messages of the page

MESSAGE = st.one_of(
    st.text(max_size=40),
    st.builds(
        lambda do, given: json.dumps({"do": do, **given}),
        st.sampled_from(["new", "play", "undo", "switch", "resign", "stop", "hint", "flag"]) | JUNK,
        st.dictionaries(
            st.sampled_from(["game", "opponent", "move", "ply", "kind", "nodes", "clock"]),
            st.sampled_from(["ttt3", "B2", "A1", "uct"]) | JUNK, max_size=3,
        ),
    ),
)  # fmt: skip


@functools.cache
def _room():
    heard = []
    room = Room(Choices("ttt3"), lambda kind, data: heard.append((kind, data)))
    return room, heard


def click(messages):
    room, heard = _room()
    heard.clear()
    small = dict(do="new", game="ttt3", playouts=20)
    MET["page"] += len(messages)
    for message in [small, *map(_message, messages)]:
        if message.get("do") == "new":
            message = {**message, "playouts": 20, "nodes": 20}
        room.announce(str(message.get("do")))
        room.handle(message)
    json.dumps(heard)
    errors = [data for kind, data in heard if kind == "error"]
    assert all("\n" not in text for text in errors)
    return errors[-1] if errors else TAKEN


TARGETS = {  # name: what may come, who takes it
    "answers": (LIES, hear),
    "to-board": (FRAMES, to_the_board),
    "to-host": (FRAMES, to_the_host),
    "requests": (REQUESTED, ask),
    "gtp": (st.lists(GTP_LINE, max_size=5), speak_gtp),
    "uci": (st.lists(UCI_LINE, max_size=4), speak_uci),
    "fen": (FEN, read_fen),
    "toml": (TOML, read_experiment),
    "games": (GAME_LINES, read_games),
    "stores": (ROWS, read_store),
    "words": (st.lists(WORD, max_size=6), type_words),
    "page": (st.lists(MESSAGE, max_size=3), click),
}

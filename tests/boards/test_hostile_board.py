"""A board that means harm, or is broken: its words end in one clean line, whatever they are."""

import pytest
from line.stranger import HELLO, Stranger, answering
from line.wire import Liar, WireLink, player_of
from picograve.frames import PART, TO_BOARD, TO_HOST, decode, encode
from picograve_board.service import REQUESTS, Service, Talk
from picograve_host import cli
from picograve_host.boards import registry
from picograve_host.boards.answers import ANSWERS
from picograve_host.boards.link import BoardRefuses, LinkError, Lost
from picograve_host.outside import fields
from picograve_host.players import board as players

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


def altering(do, **fields):
    """A lie: these fields of the answers to a request are others; ... leaves a field out."""

    def lie(request, answer):
        if request.get("do") == do and "error" not in answer:
            answer = {key: value for key, value in {**answer, **fields}.items() if value is not ...}
        return answer

    return lie


def words_of(lie, ask=lambda player: player.search()):
    """What the user reads of a board that lies so: one printable line."""
    with pytest.raises((LinkError, BoardRefuses)) as refused:
        ask(player_of(lie))
    assert str(refused.value).isprintable()
    return str(refused.value)


def honest(request, answer):
    return answer


def test_every_answer_of_a_real_board_keeps_to_the_schema(sim):
    """On MicroPython: what the service says is what the host expects, no field more or less."""
    _, machine = sim
    link = registry.Link(machine.port, dict(baud=115200, reply=1, boot=20))
    setting = dict(
        game="ttt3", search="graver2", budget=dict(nodes=20), config=dict(playouts=40), pool=True
    )
    asked = [
        ("hello", dict(nonce=1)), ("ping", {}), ("clear", {}),
        ("setup", dict(session=1, **setting)), ("new", dict(of=1, seed=1)),
        ("play", dict(of=1, ply=0, move="B2")),
        ("sample", dict(of=1, playouts=3)), ("search", dict(of=1, ply=1)), ("status", dict(of=1)),
        ("look", dict(of=1, seen=0)), ("stop", dict(of=1)), ("result", dict(of=1)),
        ("root", dict(of=1, most=3)),
    ]  # fmt: skip
    assert {do for do, _ in asked} == ANSWERS.keys() == REQUESTS.keys()
    for do, request in asked:
        answer = link._ask(dict(request, do=do))
        assert answer.keys() == ANSWERS[do].keys() or do == "look"  # which may not be due yet
        assert fields(ANSWERS[do], answer).items() >= answer.items()
    link.close()


class TestControlCharacters:
    @pytest.mark.parametrize("field", ["machine", "system"])
    def test_of_a_hello_are_taken_out(self, field):
        player = player_of(altering("hello", **{field: ESCAPE}))
        assert player.where.isprintable() and "?]0;owned" in player.where

    def test_of_a_version_and_of_an_error_are_taken_out(self):
        assert "?]0;owned" in words_of(altering("hello", version=ESCAPE))

        def lie(request, answer):
            return {"error": "no: " + ESCAPE} if request["do"] == "search" else answer

        assert "the board says: no: ?]0;owned" in words_of(lie)

    def test_of_a_hash_and_of_choices_are_taken_out(self):
        lie = altering("result", tree_hash="\x1b[2J", choices={"\x1b[2J": 1})
        thought = player_of(lie).search()
        assert (thought.tree_hash, thought.choices) == ("?[2J", {"?[2J": 1})

    def test_of_moves_are_refused_with_them(self):
        assert "its move is ?[2J" in words_of(altering("result", move="\x1b[2J"))
        lie = altering("root", moves=[["\x1b[2J", 1, 1]])

        def ask(player):
            player.search()
            player.root_moves()

        assert "its move is ?[2J" in words_of(lie, ask)

    def test_of_a_boot_banner_are_taken_out(self):
        def banner(read, write):
            read()
            write(ESCAPE.encode() + b"\n")

        stranger = Stranger(banner)
        with pytest.raises(LinkError) as refused:
            registry.Link(stranger.port, dict(baud=115200, reply=0.02, boot=0.2))
        stranger.close()
        assert "owned" in str(refused.value) and str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("do", "field", "value"),
    [
        ("hello", "machine", ...),
        ("hello", "bits", "32"),
        ("hello", "mhz", -1),
        ("hello", "stamp", ["x"]),
        ("setup", "bytes", None),
        ("setup", "nodes_top", True),
        ("new", "ply", 1.5),
        ("search", "thinking", "yes"),
        ("search", "playouts", ...),
        ("result", "move", ...),
        ("result", "move", "Z99"),
        ("result", "move", 7),
        ("result", "points", -5),
        ("result", "points", 10**9),
        ("result", "points", float("nan")),
        ("result", "scale", 0),
        ("result", "weight", None),
        ("result", "microseconds", -1),
        ("result", "microseconds", 10**30),
        ("result", "heap_used", "much"),
        ("result", "choices", {"uniform": []}),
        ("result", "tree_hash", "0" * 5000),
    ],
)
def test_a_field_that_is_missing_or_cannot_be_is_one_line(do, field, value):
    assert "talks nonsense" in words_of(altering(do, **{field: value}))


@pytest.mark.parametrize("moves", [7, [7], [["A1"]], [["A1", 1, -1]], [["A1", "1", 1]]])
def test_root_moves_that_cannot_be_are_one_line(moves):
    def ask(player):
        player.search()
        player.root_moves()

    assert "talks nonsense" in words_of(altering("root", moves=moves), ask)


def test_a_search_of_no_time_divides_by_nothing(monkeypatch, capsys):
    player = player_of(altering("result", microseconds=0))
    monkeypatch.setattr("picograve_host.commands.think.open_search_player", lambda *_, **__: player)
    assert cli.main(["think", "--game", "ttt3", "--playouts", "20"]) == 0
    assert player_of(altering("sample", microseconds=0)).sample(3) > 0


class TestABoardThatNeverEnds:
    def test_its_answer_is_given_up(self):
        talk = Liar(honest).talk

        def reply(line):
            kind, number, _ = decode(TO_BOARD, line) or (b"X", 0, b"")
            if kind == b"N":
                return encode(TO_HOST, b"M", number, b" " * 40)
            answer = talk.reply(line)
            return answer.replace(b"^S", b"^F") if kind == b"X" else answer

        with pytest.raises(LinkError, match="an answer of more than"):
            WireLink(reply)

    def test_its_thinking_is_given_up(self, monkeypatch):
        monkeypatch.setattr(players, "PATIENCE", 0.05)
        lies = {do: altering(do, thinking=True, playouts=3) for do in ("search", "status")}

        def lie(request, answer):
            return lies.get(request["do"], honest)(request, answer)

        assert "it thinks, and has not got on" in words_of(lie)


def test_a_reset_between_two_parts_of_its_hello_is_repeated():
    """Finding 7: the next part is asked of a board that has begun anew."""
    talks = [Liar(honest).talk]
    lost = []

    def reply(line):
        frame = decode(TO_BOARD, line)
        if frame and frame[0] == b"N" and len(lost) < 3:
            lost.append(frame)
            talks[0] = Liar(honest).talk
        return talks[0].reply(line)

    assert WireLink(reply).hello["version"] == HELLO["version"]
    assert len(lost) == 3


WELL_FRAMED = [
    dict(do="search", playouts="many"), dict(do="search", playouts=1.5), dict(do="search", ms=[]),
    dict(do="search", playouts=10**30), dict(do="search", playouts=-1), dict(do="root", most=2**70),
    dict(do="root", most="x"), dict(do="sample", playouts=0), dict(do="sample", playouts=10**9),
    dict(do="sample", playouts=-1), dict(do="new", seed="x"), dict(do="new", seed=2**70),
    dict(do="result"), dict(do="stop"), dict(do="status"), dict(do="play", move=None),
    dict(do="play", ply={}), dict(do=[[[[]]]]), dict(do="hello"), dict(nothing=1),
]  # fmt: skip
SETUPS = [
    dict(game="go999999999999999999999"), dict(game=""), dict(budget=dict(nodes=1.5)),
    dict(config=7), dict(budget=dict(bytes="x")), dict(config=dict(playouts=1.5)),
    dict(config=dict(playouts="x")),
    dict(options=dict(komi="x")), dict(budget=dict(nodes=-1)), dict(search="__init__"),
]  # fmt: skip


@pytest.fixture
def board_link(sim):
    board, machine = sim
    link = registry.Link(machine.port, board["serial"])
    yield link
    link.close()


def test_a_well_framed_request_never_ends_the_service(board_link):
    """Finding 8, on MicroPython. A service that ended would not answer the next request."""
    usual = dict(game="ttt3", search="graver", budget=dict(nodes=20), config=dict(playouts=20))
    for odd in WELL_FRAMED:
        board_link.request("setup", session=1, **usual)
        with pytest.raises((BoardRefuses, Lost)) as refused:
            board_link.request(**{"do": None, "of": 1, **odd})
        assert str(refused.value).isprintable()
    for odd in SETUPS:
        try:
            board_link.request("setup", session=1, **{**usual, **odd})
            board_link.request("search", of=1)
            while board_link.request("status", of=1)["thinking"]:
                pass
        except (BoardRefuses, Lost):
            pass
    assert board_link.resets < len(WELL_FRAMED)  # as "lost" counts; it was never restarted
    assert board_link.request("ping") == {"thinking": False}


def test_a_message_nested_too_deep_never_ends_the_service(board_link):
    for deep in (b'{"do":' + b"[" * 1500 + b"]" * 1500 + b"}", b'{"do":' * 500 + b"1" + b"}" * 500):
        first, *others = [deep[i : i + PART] for i in range(0, len(deep), PART)]
        board_link._exchange(b"F", first)
        for part in others[:-1]:
            board_link._exchange(b"M", part)
        _, payload = board_link._exchange(b"L", others[-1])
        assert b'"error": ' in payload
    assert board_link.request("ping") == {"thinking": False}


def test_a_search_that_breaks_is_told_once_and_the_board_goes_on():
    service = Service()
    service.answer(dict(do="setup", session=1, game="ttt3", search="graver", budget=dict(nodes=20)))
    service.answer(dict(do="search", of=1))

    def broken(_):
        raise IndexError("a bug")

    service.searcher.run = broken
    service.think()
    assert not service.thinking
    assert service.answer(dict(do="status", of=1)) == {
        "error": "the search broke: IndexError('a bug')"
    }
    assert service.answer(dict(do="status", of=1))["code"] == "lost"


def test_an_answer_that_cannot_be_said_gives_the_search_back():
    room = []
    talk = Talk(lambda request: {"set": {1}}, lambda: room.append(1))
    kind, _, payload = decode(TO_HOST, talk.reply(encode(TO_BOARD, b"S", 1, b"{}")))
    assert (kind, room) == (b"F", [1]) and b"no words" in payload


def test_a_match_against_a_hostile_board_is_one_line(capsys, monkeypatch):
    lies = Liar(altering("result", points=-1))
    stranger = Stranger(answering(lies.answer))
    code = cli.main(
        ["match", "--game", "ttt3", "--board", stranger.port, "--opponent-playouts", "9"]
    )
    stranger.close()
    assert code == 1
    assert "talks nonsense" in capsys.readouterr().err.splitlines()[-1]

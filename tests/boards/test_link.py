"""The link to a board: a real MicroPython behind a pty, and everything that can go wrong."""

import random
import threading
import time

import pytest
import serial
from conftest import built
from line.noisy import NoisyLine
from line.stranger import Stranger, hello_of
from patience import LONG, SLOWNESS
from picograve import BadInput, Budget, Config, Position, __version__, load
from picograve.figures import FIGURES
from picograve.frames import TO_BOARD, TO_HOST, Lines, decode, encode
from picograve_host.boards import install, program, simulated
from picograve_host.boards import link as links
from picograve_host.boards import registry as boards
from picograve_host.boards.link import BoardRefuses, Link, LinkError, Lost
from picograve_host.match.game import play_game
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer

# Seconds; the tests' own boards are quick.
IMPATIENT = dict(baud=115200, reply=0.08 * SLOWNESS, boot=5 * SLOWNESS)


def player_on(link, game="go9", search="graver2", nodes=40, seed=1, **settings):
    return BoardPlayer(link, load(game), Config(search, **settings), Budget(nodes=nodes), seed)


@pytest.fixture
def link(sim):
    board, machine = sim
    line = Link(machine.port, board["serial"])
    yield line
    line.close()


class TestABoardThatIsWell:
    def test_says_who_it_is(self, link):
        assert link.hello["version"] == __version__
        assert link.hello["stamp"] == program.stamp()
        assert link.hello["system"].startswith("micropython")
        assert link.hello["refusal"] is None

    @pytest.mark.parametrize("preset", ["paper", "strong"])
    def test_thinks_as_the_desktop_does(self, link, preset):
        setting = load("go9"), Config("graver2", preset=preset, playouts=300), Budget(nodes=30)
        board, desktop = BoardPlayer(link, *setting), DesktopPlayer(*setting)
        for _ in range(4):
            ours, theirs = board.search(), desktop.search()
            assert ours.value == theirs.value
            for figure in FIGURES:
                assert getattr(ours, figure) == getattr(theirs, figure)
            assert board.root_moves() == desktop.root_moves()
            board.play(ours.move)
            desktop.play(ours.move)
        assert board.moves == desktop.moves

    def test_reports_its_heap_with_every_move(self, link):
        thought = player_on(link, playouts=50).search()
        assert thought.heap_used > thought.bytes == player_on(link, playouts=50).ledger.total_bytes
        assert 0 < thought.heap_largest <= thought.heap_free

    def test_uses_no_more_heap_at_the_end_of_a_game_than_at_its_start(self, link):
        player = player_on(link, game="go5", playouts=40)
        used = []
        for move in ("C3", "B3", "C2", "B2", "C4", "B4", "C1", "B1"):
            used.append(player.search().heap_used)
            player.play(move)
        assert max(used[2:]) - min(used[2:]) < 500  # a move is a small integer in a list

    def test_answers_while_it_thinks_and_stops_when_told(self, link):
        seen = []

        def watch(player, playouts):
            seen.append(playouts)
            assert link.request("ping") == {"thinking": True}
            assert sum(visits for _, visits, _ in player.root_moves()) > 0
            return len(seen) == 3

        thought = player_on(link, playouts_top=10**6).search(watch=watch)
        assert seen == sorted(seen)
        assert thought.playouts >= seen[-1] > 0

    def test_ends_when_its_time_is_up(self, link):
        thought = player_on(link, playouts_top=10**6).search(seconds=0.1)
        assert 0 < thought.playouts < 10**6

    def test_refuses_what_the_game_refuses_in_the_cores_words(self, link):
        player = player_on(link)
        player.play("E5")
        with pytest.raises(BoardRefuses, match="E5 is not legal for white as move 2"):
            player.play("E5")
        assert player.moves == ["E5"]

    def test_knows_no_other_requests_than_its_own(self, link):
        for do in ("exec", "__init__", "_allocate", "", None, 7, []):
            with pytest.raises(BoardRefuses, match="no request called"):
                link.request(do)
        for odd in (dict(do="setup", session=1, game=7, search=[]), dict(do="play")):
            with pytest.raises(BoardRefuses, match="bad request"):
                link.request(**odd)
        assert link.request("ping") == {"thinking": False}

    def test_a_heap_full_of_other_setups_takes_a_large_one_again(self, link):
        for nodes in (160, 20, 90, 10, 160):
            assert player_on(link, nodes=nodes, playouts=20).search().playouts == 20


class TestTheRepl:
    def read(self, line, until):
        heard = b""
        deadline = time.monotonic() + LONG
        while until not in heard and time.monotonic() < deadline:
            heard += line.read(max(1, line.in_waiting))
        return heard

    @pytest.mark.parametrize("thinking", [False, True])
    def test_ctrl_c_gives_it_and_a_soft_reset_the_service(self, sim, thinking):
        board, machine = sim
        link = Link(machine.port, board["serial"])
        if thinking:
            player = player_on(link, playouts_top=10**6)
            player._request("search", ply=0)
        link.close()
        with serial.Serial(machine.port, timeout=0.1) as line:
            line.write(b"\r\x03")
            assert b">>>" in self.read(line, b">>>")
            line.write(b"6 * 7\r")
            assert b"42" in self.read(line, b"42")
        link = Link(machine.port, board["serial"])  # finds the REPL and starts the service
        assert link.request("ping") == {"thinking": False}
        link.close()

    def test_ctrl_c_in_the_middle_of_a_line_is_damage(self, sim):
        _, machine = sim
        with serial.Serial(machine.port, timeout=0.1) as line:
            line.write(b"~S01\x03\n")
            assert b"^X" in self.read(line, b"\n")


class TestReset:
    @pytest.mark.parametrize("setting", [dict(), dict(preset="paper"), dict(reuse=True)])
    def test_in_the_middle_of_a_game_changes_no_move(self, sim, setting):
        board, machine = sim
        config, budget = Config("graver2", playouts=120, **setting), Budget(nodes=30)
        desktop = DesktopPlayer(load("go9"), config, budget)
        link = Link(machine.port, board["serial"])
        player = BoardPlayer(link, load("go9"), config, budget)
        for number in range(6):
            if number in (2, 3, 5):
                machine.reset()
            expected = desktop.search()
            assert player.search().tree_hash == expected.tree_hash
            for each in (desktop, player):
                each.play(expected.move)
        assert link.resets >= 3
        link.close()

    def test_while_it_thinks_starts_the_search_again(self, sim):
        board, machine = sim
        config, budget = Config("graver2", playouts=30000), Budget(nodes=30)
        link = Link(machine.port, board["serial"])
        player = BoardPlayer(link, load("go9"), config, budget)
        resets = []

        def watch(_, playouts):
            if not resets:
                resets.append(playouts)
                machine.reset()

        thought = player.search(watch=watch)
        assert resets
        assert thought.tree_hash == DesktopPlayer(load("go9"), config, budget).search().tree_hash
        link.close()


def games_of(player, opponent, count, upset=None):
    """The moves of `count` games, colours alternating."""
    referee = Position(player.game)
    games = []
    for index in range(count):
        player.new_game(2 * index + 1)
        opponent.new_game(2 * index + 2)
        order = (player, opponent) if index % 2 == 0 else (opponent, player)
        play_game(order, referee, on_move=upset)
        games.append(list(referee.moves))
    return games


@pytest.mark.parametrize(
    ("game", "count", "playouts", "preset", "resets"),
    [
        ("ttt3", 100, 30, "paper", 0.03),
        ("ttt3", 100, 30, "strong", 0.03),
        ("go9", 2, 60, "strong", 0.1),
        ("go9", 1, 60, "paper", 0.05),
    ],
)
def test_a_damaged_line_and_resets_change_no_move(sim, game, count, playouts, preset, resets):
    """1 % of the bytes are flipped, dropped, doubled or the start of a cut."""
    board, machine = sim
    setting = load(game), Config("graver2", preset=preset, playouts=playouts), Budget(nodes=20)
    opponent = DesktopPlayer(*setting)
    dice = random.Random(3)

    def upset(*_):
        if dice.random() < resets:
            machine.reset()

    link = Link(machine.port, board["serial"])
    clean = games_of(BoardPlayer(link, *setting), opponent, count)
    link.close()
    with NoisyLine(machine.port, seed=1) as noisy:
        link = Link(noisy.port, IMPATIENT)
        assert games_of(BoardPlayer(link, *setting), opponent, count, upset) == clean
        assert noisy.accidents > 500
        assert link.resets > 3
        link.close()


def test_a_slow_board_that_shows_its_prompt_after_the_soft_reset_is_waited_for():
    serve = hello_of()
    boots = []  # when the service is there

    def boot_slowly(read, write):
        if boots and time.monotonic() > boots[0]:
            serve(read, write)
            return
        key = read()
        if key == b"\n" and not boots:
            write(b">>> \r\n")
        elif key == b"\x04":
            time.sleep(0.05)
            write(b">>> \r\nMPY: soft reboot\r\n")
            boots.append(time.monotonic() + 0.5)

    board = Stranger(boot_slowly)
    link = Link(board.port, IMPATIENT)
    assert link.hello["version"] == __version__
    link.close()
    board.close()


def test_the_end_of_an_answer_to_somebody_else_is_no_hello():
    """A board repeats it if a link begins with the number that the last one ended with."""
    serve, lines, repeated = hello_of(), Lines(), []

    def repeat_once(read, write):
        if repeated:
            serve(read, write)
            return
        frame = decode(TO_BOARD, lines.add(read()[0]) or b"")
        if frame:
            repeated.append(frame)
            write(encode(TO_HOST, b"L", frame[1], b'"the": "end"}'))

    board = Stranger(repeat_once)
    link = Link(board.port, IMPATIENT)
    assert repeated and link.hello["version"] == __version__
    link.close()
    board.close()


SOON = dict(IMPATIENT, boot=0.5 * SLOWNESS)


class TestWhatIsNoBoardOfOurs:
    def refusal(self, talk, error=LinkError):
        stranger = Stranger(talk)
        with pytest.raises(error) as refused:
            boards.check_stamp(Link(stranger.port, SOON))
        stranger.close()
        assert "\n" not in str(refused.value)
        return str(refused.value)

    def test_garbage_is_told_from_a_board(self):
        dice = random.Random(1)

        def babble(read, write):
            write(dice.randbytes(20))
            time.sleep(0.002)

        assert "no picograve answers" in self.refusal(babble)

    def test_a_babbler_that_reads_nothing_is_told_from_a_board(self, monkeypatch):
        """Words fill the line to it, and then nothing more can be written."""
        monkeypatch.setattr(links, "WRITE_PATIENCE", 0.2)
        stranger = Stranger(lambda read, write: (write(b"^ no answer\r\n"), time.sleep(0.0005)))
        with pytest.raises(LinkError, match="no picograve answers"):
            Link(stranger.port, dict(SOON, boot=20 * SLOWNESS))
        stranger.close()

    def test_its_own_words_are_repeated(self):
        def complain(read, write):
            write(b"MemoryError: memory allocation failed\r\n")
            time.sleep(0.02)

        assert "MemoryError: memory allocation failed" in self.refusal(complain)

    def test_silence_is_no_answer(self):
        assert "picograve flash" in self.refusal(lambda read, write: read())

    def test_an_echo_is_no_answer(self):
        assert "no picograve answers" in self.refusal(lambda read, write: write(read()))

    def test_another_version_is_refused(self):
        assert "has picograve 0.0.9" in self.refusal(hello_of(version="0.0.9"))
        assert "protocol 99" in self.refusal(hello_of(protocol=99))

    def test_other_sources_of_the_same_version_are_refused(self):
        assert "another picograve" in self.refusal(hello_of(stamp="00000000"))


class TestThePort:
    def test_is_for_one_program_at_a_time(self, sim, link):
        board, machine = sim
        with pytest.raises(BadInput, match="in use by another program"):
            Link(machine.port, board["serial"])
        assert link.request("ping") == {"thinking": False}

    def test_that_is_not_there_is_named(self):
        with pytest.raises(BadInput, match="no port /dev/nowhere"):
            Link("/dev/nowhere", IMPATIENT)

    def test_that_vanishes_for_good_ends_the_run(self):
        stranger = Stranger(hello_of())
        link = Link(stranger.port, SOON)
        stranger.close()
        with pytest.raises(LinkError, match="has gone: plug it in again"):
            link.request("ping")

    def test_of_a_board_that_comes_back_elsewhere_is_found(self, sim):
        _, machine = sim
        first = NoisyLine(machine.port, 1, damage=0)
        ports = [first.port]
        link = Link(first.port, IMPATIENT, find=lambda: ports[0])
        first.__exit__()
        ports[0] = None
        second = NoisyLine(machine.port, 1, damage=0)
        threading.Timer(0.5, lambda: ports.__setitem__(0, second.port)).start()
        with pytest.raises(Lost):
            link.request("ping")
        assert link.port == second.port
        assert link.request("ping") == {"thinking": False}
        link.close()
        second.__exit__()


def test_a_heap_too_small_is_refused_by_the_board_in_one_line():
    board = boards.describe("sim")
    board["heap"] = 96000
    machine = built(simulated.start, board, print)
    link = Link(machine.port, board["serial"])
    assert "do not fit" in link.hello["refusal"]
    with pytest.raises(BoardRefuses, match=r"bytes do not fit: the heap has .* free") as refused:
        player_on(link, nodes=160)
    assert "\n" not in str(refused.value)
    assert player_on(link, nodes=20, playouts=30).search().playouts == 30
    link.close()
    machine.close()


def test_a_budget_beyond_the_board_is_refused_before_anything_is_started():
    with pytest.raises(BadInput, match="pico has"):
        install.check_fit(
            boards.describe("pico"), Budget(nodes=1000).ledger(load("go9"), Config("graver2"))
        )

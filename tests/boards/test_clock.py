"""A board's clock: how it is set at start, what is refused, and what the emulated chip does."""

import json
import sys

import pytest
from conftest import built
from picograve import BadInput
from picograve_board import clock
from picograve_host.boards import install
from picograve_host.boards import registry as boards
from picograve_host.boards.link import LinkError
from picograve_tools import micropython
from picograve_tools.cache import ToolFailed
from picograve_tools.emulator import Emulator
from test_cli import picograve

VREG = 0x40064000
BOOTED, RAISED, REACHED = 11 << 4 | 1, 12 << 4 | 1, 1 << 12


class Machine:
    """MicroPython's module `machine` of a chip, which writes down what is done to it."""

    def __init__(self, takes=(125, 200), reaches=True):
        self.mhz, self.takes = 125, takes
        self.reaches = reaches  # whether the regulator gets to its voltage
        self.register = BOOTED | REACHED
        self.done = []
        self.mem32 = self

    def freq(self, hertz=None):
        if hertz is not None:
            if hertz // 1000000 not in self.takes:
                raise ValueError("cannot change frequency")
            self.done.append(("clock", hertz))
            self.mhz = hertz // 1000000
        return self.mhz * 1000000

    def __getitem__(self, address):
        assert address == VREG
        return self.register

    def __setitem__(self, address, value):
        assert address == VREG
        self.done.append(("voltage", value & ~REACHED))
        self.register = value & ~REACHED | (REACHED if self.reaches else 0)


@pytest.fixture
def started(monkeypatch):
    """start(machine, mhz) on a chip, an RP2040 unless told."""

    def start(machine, mhz, chip="Raspberry Pi Pico with RP2040"):
        monkeypatch.setattr(sys.implementation, "_machine", chip, raising=False)
        monkeypatch.setattr(clock, "machine", machine)
        return clock.start(mhz)

    monkeypatch.setattr(clock.time, "sleep_ms", lambda milliseconds: None, raising=False)
    return start


class TestStarting:
    def test_an_rp2040_gets_its_voltage_before_its_clock(self, started):
        machine = Machine()
        assert started(machine, 200) == 200
        assert machine.done == [("voltage", RAISED), ("clock", 200_000_000)]

    def test_a_voltage_that_is_not_reached_leaves_the_clock_alone(self, started):
        machine = Machine(reaches=False)
        assert started(machine, 200) == 125
        assert machine.done == [("voltage", RAISED)]

    def test_a_voltage_that_is_high_enough_stays(self, started):
        machine = Machine()
        machine.register = 15 << 4 | 1 | REACHED
        assert started(machine, 200) == 200
        assert machine.done == [("clock", 200_000_000)]

    def test_a_clock_that_needs_no_voltage_gets_none(self, started):
        machine = Machine(takes=[100])
        assert started(machine, 100) == 100
        assert machine.done == [("clock", 100_000_000)]

    @pytest.mark.parametrize("mhz", [None, 125])
    def test_what_is_so_already_is_left_alone(self, started, mhz):
        machine = Machine()
        assert started(machine, mhz) == 125
        assert machine.done == []

    def test_other_chips_have_no_regulator_of_ours(self, started):
        machine = Machine(takes=[240])
        assert started(machine, 240, "Generic ESP32 module with ESP32") == 240
        assert machine.done == [("clock", 240_000_000)]

    def test_a_clock_that_cannot_be_set_is_no_failure(self, started):
        assert started(Machine(takes=[]), 200) == 125

    def test_a_chip_that_tells_the_clocks_of_its_buses_tells_its_own_first(self, started):
        machine = Machine()
        machine.freq = lambda: (168_000_000, 168_000_000, 42_000_000, 84_000_000)
        assert started(machine, None, "PYBv1.1 with STM32F405RG") == 168

    @pytest.mark.parametrize("machine", [None, object()])
    def test_where_there_is_no_clock_there_is_none(self, started, machine):
        assert started(machine, 200) is None


class TestChoosing:
    def test_a_board_is_built_for_its_certified_clock(self):
        certified = {name: boards.describe(name).get("mhz") for name in boards.names()}
        assert certified["pico"] == certified["pico-emulated"] == certified["pico-frozen"] == 200
        assert certified["pico2"] == 150
        assert certified["esp32"] == certified["esp32-s3"] == 240
        assert certified["sim"] is certified["sim64"] is certified["sim-cpython"] is None

    def test_no_more_than_that_and_no_less_than_its_line_needs(self):
        board = boards.describe("pico")
        for mhz in (47, 201):
            with pytest.raises(BadInput, match="--mhz must be 48 to 200, not %d" % mhz):
                install.set_clock(board, mhz)
        install.set_clock(board, None)
        assert board["mhz"] == 200
        install.set_clock(board, 125)
        assert board["mhz"] == 125

    @pytest.mark.parametrize(
        ("command", "complaint"),
        [
            ("flash --board pico --uf2 x.uf2 --mhz 250", "pico is certified for 200 MHz"),
            ("think --mhz 125", "--mhz sets the clock of a board"),
            ("think --runtime sim --mhz 125", "sim has no clock that could be set"),
            ("think --runtime pico-emulated --mhz 201", "must be 48 to 200, not 201"),
            ("match --board pico-emulated --mhz 1", "must be 48 to 200, not 1"),
            ("bench --only-boards --boards sim --mhz 125", "sim has no clock that could be set"),
        ],
    )
    def test_what_cannot_be_is_one_line(self, command, complaint):
        refused = picograve(*command.split())
        assert refused.returncode == 2
        lines = refused.stderr.splitlines()
        told = [line for line in lines if "compiling" not in line]  # said where no cache is warm
        assert len(told) == 1
        assert complaint in told[0]


@pytest.fixture(scope="module")
def thoughts():
    """{MHz: report} of the same search on the emulated chip."""
    built(micropython.rp2040_image)
    think = "think --runtime pico-emulated --nodes 40 --playouts 100 --json".split()
    reports = {}
    for mhz, options in ((200, []), (125, ["--mhz", "125"])):
        answer = picograve(*think, *options)
        assert answer.returncode == 0, answer.stderr
        reports[mhz] = json.loads(answer.stdout)
    return reports


@pytest.mark.pico
class TestTheEmulatedChip:
    def test_thinks_at_its_certified_clock_or_at_another_and_says_so(self, thoughts):
        for mhz, report in thoughts.items():
            assert report["mhz"] == mhz
            assert "%d MHz" % mhz in report["runtime"]

    def test_grows_the_same_tree_at_every_clock(self, thoughts):
        assert thoughts[200]["tree_hash"] == thoughts[125]["tree_hash"]
        assert thoughts[200]["visits"] == thoughts[125]["visits"]

    def test_takes_the_same_cycles_at_every_clock(self, thoughts):
        ratio = thoughts[125]["microseconds"] / thoughts[200]["microseconds"]
        assert ratio == pytest.approx(200 / 125, rel=0.02)

    def test_stops_at_a_clock_that_its_voltage_is_not_certified_for(self):
        said = []
        with Emulator(built(micropython.rp2040_image), say=said.append) as chip:
            script = "import machine; machine.freq(200_000_000)"
            with pytest.raises(LinkError, match="cannot reach the board"):
                install._mpremote(chip.port, "exec", script)
            with pytest.raises(ToolFailed):
                chip.reset()
        assert "200 MHz are too many for 1.10 V" in said[-1]

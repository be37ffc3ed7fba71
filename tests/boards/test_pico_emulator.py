"""The Raspberry Pi Pico's real firmware in the emulator, used as a board is used."""

import binascii
import os
import signal
import struct
import subprocess
import sys
import time

import numpy
import pytest
import serial
from patience import LONG
from picograve_tools import micropython
from picograve_tools.cache import ToolFailed, ToolMissing
from picograve_tools.emulator import Emulator

pytestmark = pytest.mark.pico

PATIENCE = LONG  # until a chip counts as stuck


@pytest.fixture(scope="module")
def image():
    try:
        return micropython.rp2040_image()
    except ToolMissing as error:
        pytest.skip(str(error))


def emulator(*arguments, **options):
    try:
        return Emulator(*arguments, **options)
    except ToolMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def shared_pico(image):
    with emulator(image) as pico:
        yield pico


@pytest.fixture
def pico(shared_pico):
    """A chip that has just been started."""
    shared_pico.reset()
    return shared_pico


def mpremote(pico, *arguments):
    command = [sys.executable, "-m", "mpremote", "connect", pico.port, *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout.strip()


class Repl:
    """A client of our own: sends bytes and waits for bytes."""

    def __init__(self, pico):
        self.line = serial.Serial(pico.port, exclusive=True, timeout=PATIENCE)

    def __enter__(self):
        self.ask_until(b"\x03\x03\r0x1234\r", b"4660")  # interrupts what runs
        return self

    def __exit__(self, *_):
        self.line.close()

    def __call__(self, sent, awaited):
        self.line.write(sent)
        answer = self.line.read_until(awaited)
        assert answer.endswith(awaited), answer
        return answer

    def ask_until(self, question, answer):
        """Ask until this is the answer: during a reset questions are lost."""
        self.line.timeout = 1
        awaited = b"\r\n%s\r\n>>> " % answer
        for _ in range(PATIENCE):
            self.line.write(question)
            if self.line.read_until(awaited).endswith(awaited):
                break
        else:
            pytest.fail("the chip does not answer %r" % answer)
        self.line.timeout = PATIENCE


# The chip.


def test_it_is_a_pico_with_the_heap_of_one(pico):
    assert mpremote(pico, "eval", "__import__('sys').platform") == "rp2"
    assert "RP2040" in mpremote(pico, "eval", "__import__('os').uname().machine")
    free = mpremote(pico, "exec", "import gc; gc.collect(); print(gc.mem_free())")
    assert 230_000 < int(free) < 264 * 1024


def test_viper_makes_native_code_of_32_bits(pico, tmp_path):
    script = tmp_path / "viper.py"
    script.write_text(
        "import array\n"
        "@micropython.viper\n"
        "def total(words: ptr32, count: int) -> int:\n"
        "    sum = 0\n"
        "    for i in range(count):\n"
        "        sum += words[i]\n"
        "    return sum\n"
        "print(total(array.array('i', [0x7fffffff, 1, 5]), 3))\n"
    )
    assert mpremote(pico, "run", script) == str(5 - 2**31)


def test_a_sleep_of_the_chip_is_no_shorter_on_the_wall(pico):
    began = time.monotonic()
    slept = mpremote(
        pico, "exec", "from time import *; a = ticks_us(); sleep_ms(1500); print(ticks_us() - a)"
    )
    assert int(slept) >= 1_500_000
    assert time.monotonic() - began >= 1.5


FLOATS_ON_THE_CHIP = """
from math import sqrt
from struct import pack, unpack

def show(*values):
    for value in values:
        print(unpack("<I", pack("<f", value))[0])

for a, b in PAIRS:
    a, b = unpack("<f", pack("<I", a))[0], unpack("<f", pack("<I", b))[0]
    show(a + b, a - b, a * b, a / b, sqrt(abs(a)))
    show(unpack("<d", pack("<d", a))[0])
    print(int(a < b), int(a == b), int(a >= b))
for a, b in INTEGERS:
    show(a, a / b)
    print(int(a / b))
"""


def test_floats_are_those_of_ieee_754(pico, tmp_path):
    """Bit for bit as NumPy's float32, whose arithmetic is the processor's."""
    random = numpy.random.default_rng(1)
    signs = random.integers(0, 2, (40, 2)) << 31
    exponents = random.integers(90, 160, (40, 2)) << 23  # neither result is denormal or infinite
    pairs = (signs | exponents | random.integers(0, 1 << 23, (40, 2))).tolist()
    pairs += [[bits, bits] for bits, _ in pairs[:3]]
    integers = [(7, 2), (-7, 2), (1, 3), (-1, 3), (16777217, 1), (-(2**31), 1), (2**40 + 1, 3)]
    expected = []

    def show(*values):
        expected.extend(str(struct.unpack("<I", struct.pack("<f", v))[0]) for v in values)

    for a, b in numpy.array(pairs, dtype=numpy.uint32).view(numpy.float32):
        show(a + b, a - b, a * b, a / b, numpy.sqrt(abs(a)), a)
        expected.append("%d %d %d" % (a < b, a == b, a >= b))
    for a, b in integers:
        quotient = numpy.float32(a) / numpy.float32(b)
        show(numpy.float32(a), quotient)
        expected.append(str(int(quotient)))
    script = tmp_path / "floats.py"
    script.write_text("PAIRS = %r\nINTEGERS = %r\n%s" % (pairs, integers, FLOATS_ON_THE_CHIP))
    assert mpremote(pico, "run", script).split("\n") == expected


def test_the_library_of_floats_works(pico):
    answer = mpremote(pico, "exec", "import math; print(math.sin(1), math.exp(1), math.pow(2, .5))")
    sin, exp, root = map(float, answer.split())
    assert (sin, exp, root) == pytest.approx((0.841471, 2.718282, 1.414214), rel=1e-6)


# Serial.


def test_the_port_outlives_its_clients(pico):
    for number in range(3):
        with Repl(pico) as repl:
            repl(b"print(%d + 1000)\r" % number, b"\r\n%d\r\n" % (number + 1000))


def test_ctrl_c_interrupts_a_loop(pico):
    with Repl(pico) as repl:
        repl(b"while True: pass\r", b"... ")
        repl(b"\r", b"\r\n")
        time.sleep(0.2)  # it loops
        repl(b"\x03", b"KeyboardInterrupt:")
        repl(b"\rprint(6 * 7)\r", b"\r\n42\r\n")


def test_every_byte_passes_in_both_directions(pico):
    """More than all buffers hold together, sent at once: the chip slows its writer down."""
    program = (
        b"import micropython, sys; from binascii import crc32\n"
        b"micropython.kbd_intr(-1); left = %d; crc = 0; sys.stdout.buffer.write(b'ready')\n"
        b"while left:\n"
        b"    data = sys.stdin.buffer.read(min(left, 512))\n"
        b"    left -= len(data); crc = crc32(data, crc)\n"
        b"sys.stdout.buffer.write(bytes(range(256)) + b'%%d end' %% crc)\n"
    )
    data = bytes(range(256)) * 100
    with Repl(pico) as repl:
        repl(b"\x01", b"raw REPL; CTRL-B to exit\r\n>")
        repl(program % len(data) + b"\x04", b"OKready")
        answer = repl(data, b"end")
    assert answer == bytes(range(256)) + b"%d end" % binascii.crc32(data)


def test_a_late_client_takes_over_a_chip_that_talks_without_end(pico):
    with Repl(pico) as repl:
        repl(b"while True: print('unread')\r", b"... ")
        repl(b"\r", b"unread")
    time.sleep(1)  # nobody reads
    with Repl(pico) as repl:
        repl(b"print(6 * 7)\r", b"\r\n42\r\n")


# mpremote.


def test_mpremote_runs_code(pico, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("print('from a file')\n")
    assert mpremote(pico, "eval", "1 + 1") == "2"
    assert mpremote(pico, "exec", "print('hello')") == "hello"
    assert mpremote(pico, "run", script) == "from a file"


def test_mpremote_soft_resets(pico):
    here = ("exec", "print('x' in globals())")
    assert mpremote(pico, "exec", "x = 1", *here, "soft-reset", *here).split() == ["True", "False"]


def test_mpremote_mounts_a_folder(pico, tmp_path):
    (tmp_path / "mounted.py").write_text("print('imported over the line')\n")
    assert "imported over the line" in mpremote(pico, "mount", tmp_path, "exec", "import mounted")


def test_mpremote_copies_there_and_back(pico, tmp_path):
    there, back = tmp_path / "there", tmp_path / "back"
    there.write_bytes(bytes(range(256)) * 20)
    mpremote(pico, "cp", there, ":file")
    mpremote(pico, "cp", ":file", back)
    assert back.read_bytes() == there.read_bytes()


# Resets.

CAUSE = ("exec", "import machine; print(machine.reset_cause() == machine.WDT_RESET)")


def test_a_hard_reset_loses_ram_and_keeps_flash(pico, tmp_path):
    (tmp_path / "kept").write_text("still here")
    mpremote(pico, "cp", tmp_path / "kept", ":kept")
    mpremote(pico, "exec", "x = 1")
    port = pico.port
    pico.reset()
    assert pico.port == port
    assert mpremote(pico, "resume", "exec", "print('x' in globals(), open('kept').read())") == (
        "False still here"
    )
    assert mpremote(pico, *CAUSE) == "False"


def test_the_chip_can_reset_itself(pico):
    with Repl(pico) as repl:
        repl(b"x = 1; import machine; machine.reset()\r", b"\r\n")
        repl.ask_until(b"\r'x' in globals()\r", b"False")
    assert mpremote(pico, *CAUSE) == "True"


def test_the_watchdog_resets_a_chip_that_hangs(pico):
    with Repl(pico) as repl:
        repl(b"import machine; dog = machine.WDT(timeout=100)\r", b">>> ")
        repl.ask_until(b"\r'dog' in globals()\r", b"False")
    assert mpremote(pico, *CAUSE) == "True"


def test_a_chip_in_its_boot_loader_comes_back_by_a_reset(pico):
    mpremote(pico, "exec", "--no-follow", "import machine; machine.bootloader()")
    pico.reset()
    assert mpremote(pico, "eval", "1 + 1") == "2"


# The emulator.


def test_flash_is_kept_in_a_file(image, tmp_path):
    flash = tmp_path / "flash.bin"
    for expected in ("[]", "['kept']"):
        with emulator(image, flash=flash) as pico:
            assert mpremote(pico, "eval", "__import__('os').listdir()") == expected
            mpremote(pico, "exec", "open('kept', 'w').close()")
    assert flash.stat().st_size == 2 * 1024 * 1024


def test_the_port_goes_with_the_emulator(image):
    with emulator(image) as pico:
        assert os.path.exists(pico.port)
    with pytest.raises(ToolFailed, match="closed"):
        pico.reset()


def test_an_emulator_that_dies_says_so_and_takes_its_port_along(image):
    said = []
    with emulator(image, say=said.append) as pico:
        with Repl(pico) as repl:
            os.kill(pico.process.pid, signal.SIGKILL)
            with pytest.raises((serial.SerialException, OSError)):
                repl.line.read(1000)
        with pytest.raises(ToolFailed, match="the emulator has ended"):
            pico.reset()
    assert "the emulator has ended" in said[-1]


def test_an_image_that_is_none_is_told_in_one_line(tmp_path):
    empty = tmp_path / "empty.bin"
    empty.write_bytes(bytes(4096))
    with pytest.raises(ToolFailed, match="its flash holds no program") as error:
        emulator(empty, say=lambda line: None)
    assert "\n" not in str(error.value)

"""Installing on a board: an emulated Pico with MicroPython's own firmware, and mpremote itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import built
from picograve import Budget, Config, load
from picograve_host.boards import registry as boards
from picograve_host.boards.link import Link
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_tools import emulator, micropython
from test_cli import picograve

pytestmark = pytest.mark.pico
PACKAGE = Path(__file__).parents[2] / "firmware" / "package.json"
SERIAL = boards.describe("pico-emulated")["serial"]


def mpremote(port, *arguments, cwd=None):
    command = [sys.executable, "-m", "mpremote", "connect", port, *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout.replace("\r", "")


@pytest.fixture(scope="module")
def chip():
    """An emulated Pico as it comes from the shop, with MicroPython on it."""
    with emulator.Emulator(built(micropython.rp2040_image)) as chip:
        yield chip


def test_another_chips_code_is_not_installed(chip):
    refused = picograve("flash", "--port", chip.port, "--board", "esp32")
    assert refused.returncode == 2
    assert refused.stderr.endswith(
        "runs armv6m code, a esp32 runs xtensawin: give another --board\n"
    )


def test_a_budget_that_cannot_fit_is_refused_before_anything_is_copied(chip):
    refused = picograve("flash", "--port", chip.port, "--board", "pico", "--nodes", "9000")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "lib" not in mpremote(chip.port, "ls")


def test_a_board_without_picograve_is_told_what_to_do(chip):
    refused = picograve("think", "--runtime", chip.port, "--playouts", "10", "--nodes", "20")
    assert refused.returncode == 1
    assert refused.stderr.endswith("install it with picograve flash --port %s\n" % chip.port)


def test_flash_installs_everything_and_the_board_plays(chip):
    flashed = picograve("flash", "--port", chip.port, "--board", "pico", "--nodes", "50", "--json")
    assert flashed.returncode == 0, flashed.stderr
    report = json.loads(flashed.stdout)
    assert report["machine"] == "Raspberry Pi Pico with RP2040"
    assert report["refusal"] is None
    think = [*"think --playouts 60 --nodes 40 --moves".split(), "E5 C3", "--json"]
    on_board = picograve(*think, "--runtime", chip.port)
    assert on_board.returncode == 0, on_board.stderr
    board = json.loads(on_board.stdout)
    desktop = json.loads(picograve(*think).stdout)
    assert board["tree_hash"] == desktop["tree_hash"]
    assert board["visits"] == desktop["visits"]


def test_mpremote_reaches_a_board_whose_service_runs(chip, tmp_path):
    """Ctrl-C gives the REPL back: cp, run, mount and soft reset as on any board."""
    link = Link(chip.port, SERIAL)
    link.close()
    (tmp_path / "hello.py").write_text("print('hello', 6 * 7)\n")
    assert "hello 42" in mpremote(chip.port, "run", "hello.py", cwd=tmp_path)
    link = Link(chip.port, SERIAL)  # starts the service again
    link.close()
    mpremote(chip.port, "cp", "hello.py", ":hello.py", cwd=tmp_path)
    assert "hello.py" in mpremote(chip.port, "ls")
    mounted = mpremote(chip.port, "mount", ".", "exec", "import hello", cwd=tmp_path)
    assert "hello 42" in mounted
    mpremote(chip.port, "soft-reset", "eval", "1")
    link = Link(chip.port, SERIAL)
    assert link.request("ping") == {"thinking": False}
    link.close()


def test_a_hard_reset_in_the_middle_of_a_game_changes_no_move(chip):
    setting = load("go9"), Config("graver2", preset="paper", playouts=30), Budget(nodes=20)
    desktop = DesktopPlayer(*setting)
    link = Link(chip.port, SERIAL)
    player = BoardPlayer(link, *setting)
    for number in range(4):
        if number == 2:
            chip.reset()
        thought = player.search()
        assert thought.tree_hash == desktop.search().tree_hash
        for each in (player, desktop):
            each.play(thought.move)
    assert link.resets
    link.close()


def test_mip_installs_the_readable_sources_and_the_chip_compiles_them(tmp_path):
    with emulator.Emulator(built(micropython.rp2040_image)) as chip:
        mpremote(chip.port, "mip", "install", str(PACKAGE))
        main = PACKAGE.parent / "picograve_board" / "main.py"
        mpremote(chip.port, "cp", str(main), ":main.py")
        mpremote(chip.port, "reset")
        link = Link(chip.port, SERIAL)
        setting = load("ttt3"), Config("graver2", playouts=60), Budget(nodes=20)
        assert link.hello["stamp"] == "source"
        thought = BoardPlayer(link, *setting).search()
        assert thought.tree_hash == DesktopPlayer(*setting).search().tree_hash
        link.close()


def test_the_firmware_file_holds_everything(tmp_path):
    """What a maker drags onto the board's drive: its blocks are the image that is emulated."""
    file = tmp_path / "picograve.uf2"
    made = picograve("flash", "--board", "pico", "--uf2", str(file))
    assert made.returncode == 0, made.stderr
    blocks = file.read_bytes()
    assert len(blocks) % 512 == 0
    assert blocks[:4] == b"UF2\n"
    code = b"".join(blocks[i + 32 : i + 32 + 256] for i in range(0, len(blocks), 512))
    assert b"picograve_board" in code

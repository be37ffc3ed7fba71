"""What is refused before anything is copied to a board, and what mpremote's failures look like."""

import pytest
from picograve import BadInput
from picograve_host.boards import install, program
from picograve_host.boards import registry as boards
from picograve_host.boards.link import LinkError
from picograve_host.commands import flash


class Options:
    board, port, nodes, bytes, uf2, json = "pico", "/dev/null", None, None, None, True
    game = mhz = None


@pytest.mark.parametrize(
    ("mpy", "complaint"),
    [
        (0, "takes .mpy files of version 0.0, not 6.3"),
        (6 + (1 << 8) + (4 << 10), "takes .mpy files of version 6.1, not 6.3"),
        (6 + (3 << 8) + (7 << 10), "runs armv7emsp code, a pico runs armv6m"),
    ],
)
def test_a_micropython_that_cannot_run_our_code_is_refused(monkeypatch, mpy, complaint):
    monkeypatch.setattr(install, "_mpremote", lambda *_, **__: "%d\n" % mpy)
    with pytest.raises(BadInput) as refused:
        flash.main(Options)
    assert complaint in str(refused.value)


def test_a_port_that_mpremote_cannot_open_is_one_line():
    with pytest.raises(LinkError, match="mpremote cannot reach the board at /dev/nowhere") as error:
        install.chip_at("/dev/nowhere")
    assert "\n" not in str(error.value)


def test_a_stamp_changes_with_the_sources(monkeypatch, tmp_path):
    before = program.stamp()
    assert before == program.stamp()
    (tmp_path / "service.py").write_text("another = 1\n")
    monkeypatch.setattr(program, "SERVICE", tmp_path)
    assert program.stamp() != before


@pytest.mark.parametrize("name", ["pico", "pico2", "esp32", "esp32-s3"])
def test_every_real_board_gets_its_files(name, tmp_path):
    install.build(boards.describe(name), tmp_path)
    built = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.mpy")}
    assert {"main.mpy", "picograve/mcts/tree.mpy", "picograve/games/go.mpy"} <= built
    assert {"picograve_board/service.mpy", "picograve_board/built.mpy"} <= built

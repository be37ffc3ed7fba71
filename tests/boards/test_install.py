"""What a board gets, what is refused before that, and what mpremote's failures look like."""

import pytest
from conftest import needs_gcc
from picograve import BadInput, load
from picograve_host.boards import install, prebuilt, program
from picograve_host.boards import registry as boards
from picograve_host.boards.link import LinkError
from picograve_host.commands import flash
from picograve_host.examples import nim
from picograve_tools import mpy
from picograve_tools.native import module


class Options:
    board, port, nodes, bytes, uf2, json = "pico", "/dev/null", None, None, None, True
    game = mhz = None


@pytest.mark.parametrize(
    ("takes", "complaint"),
    [
        (0, "takes .mpy files of version 0.0, not 6.3"),
        (6 + (1 << 8) + (4 << 10), "takes .mpy files of version 6.1, not 6.3"),
        (6 + (3 << 8) + (7 << 10), "runs armv7emsp code, a pico runs armv6m"),
    ],
)
def test_a_micropython_that_cannot_run_our_code_is_refused(monkeypatch, takes, complaint):
    monkeypatch.setattr(install, "_mpremote", lambda *_, **__: "%d\n" % takes)
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


@needs_gcc
def test_a_program_is_built_once_and_again_when_something_of_it_changes(monkeypatch, tmp_path):
    source = tmp_path / "main_service.py"

    def build(text):
        source.write_text(text)
        return mpy.build("x64", tmp_path, [(source, "board/main_service.py")], mpy.C, whole=True)

    if module.missing_for("x64"):
        pytest.skip(module.missing_for("x64"))
    first = build("print(1)\n")
    monkeypatch.setattr(mpy, "compiled", None)  # nobody calls it
    assert build("print(1)\n") == first
    assert (tmp_path / "picograve/mcts/tree.mpy").read_bytes() == first["picograve/mcts/tree.mpy"]
    monkeypatch.undo()
    second = build("print(2)\n")
    assert {name for name in first if first[name] != second[name]} == {"board/main_service.mpy"}


class TestKernels:
    """Where they come from: compiled here by C, compiled before, compiled here by viper."""

    @pytest.fixture(autouse=True)
    def modules(self, monkeypatch, tmp_path):
        """No C compiler; what came with picograve are files that name their folders."""
        monkeypatch.setattr(module, "missing_for", lambda arch: "no gcc for " + arch)
        monkeypatch.setattr(prebuilt, "MODULES", tmp_path / "modules")
        monkeypatch.delenv(install.COMPILER, raising=False)
        for folder, names in (("armv6m", ("go", "hex")), ("armv6m-go9", ("go",))):
            for name in names:
                file = tmp_path / "modules" / folder / "picograve_board" / (name + ".mpy")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(folder)
        (tmp_path / "modules" / "stamp").write_text(program.stamp())
        return tmp_path / "modules"

    def told(self, name="pico", **more):
        return str(install.kernels_of(dict(boards.describe(name), **more)))

    def test_are_compiled_by_c_where_there_is_a_compiler_and_none_came_along(
        self, modules, monkeypatch
    ):
        monkeypatch.setattr(module, "missing_for", lambda arch: None)
        (modules / "stamp").write_text("01234567")
        assert self.told() == "by c, compiled here"

    def test_came_along(self, tmp_path):
        assert self.told() == "by c, as it came with picograve"
        install.build(boards.describe("pico"), tmp_path / "lib")
        assert (tmp_path / "lib/picograve_board/go.mpy").read_text() == "armv6m"
        assert program.stamp().encode() in (tmp_path / "lib/picograve_board/built.mpy").read_bytes()

    def test_came_along_for_one_size_too(self, tmp_path):
        install.build(dict(boards.describe("pico"), only="go9"), tmp_path / "lib")
        assert (tmp_path / "lib/picograve_board/go.mpy").read_text() == "armv6m-go9"
        assert (tmp_path / "lib/picograve_board/hex.mpy").read_text() == "armv6m"

    def test_are_vipers_where_what_came_along_is_of_other_sources(self, modules):
        (modules / "stamp").write_text("01234567")
        assert self.told().startswith("by viper, which is slower than C: no gcc for armv6m;")
        assert "of other sources" in self.told()

    def test_are_vipers_with_a_game_of_ones_own(self):
        game = load(nim.__file__)
        assert self.told(game=game).endswith(
            "nim.py is not among the modules that came with picograve"
        )

    def test_are_vipers_for_a_size_that_did_not_come_along(self):
        assert "by viper" in self.told(only="hex11")
        assert "hex11 alone is not among" in self.told(only="hex11")

    def test_are_vipers_for_a_chip_that_c_is_not_for(self):
        assert self.told("esp32").startswith("by viper")

    def test_are_what_the_environment_chooses(self, monkeypatch):
        monkeypatch.setenv(install.COMPILER, "viper")
        assert self.told() == "by viper, compiled here"

    def test_are_refused_where_the_environment_chooses_what_cannot_be(self, monkeypatch):
        monkeypatch.setenv(install.COMPILER, "c")
        with pytest.raises(BadInput, match="esp32 cannot have kernels by C: no gcc for xtensawin"):
            self.told("esp32")

    def test_are_not_made_before_without_a_compiler_and_the_build_says_so(self, tmp_path):
        said = []
        prebuilt.make(tmp_path / "made", said.append)
        assert "no modules for armv6m: no gcc for armv6m" in said
        assert [path.name for path in (tmp_path / "made").iterdir()] == ["stamp"]

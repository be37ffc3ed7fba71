"""tools/compare.py: the cores of two checkouts side by side."""

import shutil

import pytest
from picograve.errors import BadInput
from picograve_tools import compare

JOB = ("ttt3", "B2", "grave", 40, dict(playouts=60))


@pytest.fixture
def other(tmp_path):
    """A second checkout, the same so far."""
    copy = tmp_path / "other"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(compare.HERE / "shared", copy / "shared", ignore=ignored)
    return copy


@pytest.fixture(autouse=True)
def one_search(monkeypatch):
    """Of the hundreds, on the runtime that compiles nothing."""
    monkeypatch.setattr(compare, "TREES", {"cpython": ((), 0, 0)})
    monkeypatch.setattr(compare, "jobs_of", lambda *_: [JOB])


def test_a_checkout_grows_the_same_trees_as_its_copy(other, capsys):
    assert compare.main([str(other), "--hashes"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cpython: 1 searches, 0 refused by both, 0 differ",
        "cpython: +0 to +0 bytes a search",
    ]


def test_a_changed_constant_is_seen_and_the_search_named(other, capsys):
    grave = other / "shared/picograve/mcts/select/grave.py"
    text = grave.read_text()
    changed = text.replace("bias * (a + v) + a * v)", "bias * (a + v) + 9 * a * v)")
    assert changed != text
    grave.write_text(changed)
    assert compare.main([str(other), "--hashes"]) == 1
    out = capsys.readouterr().out
    assert "grave on ttt3 B2 nodes=40 playouts=60, move 1: " in out
    assert "tree_hash" in out


def test_what_is_no_checkout_is_said_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="name a checkout of picograve"):
        compare.main([str(tmp_path), "--hashes"])

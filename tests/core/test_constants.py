"""viper folds a constant only in the file that defines it, so files repeat some of others. A
comment says of which: `_NONE = const(65535)  # = picograve.mcts.tree._NONE`.
"""

import importlib
import re
from pathlib import Path

import picograve
import pytest

TOP = Path(__file__).parents[2]
CORE = Path(picograve.__file__).parent
ROOTS = (CORE, TOP / "host", TOP / "firmware", TOP / "tests" / "support")
REPEATS = re.compile(r"^(\w+) = (?:const\()?([^()#]+?)\)?  # = ([\w.]+)\.(\w+)", re.MULTILINE)


def repeats():
    for root in ROOTS:
        for path in sorted(root.rglob("*.py")):
            for name, value, module, original in REPEATS.findall(path.read_text()):
                yield "%s in %s" % (name, path.name), value, module, original


@pytest.mark.parametrize(
    ("value", "module", "original"),
    [row[1:] for row in repeats()],
    ids=[row[0] for row in repeats()],
)
def test_a_repeated_constant_is_equal_to_its_original(value, module, original):
    assert int(value) == getattr(importlib.import_module(module), original)


def test_repeats_are_found():
    assert len(list(repeats())) > 100


# The files whose constants others repeat.
ORIGINALS = (
    "games/__init__.py", "mcts/playout/__init__.py", "mcts/playout/uniform.py", "mcts/search.py",
    "mcts/select/ucb.py", "mcts/tree.py", "value.py",
)  # fmt: skip
CONSTANT = re.compile(r"^_?([A-Z]\w*) = (?:const\()?(\d+)\)?(?:  #(?! = ).*)?$", re.MULTILINE)
# These have buffers and codes of their own, by the same name at the same place.
BY_CHANCE = {
    ("episodes.py", "CONTROL"), ("episodes.py", "RNG"), ("lookahead.py", "CONTROL"),
    ("crossing.py", "CODES"), ("bonus.py", "LIMIT"), ("switching.py", "LIMIT"),
}  # fmt: skip


def test_a_constant_that_has_an_original_says_so():
    originals = {row for file in ORIGINALS for row in CONSTANT.findall((CORE / file).read_text())}
    assert {("COPY", "0"), ("TABLE", "0"), ("SWITCHING", "4"), ("SECOND", "32768")} <= originals
    for root in ROOTS:
        for path in root.rglob("*.py"):
            if path not in [CORE / file for file in ORIGINALS]:
                silent = set(CONSTANT.findall(path.read_text())) & originals
                assert {(path.name, name) for name, _ in silent} <= BY_CHANCE, path


def test_no_original_repeats_another_without_saying_so():
    owners: dict = {}
    for file in ORIGINALS:
        for row in CONSTANT.findall((CORE / file).read_text()):
            owners.setdefault(row, []).append(file)
    assert {row: files for row, files in owners.items() if len(set(files)) > 1} == {}

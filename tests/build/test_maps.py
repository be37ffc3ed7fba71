"""Each package has a map: its __init__ names every module and folder in it."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSES = ("shared/picograve", "firmware/picograve_board", "host/picograve_host", "tools", "tests")
ITS_OWN_MAP = "shared/picograve/games"  # a game is a file and no line elsewhere
MOST = 15  # modules in a folder: about a dozen


def packages():
    for house in HOUSES:
        for file in sorted((ROOT / house).rglob("__init__.py")):
            package = str(file.parent.relative_to(ROOT))
            if package != ITS_OWN_MAP:
                yield package


def modules_of(folder):
    return [path for path in folder.glob("*.py") if not path.name.startswith("__")]


def rooms_of(folder):
    """Names of the modules and packages in a folder."""
    inner = [path for path in folder.iterdir() if (path / "__init__.py").exists()]
    return sorted(path.stem for path in modules_of(folder) + inner)


def is_named(room, text):
    """In the docstring; or in a table, as picograve.mcts.reward.outcome is."""
    docstring = ast.get_docstring(ast.parse(text)) or ""
    return re.search(r"\b%s\b" % room, docstring) or re.search(r"picograve\S*\.%s\b" % room, text)


@pytest.mark.parametrize("package", list(packages()))
def test_a_package_names_what_is_in_it(package):
    text = (ROOT / package / "__init__.py").read_text()
    assert [room for room in rooms_of(ROOT / package) if not is_named(room, text)] == []


def test_no_folder_is_crowded():
    folders = {path.parent for house in HOUSES for path in (ROOT / house).rglob("*.py")}
    counts = {str(folder.relative_to(ROOT)): len(modules_of(folder)) for folder in folders}
    assert {folder: count for folder, count in counts.items() if count > MOST} == {}

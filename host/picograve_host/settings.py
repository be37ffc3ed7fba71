"""The settings table as the host reads it: picograve/settings.py with its comments.

The file is read, not imported as part of the core, because the command line, which follows from
it, chooses the core's runtime. The sizes of a budget (picograve.Budget) stand beside the settings
on the command line and in experiment files, and so they do here.
"""

import runpy
from collections import namedtuple
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from picograve import Config
    from picograve.protocols import Game

PREFACE = """\
# Settings of searches

For everyone who sets one. Made from [`settings.py`](picograve/settings.py), which lists each once.

On the command line a setting is an option, in an experiment file a key (`rave_k = 500`; `lambda`
for `share`), in Python an argument of `picograve.Config` (`rave_k=500`). A setting that the search
does not use is refused. The last columns are the defaults of the presets.
"""
STUB = """\
\"\"\"settings.py for type checkers; made from it by `python -m picograve_host.settings`.\"\"\"

from typing import Any, TypedDict

SETTINGS: tuple[Any, ...]
PRESETS: dict[str, dict[str, Any]]
VARIANTS: dict[str, dict[str, Any]]

def described() -> dict[str, tuple[str, str]]: ...

class Settings(TypedDict, total=False):
    \"\"\"What picograve.Config takes besides a search and a preset.\"\"\"

"""


class Setting(namedtuple("Setting", ("name", "default", "takes", "users", "text"))):
    """A row of the table. `default` is the paper's, `takes` the least and the most of a number
    or, of a text, its choices."""

    @property
    def spoken(self) -> str:
        """Its name for users: Python keeps `lambda` for itself."""
        return "lambda" if self.name == "share" else self.name

    @property
    def kind(self) -> type:
        """The type of its values."""
        return int if self.default is None else type(self.default)

    @property
    def options(self) -> str:
        """On the command line."""
        word = self.spoken.replace("_", "-")
        return "`--%s`, `--no-%s`" % (word, word) if self.kind is bool else "`--%s`" % word

    @property
    def range(self) -> str:
        """What it takes, in words; may be empty."""
        if self.kind in (int, float) and self.default is not None:
            return "%s to %s" % tuple(round(limit, 4) for limit in self.takes)
        return " or ".join(self.takes) if self.kind is str else ""

    def default_in(self, preset: str) -> Any:
        """Its value in a preset, numbers to four decimals, which is all that counts."""
        value = PRESETS[preset].get(self.name, self.default)
        return round(value, 4) if isinstance(value, float) else value

    def help(self, preset: str) -> str:
        """All that the table says, in a line."""
        default = self.default_in(preset)
        notes = [self.range, "" if default is None else "default %s" % default]
        said = "; ".join(note for note in notes if note)
        return "%s: %s%s" % (self.users, self.text, " (%s)" % said if said else "")


def _read():
    """The rows and the presets of the core's file, and the folder of the core."""
    core: Any = find_spec("picograve")
    file = Path(core.submodule_search_locations[0]) / "settings.py"
    table = runpy.run_path(str(file))
    said = table["described"]()
    rows = []
    for name, default, least, most in zip(*[iter(table["SETTINGS"])] * 4, strict=True):
        takes = (least or "").split() if isinstance(default, str) else (least, most)
        rows.append(Setting(name, default, tuple(takes), *said[name]))
    return rows, table["PRESETS"], file.parents[1]


SETTINGS, PRESETS, SHARED = _read()
SIZES = (
    Setting("nodes", None, (), "any search", "nodes of its tree, entries of its table"),
    Setting("bytes", None, (), "any search", "instead of nodes: bytes of everything"),
    Setting("tables", None, (), "searches with AMAF", "AMAF tables, if fewer than the nodes"),
)


def first_unused(game: "Game", config: "Config", given: Iterable[str]) -> Setting | None:
    """The first setting or size among the names `given` that a search does not use, or None."""
    from picograve.mcts.playout import policies_of  # loads the core: see above

    policies = policies_of(game, config.playout_policy) if config.has_tree else ()
    for setting in (*SIZES, *SETTINGS):
        if setting.name not in given:
            continue
        if setting in SIZES:
            used = setting.name != "tables" or config.has_many_tables
        else:
            used = config.uses(setting.name, policies)
        if not used:
            return setting
    return None


def page() -> str:
    """shared/SETTINGS.md: the table for readers."""
    lines = [
        PREFACE,
        "| setting | option | for | what it is | takes | %s |" % " | ".join(PRESETS),
        "|" + (5 + len(PRESETS)) * "---|",
    ]
    for row in SETTINGS:
        defaults = [row.default_in(preset) for preset in PRESETS]
        cells = ["`%s`" % row.name, row.options, row.users, row.text, row.range, *defaults]
        lines.append("| %s |" % " | ".join("" if cell is None else str(cell) for cell in cells))
    return "\n".join(lines) + "\n"


def stub() -> str:
    """shared/picograve/settings.pyi."""
    return STUB + "".join("    %s: %s | None\n" % (row.name, row.kind.__name__) for row in SETTINGS)


FILES = {"SETTINGS.md": page, "picograve/settings.pyi": stub}  # in shared/, made from the table

if __name__ == "__main__":
    for name, make in FILES.items():
        (SHARED / name).write_text(make(), "utf-8")

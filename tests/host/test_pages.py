"""The pages: their links lead somewhere, their commands parse, what the README shows runs.

A command with a placeholder (a word in capitals such as DIR or NAME.toml, or dots) is a form
and not a command: it is left out. So is what needs a real board: those are parsed only.
"""

import re
import shlex
from array import array
from functools import cache
from pathlib import Path

import pytest
from picograve import rng
from picograve_host import cli
from picograve_host.boards import registry
from picograve_host.cli.options import game_of, player_of
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import shipped

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "boards/README.md",
    "firmware/README.md",
    "firmware/PROTOCOL.md",
    "shared/README.md",
    "shared/SETTINGS.md",
    "host/README.md",
    "host/results/README.md",
    "tools/README.md",
    "tests/README.md",
]
MOST_LINES = 180
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FORM = re.compile(r"[A-Z]+(\.\w+)?|.*\.\.\..*")
# What a command gets besides, so that it runs in seconds: the last of two options counts.
CHEAP = {
    "match": "--game ttt3 --board-nodes 40 --board-playouts 20 --opponent-playouts 20",
    "lab": "--games 2 --scale 0.01",
}


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, *languages):
    return [text for language, text in FENCE.findall(text_of(page)) if language in languages]


@cache
def commands(page):
    """Every `picograve` command of a page, in its blocks and in its lines, without that word."""
    lines = "".join(blocks(page, "sh", "console")).splitlines()
    found = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines]
    spans = re.findall(r"`(picograve [^`]+)`", FENCE.sub("", text_of(page)))
    found += [span.split() for span in spans]
    return [tuple(words[1:]) for words in found if words[:1] == ["picograve"]]


def outputs(page):
    """{command: the lines of its output that a page shows}; dots stand for lines left out."""
    shown = {}
    for text in blocks(page, "console"):
        for part in ("\n" + text).split("\n$ ")[1:]:
            command, *lines = part.splitlines()
            words = shlex.split(command, comments=True)
            shown[tuple(words[1:])] = [line for line in lines if line != "..."]
    return shown


def is_form(words):
    return any(FORM.fullmatch(word) for word in words)


def complete_commands():
    return [(page, words) for page in PAGES for words in commands(page) if not is_form(words)]


def needs_a_real_board(words):
    return any(word in registry.names() and "runs" not in registry.describe(word) for word in words)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    here = (ROOT / page).parent
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (here / path).resolve() if path else ROOT / page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(target.relative_to(ROOT)), link


def test_every_page_is_known_here():
    tracked = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("[!.]*/README.md")}
    assert tracked | {"host/results/README.md"} <= set(PAGES)


def test_every_recorded_result_is_linked_from_the_results_page():
    page = text_of("host/results/README.md")
    recorded = sorted(path.parent.name for path in ROOT.glob("host/results/*/report.md"))
    assert recorded
    assert [name for name in recorded if "(%s/report.md)" % name not in page] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_in_its_first_line_whom_it_is_for(page):
    first = text_of(page).splitlines()[2]
    assert first.startswith("For "), first


def test_the_readme_is_short_and_has_two_commands_to_set_up():
    assert len(text_of("README.md").splitlines()) <= MOST_LINES
    lines = "".join(blocks("README.md", "sh")).splitlines()
    assert [shlex.split(line, comments=True) for line in lines] == [
        ["make", "match"],
        ["make", "test"],
    ]


def test_every_make_target_of_the_pages_exists():
    makefile = text_of("Makefile")
    used = {
        name for page in PAGES for name in re.findall(r"(?:`|^)make ([a-z-]+)", text_of(page), re.M)
    }
    assert {"match", "test"} <= used
    assert [name for name in sorted(used) if not re.search("^%s:" % name, makefile, re.M)] == []


@pytest.mark.parametrize(
    "page, words", complete_commands(), ids=lambda part: part if isinstance(part, str) else None
)
def test_every_command_is_understood(page, words):
    if words == ("lab",):
        return  # the name of a group of commands
    options = cli.make_parser().parse_args(words)
    if getattr(options, "experiment", None):
        assert options.experiment in shipped()
    if options.command == "play":
        return  # a page asks for the same, and its choices refuse it
    for prefix in ("", "board_", "opponent_"):
        if ":" not in getattr(options, prefix + "search", ":"):  # another program has one
            player_of(options, game_of(options), prefix)  # refuses what its search does not use


def test_the_commands_of_the_readme_run_one_after_the_other(
    tmp_path, monkeypatch, capsys, unix_port
):
    monkeypatch.chdir(tmp_path)
    known = [words for words in commands("README.md") if not is_form(words)]
    run = [words for words in known if not needs_a_real_board(words)]
    shown = outputs("README.md")
    for words in run:
        assert cli.main([*words, *CHEAP.get(words[0], "").split()]) == 0, words
        said = capsys.readouterr().out.splitlines()
        assert said, words
        assert [line for line in shown.get(words, ()) if line not in said] == []
    assert {words[0] for words in run} >= {"think", "budget", "match", "lab", "boards"}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python_examples_run(page, capsys):
    for text in blocks(page, "python"):
        exec(compile(text, page, "exec"), {"__name__": "example"})


def test_the_recipe_of_random_numbers_is_that_of_the_core():
    names = {}
    (recipe,) = blocks("shared/README.md", "python")
    exec(recipe, names)
    numbers = array("i", [0, 0])
    rng.start(numbers, 7)
    z, w = numbers
    for n in range(1, 1000):
        z, w, number = names["draw"](z, w, n)
        assert number == rng.draw(numbers, n)
        assert [z, w] == list(numbers)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "toml")])
def test_experiments_of_the_pages_can_be_read(page, tmp_path):
    for text in blocks(page, "toml"):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        assert Experiment(str(path)).points

"""The command picograve, as a user calls it: its JSON, its text, its refusals."""

import json
import subprocess
import sys

import pytest
import searches_of
from picograve import SEARCHES
from picograve_host.cli import main

THINK_KEYS = {
    "move", "visits", "value", "playouts", "nodes_used", "nodes_recycled", "bytes", "tree_hash",
    "seconds", "runtime",
}  # fmt: skip


def picograve(*arguments):
    command = [sys.executable, "-c", "import picograve_host.cli as c; raise SystemExit(c.main())"]
    return subprocess.run([*command, *arguments], capture_output=True, text=True)


def answer(*arguments):
    finished = picograve(*arguments, "--json")
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_think_reports_what_is_promised():
    setting = "--search graver --preset paper --nodes 50 --playouts 400"
    report = answer("think", *setting.split())
    assert report.keys() >= THINK_KEYS
    assert (report["playouts"], report["nodes_used"], report["runtime"]) == (400, 50, "numba")
    assert report["nodes_recycled"] == 350
    assert report["move"] == max(report["visits"], key=report["visits"].get)


def test_think_is_the_same_on_every_runtime():
    setting = ("think", "--game", "go5", "--moves", "C3 pass c4", "--playouts", "200")
    first, *others = (answer(*setting, "--runtime", runtime) for runtime in searches_of.DESKTOP)
    for report in (first, *others):
        del report["seconds"], report["microseconds"], report["runtime"]
    assert others == [first] * len(others)


def test_think_takes_every_setting():
    report = answer(
        *"think --game go9 --search graver2 --preset paper --nodes 60 --playouts-top 50 "
        "--playouts-second 20 --lambda 0.3 --playout-policy mast --epsilon 0.9 --decay 0.5 "
        "--bias 0.05 --ref 10 --explore 16 --recycling top --table-after 2 --tables 30 "
        "--early-after 5 --early-margin 0.3 --no-sharing --reuse --komi 5.5 --seed 9".split()
    )
    assert report["playouts"] + report["playouts_saved"] == 1000


@pytest.mark.parametrize(
    "command",
    [
        "think --game ttt3 --playouts 50",
        "think --game hex11 --nodes 80 --playouts 50 --runtime sim",
        "budget --game go13 --search graver2 --bytes 200000",
        "match --game ttt3 --games 2 --board-playouts 20 --opponent-playouts 20",
        "boards",
        "lab list",
    ],
)
def test_what_is_printed_fits_80_columns(command, capsys):
    assert main(command.split()) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if len(line) > 80] == []


def test_think_shows_the_board_and_the_move():
    finished = picograve("think", "--game", "ttt3", "--moves", "B2", "--playouts", "50")
    board, _, rest = finished.stdout.partition("O plays ")
    assert (board.count("X"), board.count("O")) == (1, 1)
    assert rest


def test_budget_lists_the_buffers_and_their_sum():
    report = answer("budget", "--search", "graver2", "--nodes", "160", "--preset", "paper")
    assert report["total_bytes"] == sum(row["bytes"] for row in report["buffers"])
    assert (report["nodes"], report["amaf_tables"]) == (160, 160)
    amaf = next(row for row in report["buffers"] if row["name"] == "amaf")
    assert amaf == dict(name="amaf", type="int32", count=160 * 164, bytes=160 * 656)
    again = "budget --search graver2 --preset paper --bytes %d" % report["total_bytes"]
    again = answer(*again.split())
    assert again["nodes"] == 160


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_has_a_ledger(search):
    report = answer("budget", "--game", "ttt4", "--search", search)
    assert report["total_bytes"] == sum(row["bytes"] for row in report["buffers"]) > 0


@pytest.mark.parametrize(
    "arguments,hint",
    [
        ("think --game shogi", "no game called shogi"),
        ("think --game go99", "5 to 13"),
        ("think --game GO9", "no game called GO9"),
        ("think --game go9x", "no game called go9x"),
        ("think --game ttt2", "3 to 10"),
        ("think --game ttt3 --komi 5", "komi"),
        ("think --search alpha", "no search called alpha"),
        ("think --preset mine", "no preset called mine"),
        ("think --moves Z9", "Z9 is no move"),
        ("think --moves E5_E5", "E5 is not legal"),
        ("think --moves pass_pass", "the game is over"),
        ("think --game ttt3 --moves A1_B1_A2_B2_A3", "the game is over"),
        ("think --bytes -1", "holds nothing"),
        ("think --bytes 1000", "at least"),
        ("think --nodes 1", "2 to 32766"),
        ("think --nodes 10 --bytes 10", "not allowed with"),
        ("think --nodes ten", "invalid int"),
        ("think --lambda 0", "lambda must be 0.0001 to 0.9999, not 0.0"),
        ("think --lambda 1", "lambda must be 0.0001 to 0.9999, not 1.0"),
        ("think --lambda nan", "lambda must be 0.0001 to 0.9999, not nan"),
        ("think --playouts 0", "playouts must be 1 to 1073741823, not 0"),
        ("think --playouts 5 --playouts-top 5", "not both"),
        ("think --search grave --playouts-second 5", "one level"),
        (
            "think --search graver2 --playouts-top 99999 --playouts-second 99999",
            "1073741823 playouts at most",
        ),
        ("think --playout-policy best", "one of uniform, mast"),
        ("think --epsilon 2", "epsilon must be 0 to 1"),
        ("think --bias 0", "bias must be"),
        ("think --exploration 5", "exploration must be"),
        ("think --search uct --bias 0.1", "uct does not use --bias, which is for GRAVE"),
        ("think --epsilon 0.1", "--epsilon, which is for playout policy mast"),
        ("budget --search graver --no-sharing", "graver does not use --sharing"),
        ("gtp --search graver --recycling top", "recycling with two levels"),
        ("match --board-search uct --board-tables 9", "uct does not use --board-tables"),
        ("match --opponent-rave-k 9", "grave does not use --opponent-rave-k"),
        ("think --seed -1", "a seed is 0"),
        ("think --komi 5.25", "multiple of 0.5"),
        ("think --komi nan", "multiple of 0.5"),
        ("think --game ttt3 --search policy --bytes 10", "policy on ttt3 needs at least"),
        ("think --game ttt3 --search policy --nodes 5", "policy has no tree"),
        ("think --game hex5 --search policy --playout-policy E+Mp", "not E+Mp"),
        ("think --runtime java", "no board or port called java"),
        ("budget --bytes 100", "at least"),
        ("think --runtime pico", "no pico is plugged in"),
        ("think --runtime sim --search grave --preset paper --nodes 1000", "sim has"),
        ("match --board pico --board-nodes 5000", "pico has"),
        ("match --seconds-per-move 0", "--seconds-per-move: must be 0.001 to 86400, not 0.0"),
        ("match --seconds-per-move nan", "--seconds-per-move: must be 0.001"),
        ("flash", "give --board NAME or --port PORT"),
        ("flash --board sim", "it is installed whenever it starts"),
        ("flash --board toaster", "no board called toaster"),
        ("flash --board esp32", "no esp32 is plugged in"),
        ("gtp --game ttt3 --swap", "Tic-tac-toe has no option swap"),
        ("match --games 0", "--games: must be 1 to 1000000, not 0"),
        ("think --game go%s" % (5000 * "9"), "Go comes in sizes"),
        ("think --game ttt3 --moves=--", "-- is no value"),
        ("think --seed %s" % (5000 * "9"), "invalid int value: 999"),
        ("think --moves %s" % (20000 * "x"), "more than 10000 letters"),
        ("think --game \x1b[2J", "?[2J has control characters"),
        ("match --games %d" % 10**30, "--games: invalid int value: 1000"),
        ("bench --rounds %d" % 10**29, "--rounds: must be 1 to 1000"),
        ("lab run self --workers %d" % 10**29, "--workers: must be 1 to 1000"),
        ("lab run table1 --sprt=nan,nan", "--sprt takes two numbers"),
        ("lab run table1 --sprt=-inf,inf", "--sprt takes two numbers"),
        ("lab run table1 --scale nan", "--scale must be"),
        ("think --mhz -1", "--mhz: must be"),
        ("match --opponent nobody", "no search called nobody"),
        ("match --game ttt3 --out /dev/null/here", "cannot write to --out"),
        ("bench --rounds 0", "--rounds: must be 1 to 1000, not 0"),
        ("", "required"),
        ("dance", "invalid choice"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, hint, capsys):
    words = [word.replace("_", " ") for word in arguments.split()]
    try:
        code = main(words)
    except SystemExit as stop:  # argparse's own
        code = stop.code
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1, printed.err
    assert hint in printed.err

"""Experiments that show what a byte buys in strength.

experiments/  the files that ship
plan/         from a TOML file to points, each a match of two players
play/         from points to games: workers, store, progress
record/       games that last: as text, from several machines, and which code played them
report/       from games to tables, plots and pages
"""

"""Experiments that show what a byte buys in strength.

experiments/  the files that ship
plan/         from a TOML file to points, each a match of two players
play/         from points to games: workers, store, progress
report/       from games to tables, plots and pages
"""

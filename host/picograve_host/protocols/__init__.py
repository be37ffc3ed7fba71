"""Protocols of the world outside: gtp.py and analysis.py, each game's conventions in habits.py."""

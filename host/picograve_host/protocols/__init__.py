"""Protocols of the world outside: gtp.py, with each game's conventions in habits.py."""

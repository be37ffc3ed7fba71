"""Protocols of the world outside: gtp.py and analysis.py, each game's conventions in habits.py;
uci.py, for chess; lines.py, by which both read ahead."""

"""A match: game.py plays one game, records.py writes it down, footprint.py draws its memory."""

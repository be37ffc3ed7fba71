"""Games that last: from session to session, from machine to machine.

fingerprint.py  tells whether the code that played a game is still the same
digest.py       tells one game from another when its moves are gone
text.py         games as plain text, a line each
merge.py        games from several places in one store
vouch.py        plays one game again, for those that do not say which code played them
"""

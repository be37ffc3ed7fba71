"""From points to games.

games.py     plays one: a pure function
runner.py    all that are missing
rounds.py    ... of a tuning, round by round
order.py     which point comes next
workers.py   ... on processes of this machine or of a cluster
sums.py      what the searches of a game amount to
records.py   what is kept of a game, and what it may be
store.py     keeps the games
rescue.py    what can be saved of a damaged store
progress.py  shows how it stands
"""

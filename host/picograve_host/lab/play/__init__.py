"""From points to games.

games.py     plays one: a pure function
runner.py    all that are missing
rounds.py    ... of a tuning, round by round
workers.py   ... on processes of this machine or of a cluster
sums.py      what the searches of a game amount to
store.py     keeps the games
progress.py  shows how it stands
"""

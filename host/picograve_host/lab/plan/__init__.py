"""From a file to points: source.py reads and checks it, experiment.py makes points of it,
resolve.py leaves nothing of a player open; checks.py reads what a paper claims, tuning.py draws
what `lab tune` tries."""

"""From games to a page.

table.py       counts: one row per point
tournament.py  ... one row per player, for round robins
claims.py      ... what the paper says of these, confirmed or refuted
evidence.py    ... beside all that was recorded, on one page
reported.py    what the searches report, figure by figure
report.py      gathers all that, and writes it
results.py     ... the results on the page
status.py      what is still lacking, and what it will take
tuned.py       what a tuning tried, and what it found
page.py        a page as blocks, in Markdown and HTML
plots.py       draws win rates
outcomes.py    ... wins, draws and losses apart
heatmap.py     ... who won against whom
choices.py     ... the playout policies chosen
"""

"""Monte-Carlo Tree Search in fixed memory.

search.py    one playout: descent, playout, backup; levels and slices. Start reading here.
tree.py      nodes and AMAF tables in pools: adding, recycling, backup, hash
lean.py      tables for the nodes that are visited most
sweep.py     recycling without links
means.py     the child with the best mean
pool.py      the pool of nodes as a picture, for who watches
searcher.py  the Python face: buffers of a ledger, settings, results
parts.py     which files of the folders below a search is made of
select/      choice of a move in the tree; one file each, listed in its table
playout/     what a playout follows; one file each, listed in its table
reward/      what a playout is worth; one file each, listed in its table
root/        choice of a move at the root; one file each, listed in its table
backup/      how a playout counts in the nodes, if not plainly; listed in its table
"""

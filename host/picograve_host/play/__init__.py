"""A page to play on, and to watch a search within its bytes: `picograve play`, `match --watch` and
`lab watch`.

choices.py   what a page may ask for, and nothing else: games, opponents, sizes
room.py      the game under way: who moves, clocks, undo, hints; one thread does all of it
watching.py  what a search shows while it thinks, at a bounded cost
pool.py      the pool of nodes, as pages get it
shapes.py    a position as the page draws it: a board of some shape, or its text
files.py     a game as SGF, PGN, plain moves; the memory log
connections.py  cuts connections that cost without asking anything
guard.py     who may talk to the server, how much and how often
pairing.py   what a match asks for instead of choices.py: its next game
server.py    HTTP and WebSocket: pages on one side, the room on the other
serving.py   from a command to a page in the browser
lab.py       a run of the lab as it grows, instead of a game
page/        what the browser loads: plain modules, no build step

A page and the server send each other JSON objects, one WebSocket for each page: server.py lists
them. To add something to do, add a method `_do_NAME` to Room and a button to the page.
"""

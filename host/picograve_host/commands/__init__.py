"""What a user types: one file for each command, each with a function main(options).

think.py       one search from a position
budget.py      the ledger of a search
match.py       games between two players
play.py        a page to play on, or the terminal
gtp.py         an engine for other programs
uci.py         ... of chess
check_game.py  does a game keep to the contract?
boards.py      what is plugged in
flash.py       installs picograve on a board
doctor.py      what works here, and what each gap costs
bench.py       playouts per second
completion.py  makes a shell complete picograve's words
lab/           experiments
"""

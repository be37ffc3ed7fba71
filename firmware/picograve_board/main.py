"""Starts the service when the board boots. Ctrl-C ends it and gives the REPL."""

from picograve_board.service import main

main()

"""What things cost.

desktop.py  playouts per second on this machine, beside C and OpenSpiel
boards.py   ... on boards
builds.py   one playout in several builds of the core, from bytecode to C written by hand
harness.py  what the lab itself costs
"""

"""Ends and middles of a serial line.

noisy.py     damages what it carries
stranger.py  a board's end that anything may sit at
wire.py      no line at all: host and board in one process, quickly
"""

"""Builds and measurements; README.md here says more.

micropython.py       MicroPython's unix port and the Pico's firmware
emulator/            a Pico that runs on this machine
qemu/                other chips that do
mpy.py               the core, compiled for chips
kernels/             ... made fast before
native/              ... through C
cache.py             where built and downloaded things are kept
console.py           the terminal: progress while something runs
debian.py            files from Debian's archive
measure_ram.py       what code takes of a board's heap
measure_download.py  what pip downloads for a wheel
compare.py           the trees and speeds of two checkouts
draw_shapes.py       the shapes that Go knows
bench_binding.py     what it costs that one search serves many games
picture_bytes.py     the README's picture
"""

"""Kernels through C: translated by a build step, compiled by GCC, the source stays Python.

translate.py  kernels -> C, for every target alike
module.py     MicroPython's native modules, for chips with stock firmware
firmware.py   a module of a firmware, whose code stays in flash
desktop.py    the runtime `c`: a shared library for each file, built once and kept
yardstick.py  C written by hand as a native module, to measure ours against
"""

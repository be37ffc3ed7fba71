"""Kernels as builds translate them: what is compared with the kernels as written.

random_kernels.py   makes kernels up
random_c.py         runs them as C and on CPython
pointer_machine.py  runs a kernel with viper's pointers on CPython
"""

"""Skirmishes: who referees the kernels of picograve/games/urts.py.

model.py    the rules once more, slowly
battles.py  kernels beside the model, and figures of battles
"""

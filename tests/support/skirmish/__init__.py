"""Combat games: who referees the kernels of picograve/games/urts.py and cotg.py.

model.py    the rules of urts once more, slowly
battles.py  its kernels beside the model, and figures of battles
fleets.py   the rules of cotg once more, slowly, beside its kernels
"""

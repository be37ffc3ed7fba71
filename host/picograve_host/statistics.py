"""Win rates with their uncertainty."""

from math import sqrt

Z_95 = 1.959964  # standard normal quantile of 0.975


def agresti_coull(points, games):
    """(centre, half width) of the 95 % interval for `points` won in `games` (draws: half).

    A. Agresti, B. A. Coull, "Approximate is better than exact", 1998, as in the GRAVE paper.
    """
    n = games + Z_95**2
    centre = (points + Z_95**2 / 2) / n
    return centre, Z_95 * sqrt(centre * (1 - centre) / n)

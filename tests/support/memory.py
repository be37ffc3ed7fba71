"""Whether memory is flat: samples of it, and a line through them.

Flat is a line that, the first tenth of the samples left out, rises by no more than NOISE of their
mean in all, or by less than twice its own standard error.
"""

import math
from pathlib import Path

NOISE = 0.02  # share of the mean


def kilobytes(process="self"):
    """Of a process, in RAM."""
    text = Path("/proc/%s/status" % process).read_text()
    return int(text.partition("VmRSS:")[2].split()[0])


def line_through(samples):
    """(rise in all, its standard error, mean) of a line through these numbers."""
    count = len(samples)
    mean, middle = sum(samples) / count, (count - 1) / 2
    spread = sum((n - middle) ** 2 for n in range(count))
    slope = sum((n - middle) * (y - mean) for n, y in enumerate(samples)) / spread
    left = sum((y - mean - slope * (n - middle)) ** 2 for n, y in enumerate(samples))
    error = math.sqrt(left / max(1, count - 2) / spread)
    return slope * count, error * count, mean


def is_flat(name, samples, unit):
    """Say how a series of samples rises; whether that is noise."""
    samples = samples[len(samples) // 10 :]
    if len(samples) < 10:
        print("%-12s too few samples: %d" % (name, len(samples)))
        return True
    rise, error, mean = line_through(samples)
    flat = rise <= NOISE * mean or rise < 2 * error
    what = (name, rise, error, mean, unit, len(samples), "flat" if flat else "IT GROWS")
    print("%-12s rises by %.0f (+- %.0f) of %.0f %s in %d samples: %s" % what)
    return flat

"""How slow this machine is just now: limits of time in tests follow it.

A limit that no good test reaches is generous by itself (LONG). One that a test waits for, because
something stays silent, is short on a quick machine and grows with SLOWNESS on a busy one.
"""

import time

LONG = 600  # seconds: whatever takes as long is stuck, also on a machine that is ten times slower
REFERENCE = 0.025  # seconds of the loop below on an idle core of the machines this was written on


def _measured():
    began = time.perf_counter()
    total = 0
    for number in range(500_000):
        total += number
    return time.perf_counter() - began


SLOWNESS = max(1.0, max(_measured() for _ in range(3)) / REFERENCE)

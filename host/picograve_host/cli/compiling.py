"""Says that Numba compiles kernels: a machine's first search is silent for a while.

Numba reports each compilation that its cache on disk could not spare. The runtime `c` says so
itself (picograve_tools.native.desktop).
"""

from functools import cache

from picograve import RUNTIME
from picograve_tools.cache import say_on_stderr
from picograve_tools.console import progress

SECONDS = 12  # that the kernels of a search take, about


@cache
def announce() -> None:
    """From now on, compilations are said on stderr: the first one, and on a terminal each."""
    if RUNTIME == "numba":
        from numba.core import event

        class Compilations(event.Listener):
            count = 0
            depth = 0  # one kernel's compilation waits for those that it calls

            def on_start(self, event):
                self.depth += 1
                kernel = event.data["dispatcher"]
                if kernel.stats.cache_path:  # small helpers are compiled in every process
                    if self.count == 0:
                        say_on_stderr("compiling the kernels once, about %d s" % SECONDS)
                    self.count += 1
                    progress("kernel %d: %s" % (self.count, kernel.__name__))

            def on_end(self, event):
                self.depth -= 1
                if self.depth == 0 and self.count:
                    progress("")

        event.register("numba:compile", Compilations())

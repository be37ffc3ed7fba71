"""The wheel's build: beside the sources go boards' programs that C has compiled.

pyproject.toml names the class. The step is host/picograve_host/boards/prebuilt.py, run with the
very sources that the wheel packs. For what has no compiler here, or if the step fails, the wheel
comes without, and the build says so; `picograve flash` then compiles.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools.command.build_py import build_py


class BuildPy(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:
            packages = Path(self.build_lib).absolute()
            modules = packages / "picograve_host" / "boards" / "modules"
            shutil.rmtree(modules, ignore_errors=True)  # of a build before
            path = os.pathsep.join(filter(None, (str(packages), os.environ.get("PYTHONPATH"))))
            # CPython's runtime, because Numba is not needed to build.
            environment = dict(os.environ, PYTHONPATH=path, PICOGRAVE_RUNTIME="cpython")
            command = [sys.executable, "-m", "picograve_host.boards.prebuilt", modules]
            if subprocess.run(command, env=environment).returncode:
                shutil.rmtree(modules, ignore_errors=True)
                self.warn("the wheel comes without compiled programs of boards")

"""What `pip install picograve` downloads: the base install without extras, file by file.

    python -m pip wheel --no-deps --wheel-dir dist .
    python -m picograve_tools.measure_download dist/picograve-*.whl
    python -m picograve_tools.measure_download dist/picograve-*.whl --python 3.13

asks pip for all wheels that a clean environment would get, by default for this Python, and adds up
their bytes. More than the limit is a failure.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 150  # MB


def download(wheel, python=None):
    """{file: bytes} of a wheel and of all that it needs."""
    version = ["--python-version", python] if python else []
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        command = [sys.executable, "-m", "pip", "--quiet", "download", "--dest", folder]
        subprocess.run([*command, "--only-binary", ":all:", *version, wheel], check=True)
        return {file.name: file.stat().st_size for file in sorted(Path(folder).iterdir())}


def main(arguments=None):
    parser = argparse.ArgumentParser(description="What pip install picograve downloads.")
    parser.add_argument("wheel")
    parser.add_argument("--python", metavar="X.Y", help="another version than this")
    options = parser.parse_args(arguments)
    files = download(options.wheel, options.python)
    for name, size in files.items():
        print("%9.1f MB  %s" % (size / 1e6, name))
    total = sum(files.values()) / 1e6
    print("%9.1f MB in all, at most %d" % (total, MOST))
    return 0 if total <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())

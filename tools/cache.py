"""Where built and downloaded things are kept, and how they get there whole.

The folder is `$PICOGRAVE_CACHE`, else `picograve` in `$XDG_CACHE_HOME` or `~/.cache`. An entry
is a folder of it that appears complete or not at all: `made` fills `NAME.part` and renames it.
Each entry has a lock; a second process waits for it. Anything in the cache may be deleted at any
time; it is made again when it is next asked for.

What is not made here but installed, programs and Python packages, is asked for with `need` and
`package` at the moment it is needed.
"""

import fcntl
import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from picograve.errors import BadInput, RunFailed

DIGESTS = "SHA256SUMS"  # of an entry's files, as sha256sum writes them
MOST_CHECKED = 20_000_000  # bytes of a file: less than a tenth of a second


class ToolMissing(BadInput):
    """Something is not installed or cannot be reached; the text says what to do."""


class ToolFailed(RunFailed):
    """A download, a build or the emulator went wrong."""


def say_on_stderr(line):
    print(line, file=sys.stderr, flush=True)


def folder():
    own = os.environ.get("PICOGRAVE_CACHE")
    if own:
        return Path(own).absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).absolute() / "picograve"


def made(name, make, say=say_on_stderr):
    """The cache's entry `name`; where there is none, `make(folder)` fills a new one."""
    entry = folder() / name
    if _is_whole(entry):
        return entry
    with locked(name, say):
        if not _is_whole(entry):  # else another process has made it while we waited
            if entry.exists():
                say("%s in the cache is damaged: it is made again" % name)
                shutil.rmtree(entry)
            part = entry.with_name(name + ".part")
            shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
            part.mkdir()
            make(part)
            (part / DIGESTS).write_text("".join(_digests(part)))
            part.rename(entry)
    return entry


def _digests(entry):
    """A line for each file directly in an entry: what others run or read of it."""
    for file in sorted(entry.iterdir()):
        if file.is_file() and file.name != DIGESTS and file.stat().st_size <= MOST_CHECKED:
            yield "%s  %s\n" % (hashlib.sha256(file.read_bytes()).hexdigest(), file.name)


def _is_whole(entry):
    """Whether an entry is there, as it was made; one of an older version cannot tell."""
    digests = entry / DIGESTS
    if not digests.is_file():
        return entry.exists()
    return set(digests.read_text(errors="replace").splitlines(True)) <= set(_digests(entry))


@contextmanager
def locked(name, say=say_on_stderr):
    """Hold the lock of an entry; the kernel frees it when the process ends, however it ends."""
    try:
        locks = folder() / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        file = (locks / name).open("w")
    except OSError as error:
        raise BadInput(
            "cannot write to the cache %s (%s): set PICOGRAVE_CACHE" % (folder(), error.strerror)
        ) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("%s: waiting for another process that makes it" % name)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def how_to_install(packages):
    """What to do for Debian's packages."""
    return "%s %s" % ("apt install" if shutil.which("apt") else "install", packages)


def need(*programs):
    """Refuse to go on unless all of `(program, Debian package)` are on the PATH."""
    missing = dict.fromkeys(package for program, package in programs if not shutil.which(program))
    if missing:
        raise ToolMissing("install what is missing: apt install " + " ".join(missing))


def package(name, extra):
    """The Python package of this name, which pip installs with picograve[extra]."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ToolMissing(
            "%s is missing: pip install 'picograve[%s]'" % (name.replace("_", "-"), extra)
        ) from None


def run(command, log, **options):
    """Run a program to its end, its output added to the file `log`."""
    with log.open("a") as output:
        print("\n$", *command, file=output, flush=True)
        result = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            **options,
        )
    if result.returncode != 0:
        raise ToolFailed(
            "%s failed: %s (more in %s)" % (Path(command[0]).name, _complaint(log), log)
        )


def _complaint(log):
    """The line that most likely says what went wrong in the log's last command."""
    said = log.read_text(errors="replace").rpartition("\n$ ")[2].partition("\n")[2]
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"^E:|\berror\b", line, re.IGNORECASE)]
    return (errors or lines[-1:] or ["it says nothing"])[0]


def checked(file, digest, algorithm="sha256"):
    """The file, if it is the one we know by its digest (hexadecimal)."""
    found = hashlib.new(algorithm, file.read_bytes()).hexdigest()
    if found != digest:
        raise ToolFailed(
            "%s is not the file picograve knows, delete it: its %s is %s, not %s"
            % (file, algorithm, found, digest)
        )
    return file

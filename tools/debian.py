"""Files from Debian's archive, without touching the system's own packages.

apt runs with a private root in the cache: its own sources, lists, archives and status, so that
the machine's state stays as it is and nobody needs to be root. Where from is taken from the
machine: each Debian mirror it is configured for, asked for the suite below or another one, with
the machine's keys, proxies and passwords. The machine's hooks (which may clean the system's caches
after an update) are left out.

Every file is known by version and SHA-256. Once fetched it is kept: later builds are offline.
When Debian has replaced a version in its suite, the newest one is taken instead, and that is said:
only Debian's signature, which apt checks, vouches for it, and our tests. Its own SHA-256 is kept
beside it. To follow for good, change the table in picograve_tools.micropython or the line below.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

from picograve_tools import cache
from picograve_tools.cache import ToolFailed, ToolMissing, say_on_stderr

MACHINE = Path("/etc/apt")  # where the machine's mirrors are configured
SUITE = "trixie"
PROGRAMS = (("apt-get", "apt"), ("apt-config", "apt"), ("dpkg-deb", "dpkg"))
KEPT_OPTIONS = ("Signed-By", "Trusted", "Check-Valid-Until")
# Settings that say how to reach a mirror; the others are the system's own business.
KEPT_SETTINGS = re.compile(r"Acquire::(?!IndexTargets|Languages|Changelogs|cdrom)")

# A file of a package; `source` says whether it is the upstream tarball or the package itself.
Known = namedtuple("Known", "package version source file sha256")

MICROPYTHON = Known(
    "micropython", "1.25.0+ds-1", True,
    "micropython_1.25.0+ds.orig.tar.xz",
    "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea",
)  # fmt: skip


def fetch(known, say=say_on_stderr, suite=SUITE):
    """The path of the file, downloaded unless the cache has it."""
    file = cache.folder() / "downloads" / known.file
    newest = file.parent / ("newest-" + known.package)  # a folder, where the version has gone
    with cache.locked("apt", say):
        if not (file.exists() or newest.exists()):
            say("%s: downloading (Debian %s, %s)" % (known.package, suite, known.version))
            try:
                _download(known, file, suite)
            except Gone as gone:
                say("%s: %s; the newest is taken instead" % (known.package, gone))
                _download_newest(known, newest)
    if file.exists():
        return cache.checked(file, known.sha256)
    (digest,) = newest.glob("*.sha256")
    return cache.checked(digest.with_suffix(""), digest.read_text())


def has(known):
    """Whether the file is in the cache, or this machine could download it."""
    downloads = cache.folder() / "downloads"
    there = (downloads / known.file, downloads / ("newest-" + known.package))
    return any(path.exists() for path in there) or can_download()


def can_download():
    """Whether this machine is set up for Debian's archive; nothing is asked of the network."""
    return all(shutil.which(program) for program, _ in PROGRAMS) and bool(mirrors(MACHINE))


def unpack(known, into, say=say_on_stderr):
    """Unpack a source's tarball, without its top folder, or a package's files into a folder."""
    file = fetch(known, say)
    into.mkdir(parents=True, exist_ok=True)
    command = ["tar", "--extract", "--file", file, "--directory", into, "--strip-components", "1"]
    if not known.source:
        command = ["dpkg-deb", "--extract", file, into]
    cache.run(command, into.with_name("unpack.log"))


class Gone(ToolFailed):
    """Debian's suite has another version by now."""


def _download(known, file, suite):
    cache.need(*PROGRAMS)
    root = cache.folder() / "apt"
    _prepare(root, suite)
    try:
        new = _apt_get(root, known, known.version)
    except ToolFailed:  # no lists yet, or old ones
        _update(root, known)
        try:
            new = _apt_get(root, known, known.version)
        except ToolFailed as error:
            if _has_any(root, known):
                words = "Debian %s no longer has version %s" % (suite, known.version)
                raise Gone(words) from None
            raise error from None
    file.parent.mkdir(exist_ok=True)
    cache.checked(new / known.file, known.sha256).rename(file)


def _download_newest(known, folder):
    new = _apt_get(cache.folder() / "apt", known)
    (file,) = new.glob("*.orig.tar.*" if known.source else "*.deb")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_name(file.name + ".sha256").write_text(digest)
    folder.parent.mkdir(exist_ok=True)
    new.rename(folder)


def _update(root, known):
    """The lists of what the mirrors have. apt succeeds also where none answers."""
    try:
        _apt(root, ["apt-get", "--quiet", "update"])
    except ToolFailed:
        shutil.rmtree(root / "lists")  # what is left of them is half
    if not any((root / "lists").glob("*Release")):
        raise ToolMissing(
            "no Debian mirror answers, so %s cannot be downloaded: go online (apt's own proxy is "
            "used), or apt install micropython; without it sim-cpython stands in for the board"
            % known.package
        )


def _has_any(root, known):
    """Whether the lists have the package in any version."""
    try:
        show = "showsrc" if known.source else "show"
        _apt(root, ["apt-cache", "--quiet", show, known.package])
    except ToolFailed:
        return False
    return True


def _apt_get(root, known, version=None):
    """Download a package in this version, or in the newest; the folder that it is in."""
    what = "%s=%s" % (known.package, version) if version else known.package
    command = ["apt-get", "--quiet", "download", what]
    if known.source:
        command = ["apt-get", "--quiet", "--download-only", "--tar-only", "source", what]
    new = root / "new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    _apt(root, command)
    return new


def _apt(root, command):
    log = root / "apt.log"
    log.unlink(missing_ok=True)
    cache.run(command, log, cwd=root / "new", env=dict(os.environ, APT_CONFIG=root / "apt.conf"))


def _prepare(root, suite):
    """Write the private root's configuration each time: the machine's may have changed."""
    for name in ("lists/partial", "archives/partial", "none"):
        (root / name).mkdir(parents=True, exist_ok=True)
    sources = mirrors(MACHINE)
    if not sources:
        raise ToolMissing(
            "no Debian mirror in apt's sources of this machine: where micropython is packaged, "
            "apt install micropython"
        )
    (root / "status").touch()
    (root / "debian.sources").write_text("\n".join(_stanza(suite, *source) for source in sources))
    configuration = root / "apt.conf"
    configuration.touch(mode=0o600)  # a proxy's line may hold a password
    configuration.write_text(_settings(root))


def _settings(root):
    dump = subprocess.run(["apt-config", "dump"], check=True, capture_output=True, text=True)
    kept = [line for line in dump.stdout.splitlines() if KEPT_SETTINGS.match(line)]
    own = {
        "Dir::Etc::main": root / "none" / "apt.conf",
        "Dir::Etc::parts": root / "none",
        "Dir::Etc::preferences": root / "none" / "preferences",
        "Dir::Etc::preferencesparts": root / "none",
        "Dir::Etc::sourcelist": root / "debian.sources",
        "Dir::Etc::sourceparts": root / "none",
        "Dir::State": root,
        "Dir::State::lists": root / "lists",
        "Dir::State::status": root / "status",
        "Dir::Cache": root,
        "Dir::Cache::archives": root / "archives",
        "Dir::Cache::pkgcache": "",  # not kept: 80 MB for a second
        "Dir::Cache::srcpkgcache": "",
        "Dir::Log": root,
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",  # else root's apt becomes _apt, which cannot read our folder
    }
    return "\n".join(kept + ['%s "%s";' % item for item in own.items()]) + "\n"


# The machine's mirrors.


def mirrors(etc):
    """(URI, options) of every Debian archive that the files in `etc` name, each once."""
    found = {}
    for file in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if not file.is_file() or file.suffix not in (".list", ".sources"):
            continue
        read = _deb822_entries if file.suffix == ".sources" else _line_entries
        for uris, suites, components, options in read(file.read_text()):
            if "main" in components and any(re.fullmatch("[a-z]+", suite) for suite in suites):
                found.update((uri, options) for uri in uris if "debian" in uri.lower())
    return list(found.items())


def _line_entries(text):
    """`deb [option=value ...] URI suite component ...`"""
    pattern = re.compile(r"deb(?:-src)?\s+(?:\[(.*?)\]\s*)?(\S+)\s+(\S+)\s+([^#]*)")
    for line in text.splitlines():
        match = pattern.match(line.strip())
        if match:
            options, uri, suite, components = match.groups()
            fields = dict(re.findall(r"(\S+?)=(\S+)", options or ""))
            yield [uri], [suite], components.split(), _kept(fields)


def _deb822_entries(text):
    """Stanzas of `Field: value`, where a value may go on in indented lines."""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    for stanza in re.split(r"\n\s*\n", text):
        pairs = re.findall(r"^(\S+?):[ \t]*(.*(?:\n[ \t].*)*)", stanza, flags=re.MULTILINE)
        fields = {name.lower(): value for name, value in pairs}
        if fields.get("enabled", "yes").lower() != "no":
            lists = [fields.get(name, "").split() for name in ("uris", "suites", "components")]
            yield *lists, _kept(fields)


def _kept(fields):
    lower = {name.lower(): value for name, value in fields.items()}
    return {name: lower[name.lower()] for name in KEPT_OPTIONS if name.lower() in lower}


def _stanza(suite, uri, options):
    fields = {"Types": "deb deb-src", "URIs": uri, "Suites": suite, "Components": "main", **options}
    return "".join("%s: %s\n" % field for field in fields.items())

"""Real MicroPython from Debian's packages: what comes out, and what is left alone."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from picograve_tools import cache, debian, emulator, micropython, qemu
from picograve_tools.cache import ToolFailed, ToolMissing

# What the board's service is made of; prints "ready" where all of it is there and works.
NEEDED = """
import array, binascii, gc, json, micropython, select, struct, sys, time
assert array.array("H", [1, 2])[1] == 2
assert binascii.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32
assert json.loads(json.dumps({"a": [1, None]})) == {"a": [1, None]}
assert struct.unpack("<HI", bytes(range(6))) == (0x0100, 0x05040302)
assert gc.mem_free() > 0 and time.ticks_diff(time.ticks_us(), time.ticks_us()) <= 0
micropython.kbd_intr(-1)
poll = select.poll()
poll.register(sys.stdin.buffer, select.POLLIN)
assert poll.poll(1000) and sys.stdin.buffer.read(2) == bytes([3, 13])

def locked():
    micropython.heap_lock()
    try:
        return [1, 2]
    except MemoryError:
        return "no memory"
    finally:
        micropython.heap_unlock()

assert locked() == "no memory"
sys.stdout.buffer.write(b"ready")
"""


@pytest.fixture(params=[32, 64])
def program_and_bits(request):
    try:
        return micropython.unix(request.param), request.param
    except ToolMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PICOGRAVE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def only_programs(tmp_path, monkeypatch):
    """Gives a function that leaves only these programs on the PATH: name and script."""

    def hide(**scripts):
        folder = tmp_path / "bin"
        folder.mkdir()
        for name, script in scripts.items():
            (folder / name).write_text("#!/bin/sh\n" + script)
            (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))

    return hide


def test_the_unix_port_has_viper_and_the_bits_asked_for(program_and_bits):
    program, bits = program_and_bits
    assert micropython.bits_of(program) == bits


def test_the_unix_port_has_what_the_service_of_a_board_needs(program_and_bits):
    program, _ = program_and_bits
    answer = subprocess.run([program, "-c", NEEDED], input=b"\x03\r", capture_output=True)
    assert (answer.stdout, answer.stderr) == (b"ready", b"")


def test_the_unix_port_keeps_to_the_heap_it_is_given(program_and_bits):
    program, _ = program_and_bits
    command = [program, "-X", "heapsize=64k", "-c", "bytearray(65536)"]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert "MemoryError" in answer.stdout + answer.stderr


def test_find_unix_gives_a_port_that_works():
    try:
        program, bits = micropython.find_unix()
    except ToolMissing as error:
        pytest.skip(str(error))
    assert micropython.bits_of(program) == bits


def test_an_installed_micropython_without_viper_is_not_taken(only_programs, empty_cache):
    only_programs(micropython="echo SyntaxError >&2; exit 1")
    with pytest.raises(ToolMissing):
        micropython.find_unix(say=lambda line: None)


def test_an_installed_micropython_is_taken_where_32_bits_cannot_be_had(only_programs, empty_cache):
    only_programs(micropython="echo 64", gcc="exit 1", make="exit 1")
    program, bits = micropython.find_unix(say=lambda line: None)
    assert (program.name, bits) == ("micropython", 64)
    assert not list(empty_cache.glob("unix64*"))


@pytest.mark.parametrize(
    ("build", "packages"),
    [
        (lambda: micropython.unix(64), "gcc make"),
        (
            micropython.rp2040_image,
            "gcc-arm-none-eabi cmake make libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib",
        ),
        (emulator.bootrom, "gcc-arm-none-eabi"),
        (lambda: qemu.command("m4"), "qemu-system-arm util-linux"),
        (lambda: qemu.firmware("m33"), "gcc-arm-none-eabi make"),
        (lambda: qemu.firmware("rv32"), "gcc-riscv64-unknown-elf make"),
        (emulator.library, "nodejs"),
    ],
)
def test_a_missing_tool_is_named_by_its_package_in_one_line(
    build, packages, only_programs, empty_cache
):
    only_programs()
    with pytest.raises(ToolMissing) as error:
        build()
    assert str(error.value) == "install what is missing: apt install " + packages


def test_a_compiler_without_32_bits_asks_for_its_package(only_programs, empty_cache):
    only_programs(gcc="exit 1", make="exit 1")
    with pytest.raises(ToolMissing, match="gcc-multilib"):
        micropython.unix(32)


def test_a_compiler_without_its_library_asks_for_its_package(only_programs, empty_cache):
    only_programs(**{"riscv64-unknown-elf-gcc": "echo picolibc.specs", "make": ""})
    with pytest.raises(ToolMissing, match="apt install picolibc-riscv64"):
        qemu.firmware("rv32")


def test_the_state_names_everything_and_builds_nothing(only_programs, empty_cache):
    only_programs()
    rows = [*micropython.unix_state(), micropython.unix32_row(), *micropython.rp2040_state()]
    rows += qemu.state(qemu.ARM) + qemu.state(qemu.RISCV)
    assert [name for name, _, ok in rows if ok] == []
    assert "install gcc-arm-none-eabi" in [text for _, text, _ in rows]
    assert not empty_cache.exists()


def test_a_mirror_that_does_not_answer_is_one_line_that_says_so(empty_cache, only_programs):
    # apt-get update succeeds even when no mirror can be reached.
    only_programs(**{
        "apt-config": "",
        "apt-get": 'test "$2" = update',
        "dpkg-deb": "",
    })  # fmt: skip
    with pytest.raises(ToolMissing, match="no Debian mirror"):
        debian.fetch(micropython.MICROPYTHON, say=lambda line: None)


# Debian's archive: real apt, on an archive of our own in a folder.


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A signed-by-nobody archive with one package; gives what picograve would know of it."""
    if not Path("/usr/bin/dpkg-deb").exists():
        pytest.skip("this machine has no dpkg")
    root = tmp_path / "debian"
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    control = "Package: small\nVersion: 1.0-1\nArchitecture: all\nMaintainer: a <a@b>\n"
    (tree / "DEBIAN" / "control").write_text(control + "Description: a file\n")
    (tree / "file").write_text("content\n")
    package = root / "pool" / "small_1.0-1_all.deb"
    package.parent.mkdir(parents=True)
    subprocess.run(["dpkg-deb", "--build", tree, package], check=True, capture_output=True)
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    stanza = "Filename: pool/%s\nSize: %d\nSHA256: %s\n\n"
    _write_index(root, control + stanza % (package.name, package.stat().st_size, digest))
    etc = tmp_path / "etc"
    (etc / "sources.list.d").mkdir(parents=True)
    (etc / "sources.list").write_text("deb [trusted=yes] file:%s bookworm main\n" % root)
    monkeypatch.setattr(debian, "MACHINE", etc)
    return debian.Known("small", "1.0-1", False, package.name, digest)


def _write_index(root, packages):
    suite = root / "dists" / debian.SUITE
    lines = ["Suite: %s" % debian.SUITE, "Components: main", "Date: Thu, 01 Jan 2026 00:00:00 UTC"]
    lines += ["Architectures: all amd64 arm64 armhf i386 riscv64", "SHA256:"]
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
    ).stdout.strip()
    indices = {"main/binary-%s/Packages" % architecture: packages, "main/source/Sources": ""}
    for name, text in indices.items():
        (suite / name).parent.mkdir(parents=True)
        (suite / name).write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        lines.append(" %s %d %s" % (digest, len(text), name))
    (suite / "Release").write_text("\n".join(lines) + "\n")


def apt_state():
    """Every file of the system's apt and dpkg, with its time."""
    folders = (
        Path(name) for name in ("/etc/apt", "/var/lib/apt", "/var/cache/apt", "/var/lib/dpkg")
    )
    return {
        path: path.lstat().st_mtime_ns for folder in folders for path in sorted(folder.rglob("*"))
    }


def test_a_package_is_unpacked_and_the_systems_apt_left_alone(archive, empty_cache, tmp_path):
    before = apt_state()
    debian.unpack(archive, tmp_path / "unpacked")
    assert (tmp_path / "unpacked" / "file").read_text() == "content\n"
    assert apt_state() == before


def test_what_was_fetched_once_needs_no_mirror_again(archive, empty_cache, monkeypatch, tmp_path):
    debian.fetch(archive)
    monkeypatch.setattr(debian, "MACHINE", tmp_path / "nothing")
    assert debian.fetch(archive).name == archive.file


def test_a_file_with_another_checksum_is_refused_in_one_line(archive, empty_cache):
    with pytest.raises(
        ToolFailed, match=r"small_1\.0-1_all\.deb is not the file .* sha256"
    ) as error:
        debian.fetch(archive._replace(sha256="0" * 64))
    assert "\n" not in str(error.value)
    assert not (empty_cache / "downloads" / archive.file).exists()


def test_of_a_version_that_the_archive_has_replaced_the_newest_is_taken(
    archive, empty_cache, monkeypatch, tmp_path
):
    """Finding 15: an update that will be replaced, and words that misled."""
    said = []
    old = archive._replace(version="0.9-1", file="small_0.9-1_all.deb", sha256="0" * 64)
    assert debian.fetch(old, said.append).name == archive.file
    assert "no longer has version 0.9-1; the newest is taken instead" in said[-1]
    monkeypatch.setattr(debian, "MACHINE", tmp_path / "nothing")
    newest = debian.fetch(old)  # offline
    debian.unpack(old, tmp_path / "unpacked")
    newest.write_bytes(b"damaged")
    with pytest.raises(ToolFailed, match="not the file picograve knows"):
        debian.fetch(old)


def test_a_package_that_the_archive_lacks_is_told_in_one_line(archive, empty_cache):
    with pytest.raises(ToolFailed, match="large") as error:
        debian.fetch(archive._replace(package="large", file="large_1.0-1_all.deb"))
    assert "\n" not in str(error.value)


def test_a_machine_without_a_debian_mirror_is_told_what_to_do(empty_cache, archive, tmp_path):
    (debian.MACHINE / "sources.list").write_text("deb http://archive.example/ubuntu noble main\n")
    with pytest.raises(ToolMissing, match="apt install micropython"):
        debian.fetch(archive)


def test_mirrors_are_read_from_both_kinds_of_files(tmp_path):
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text(
        "# deb http://commented.example/debian bookworm main\n"
        "deb [arch=amd64 signed-by=/a.gpg] http://one.example/debian bookworm main contrib # one\n"
        "deb http://one.example/debian-security bookworm-security main\n"
        "deb http://other.example/apt stable main\n"
        "deb http://engine.example/linux/debian bookworm stable\n"
    )
    (parts / "two.sources").write_text(
        "Types: deb\n# a comment\nURIs: http://two.example/debian/ http://three.example/debian\n"
        "Suites: bookworm bookworm-updates\nComponents: main\n"
        "Signed-By:\n -----BEGIN PGP-----\n .\n abc\n -----END PGP-----\n\n"
        "Enabled: no\nTypes: deb\nURIs: http://off.example/debian\nSuites: sid\nComponents: main\n"
    )
    (parts / "old.list.disabled").write_text("deb http://old.example/debian bookworm main\n")
    key = {"Signed-By": "\n -----BEGIN PGP-----\n .\n abc\n -----END PGP-----"}
    assert debian.mirrors(tmp_path) == [
        ("http://one.example/debian", {"Signed-By": "/a.gpg"}),
        ("http://two.example/debian/", key),
        ("http://three.example/debian", key),
    ]


# The cache.


def test_a_build_that_fails_leaves_no_entry_and_can_be_repeated(empty_cache):
    def fail(folder):
        (folder / "half").touch()
        raise ToolFailed("no luck")

    with pytest.raises(ToolFailed):
        cache.made("thing", fail)
    assert not (empty_cache / "thing").exists()
    made = cache.made("thing", lambda folder: None)
    assert [path.name for path in made.iterdir()] == [cache.DIGESTS]


def test_two_processes_make_a_thing_once(empty_cache, tmp_path):
    builds = tmp_path / "builds"
    program = (
        "import time; from picograve_tools import cache\n"
        "def make(folder):\n"
        "    open(%r, 'a').write('built ')\n"
        "    time.sleep(0.5)\n"
        "cache.made('thing', make)\n" % str(builds)
    )
    environment = dict(os.environ, PICOGRAVE_RUNTIME="cpython")
    processes = [
        subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(2)
    ]
    assert [process.wait() for process in processes] == [0, 0]
    assert builds.read_text() == "built "


def test_a_program_that_fails_is_told_by_its_first_error(tmp_path):
    cache.run(["echo", "error: of an earlier program"], tmp_path / "log")
    script = "echo errors.c; echo 'file.c:1: error: bad'; echo 'make: Error 1'; exit 1"
    with pytest.raises(ToolFailed, match=r"^sh failed: file\.c:1: error: bad \(more in .*log\)$"):
        cache.run(["sh", "-c", script], tmp_path / "log")


def test_what_is_damaged_in_the_cache_is_made_again(empty_cache):
    """Finding 14: garbage in the cached micropython was started, and was a traceback."""
    made, said = [], []

    def make(part):
        made.append(part)
        (part / "program").write_text("good")

    for _ in range(2):
        entry = cache.made("thing", make, said.append)
    assert (len(made), said) == (1, [])
    (entry / "program").write_text("garbage")
    assert (cache.made("thing", make, said.append) / "program").read_text() == "good"
    assert said == ["thing in the cache is damaged: it is made again"]

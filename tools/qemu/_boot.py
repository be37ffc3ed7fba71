"""What the chip does first: mount its flash, formatted where it is new."""

import sys

import flash
import vfs

PORTION = 256  # bytes: fewer make more calls to the host

try:
    disk = vfs.VfsLfs2(flash, readsize=PORTION, progsize=PORTION)
except OSError:
    vfs.VfsLfs2.mkfs(flash, readsize=PORTION, progsize=PORTION)
    disk = vfs.VfsLfs2(flash, readsize=PORTION, progsize=PORTION)
vfs.mount(disk, "/")
sys.path.append("/lib")
del PORTION, disk, flash, sys, vfs  # the prompt begins with no names

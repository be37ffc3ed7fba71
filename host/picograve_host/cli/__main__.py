"""`python -m picograve_host.cli`: the command, where it is not on the PATH."""

import sys

from picograve_host.cli import main

sys.exit(main())

"""`picograve lab claims`: what a paper claims beside all that was recorded, on one page."""

import json
from argparse import Namespace
from pathlib import Path

from picograve.errors import RunFailed

from picograve_host.lab.report import evidence


def main(options: Namespace) -> int:
    folder = Path(options.folder)
    found = evidence.recorded(folder)
    if options.json:
        print(json.dumps([
            dict(folder=one.name, **finding._asdict()) for one, finding in evidence.verdicts(found)
        ]))  # fmt: skip
        return 0
    path = folder / evidence.FILE
    try:
        path.write_text(evidence.page(found), "utf-8")
    except OSError as error:
        raise RunFailed("%s cannot be written: %s" % (path, error.strerror)) from None
    print(path)
    return 0

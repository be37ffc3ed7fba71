"""`picograve lab report`: writes the page of an experiment, the paper's figures beside ours."""

import json
from argparse import Namespace
from pathlib import Path

from picograve import BadInput
from picograve.errors import RunFailed

from picograve_host.commands.lab.run import experiment_of, games_of, sprt_of
from picograve_host.lab.play.store import Store
from picograve_host.lab.record import text
from picograve_host.lab.report.report import (
    ALL_GAMES,
    as_data,
    folder_name,
    gather,
    shown,
    write,
    write_texts,
)


def main(options: Namespace) -> int:
    experiment = experiment_of(options)
    games = ALL_GAMES if options.games is None else games_of(options, experiment)
    sprt = sprt_of(options, experiment)
    with Store(options.out) as store:
        store.database.execute("BEGIN")  # a run may be writing: all we read is of one moment
        findings = gather(experiment, store, games, sprt, options)
        recorded = text.of_points(store, experiment.points)
    if not any(row["games"] + row["failed"] for row in findings.rows):
        raise BadInput(
            "no games of %s in %s yet: picograve lab run %s"
            % (experiment.name, options.out, options.experiment)
        )
    folder = Path(options.out) / folder_name(experiment)
    try:
        paths = [*write(findings, folder), *write_texts({text.FILE: recorded}, folder)]
    except OSError as error:
        raise RunFailed(
            "the report cannot be written to %s: %s" % (folder, error.strerror)
        ) from None
    if options.json:
        print(json.dumps(as_data(findings)))
    else:
        print(*paths, "", shown(experiment).as_text(experiment, findings.rows), sep="\n")
    return 0

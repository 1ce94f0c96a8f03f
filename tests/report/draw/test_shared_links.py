"""Pictures of the links on which jobs meet."""

import csv
import io
from pathlib import Path

from network_samples import drawn


def test_only_links_on_which_jobs_meet_are_coloured(tmp_path: Path) -> None:
    # The busiest link of all, router 2 to router 1 with 80 %, carries one job alone.
    sent = [("router 1>router 2", 1, 30.0), ("router 1>router 2", 3, 90.0)]
    found = drawn(tmp_path, {"of": "shared"}, jobs=sent)
    assert found.title == "Links on which jobs meet in the network"
    rows = list(csv.DictReader(io.StringIO(found.csv)))
    shares = {row["link"]: float(row["share"]) for row in rows}
    assert shares.pop("router 1>router 2") == 0.3
    assert set(shares.values()) == {0.0}
    assert found.notes[0] == (
        "Jobs met on 1 of 8 links; the busiest of these, router 1>router 2 from router 1 to"
        " router 2, carried 30% of its capacity: 25% of job 1, 75% of job 3."
    )


def test_where_no_jobs_meet_the_caption_says_so(tmp_path: Path) -> None:
    found = drawn(tmp_path, {"of": "shared"})
    assert found.notes[0] == "No link carried data of several jobs."

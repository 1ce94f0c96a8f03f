"""The file that a form stands for, taken home: a run there gives the rows of the task."""

import io
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.service.conftest import BINARY, OPEN, Browser, Site, wait_for
from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
NAME = "mine"
FORM = {
    "name": NAME,
    "timeout_s": "3000",
    "workload": "uniform",
    "workload.message_size": "320 B",
    "topology": "torus",
    "topology.k": "3",
    "network": "gigabit",
    "figures": "completion time",
}


def rows(tables: dict[str, bytes]) -> dict[str, pa.Table]:
    """Rows of every table of simulated numbers, by their path; what a run costs is another's."""
    return {
        path: pq.read_table(io.BytesIO(content))
        for path, content in sorted(tables.items())
        if path.endswith(".parquet") and not path.endswith("/runs.parquet")
    }


def test_the_experiment_of_a_form_gives_the_same_rows_at_home(
    shared: Site, ann: Browser, tmp_path: Path
) -> None:
    packet = str(BINARY.with_name("weft-packet"))
    shared.more["WEFT_PACKET"] = packet
    page = ann.post("/submit/form/fidelity", **FORM, submit="1").url
    assert "/tasks/" in page
    # What a worker may not keep changes no result.
    shared.start_worker("one", "--cache-mb", "0")
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done", ann.get(page).text
    with zipfile.ZipFile(io.BytesIO(ann.get(page + "archive.zip").content)) as archive:
        served = rows({each: archive.read(each) for each in archive.namelist()})

    assert not list((shared.folder / "one" / "shared").glob("*/*"))

    (tmp_path / "home").mkdir()
    home = Project(tmp_path / "home")
    home.environment["WEFT_PACKET"] = packet
    home.write(NAME, ann.get(page + "experiment.yaml").text)
    done = home.run(f"reports/{NAME}.html", "--cores", "1")
    assert done.code == 0, done.output
    found = rows(
        {
            str(path.relative_to(home.folder)): path.read_bytes()
            for path in (home.folder / "results" / NAME).rglob("*.parquet")
        }
    )
    metrics = [Path(path) for path in served if path.endswith("/metrics.parquet")]
    assert {path.parts[2] for path in metrics} == {"flow", "packet"}
    assert served.keys() == found.keys()
    for path, table in served.items():
        assert table.num_rows > 0 or not path.endswith("/metrics.parquet")
        assert table.equals(found[path]), path

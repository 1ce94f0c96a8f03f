"""From a submitted experiment to its archive: real server, real worker, real pipeline."""

import io
import os
import zipfile

import pytest

from tests.service.conftest import OPEN, SMALL, Browser, Site, wait_for

pytestmark = pytest.mark.slow


def test_a_task_becomes_a_report_and_an_archive_and_the_next_one_knows_its_points(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit()
    assert "waits in the queue" in page.text
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done", ann.get(page.url).text
    done = ann.get(page.url)
    assert "2 of 2" in done.text
    # The planner's process had ended, and who runs the worker where is nobody's business.
    assert "finished jobid" in done.text.lower()
    assert "did not end by itself" not in done.text
    assert str(shared.folder) not in done.text
    shared.python(
        "import datetime\nfrom weft.service.tasks.models import Task\n"
        "t = Task.objects.get()\nt.started_at -= datetime.timedelta(seconds=700)\nt.save()"
    )
    assert "10 min of at most 10 min" in ann.get(page.url).text
    report = ann.get(page.url + "report")
    assert "Does it run?" in report.text
    assert "sandbox" in report.headers["content-security-policy"]
    archive = zipfile.ZipFile(io.BytesIO(ann.get(page.url + "archive.zip").content))
    assert {"SHA256SUMS", "Makefile", "reports/small.html"} <= set(archive.namelist())
    # Figures' data and tables for themselves, and nothing else of the archive.
    assert "makespan_s" in ann.get(page.url + "parts/figures/figure-1.csv").text
    assert ann.get(page.url + "parts/SHA256SUMS").status == 404
    assert ann.get(page.url + "parts/results/small/../../SHA256SUMS").status == 404
    # The server has learned what both points took, for the plans of others.
    learned = (
        "from weft.service.estimates.models import EarlierRuns\nprint(EarlierRuns.objects.count())"
    )
    assert shared.python(learned) == "2"
    kept = list((shared.folder / "one" / "shared").glob("*/*"))
    for path in kept:
        os.utime(path, (0, 0))
    again = ann.submit(SMALL.replace("Small", "Again"), name="again")
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done"
    assert "2 were known from earlier tasks" in ann.get(again.url).text
    # Both are the last that would leave now.
    assert len([path for path in kept if path.stat().st_mtime > 0]) == 2

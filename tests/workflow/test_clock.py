"""Files from the future are dated back, so that Snakemake sees what has become of results."""

import os
import time

from weft.files.layout import Layout, Results
from weft.prepare.state.clock import date_back


def test_a_page_of_the_future_is_no_newer_than_its_results(tmp_path, capfd):
    results = Results(tmp_path / "results")
    folder, page = results.experiment("x"), Layout.of(results).reports.page("x")
    before, tomorrow = time.time() - 60, time.time() + 86_400
    for path in (folder.plan, folder.stamp, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        os.utime(path, (tomorrow, tomorrow))
    os.utime(folder.plan, (before, before))
    date_back(folder, page)
    assert folder.plan.stat().st_mtime == before
    # Nor is it older: then it would be made again.
    assert page.stat().st_mtime_ns == folder.stamp.stat().st_mtime_ns
    assert page.stat().st_mtime <= time.time()
    assert "2 files of x were dated up to 24.0 h ahead" in capfd.readouterr().err

"""What runs again, and what does not."""

import os
import re
import shutil
import stat
import sys
import time
from pathlib import Path

import duckdb
import pytest

pytestmark = pytest.mark.slow

FAILING = """
import sys
from pathlib import Path
from weft.files import sealed, unsealed
path = Path(sys.argv[1])
*others, last = path.read_bytes().splitlines()
line = {**unsealed(last, required=True), "status": "failed", "error": "too large"}
path.write_bytes(b"\\n".join([*others, sealed(line).encode(), b""]))
"""


@pytest.fixture(scope="module")
def done(project):
    """The experiment `grows`, computed."""
    project.small("grows", [3, 4])
    first = project.collect("grows")
    assert first.code == 0, first.output
    return project


def wrapper(folder: Path, script: str) -> Path:
    path = folder / "weft-flow-wrapper"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_same_command_again_does_nothing(done):
    assert done.collect("grows").jobs == {}


def test_a_new_value_computes_only_its_points(done):
    before = done.computed("grows")
    done.small("grows", [3, 4, 5])
    again = done.collect("grows")
    after = done.computed("grows")
    assert again.jobs == {"simulate": 1, "collect": 1}
    assert len(after) == len(set(after)) == len(before) + 1
    assert done.stamp("grows")["done"] == 3


def test_order_comments_and_touched_files_rerun_nothing(done):
    path = done.small("grows", [3, 4, 5])
    top, sweep = path.read_text().split("topology: {", 1)
    path.write_text(f"# A comment\ntopology: {{{sweep}\n{top}")
    scripts = (done.folder / "workflow").rglob("*.py")
    for file in [path, *scripts, *(done.folder / "results" / "grows").rglob("*.*")]:
        file.touch()
    assert done.collect("grows", "-n").jobs == {}


@pytest.mark.long("runs")
def test_a_page_dated_in_the_future_follows_its_experiment(done):
    page = "reports/grows.html"
    assert done.run(page, "--cores", "1").code == 0
    tomorrow = time.time() + 86_400
    for file in [done.folder / page, *(done.folder / "results" / "grows").rglob("*.*")]:
        os.utime(file, (tomorrow, tomorrow))
    file = done.folder / "configs/experiment/grows.yaml"
    written = file.read_text()
    file.write_text(re.sub("^title:.*", "title: Another one", written, flags=re.MULTILINE))
    assert done.run(page, "--cores", "1").jobs == {"report": 1}
    assert "<title>Another one" in (done.folder / page).read_text()
    file.write_text(written)


@pytest.mark.long("runs")
def test_a_weft_that_words_pages_differently_makes_them_again_and_computes_nothing(done):
    page = ("reports/grows.html", "reports/index.html", "--cores", "1")
    assert done.run(*page).code == 0
    assert done.run(*page, "-n").jobs == {}
    template = done.folder / "workflow/weft/report/html/templates/report.html"
    written = template.read_text()
    template.write_text(f"{written}<!-- another weft -->\n")
    assert done.run(*page, "-n").jobs == {"report": 1, "index": 1}
    template.write_text(written)


@pytest.mark.long("runs")
def test_an_overwritten_page_is_made_again(done):
    """`test_damaged_pages.py` has what else is no page."""
    content = b"\xff\x00 garbage"
    page = ("reports/grows.html", "reports/index.html", "--cores", "1")
    assert done.run(*page).code == 0
    file = done.folder / "reports/grows.html"
    written = file.read_text()
    file.write_bytes(content)
    assert done.run(*page, "-n").jobs == {"report": 1, "index": 1}
    assert file.read_bytes() == content
    again = done.run(*page)
    assert again.jobs == {"report": 1, "index": 1}
    assert "weft: reports/grows.html does not end with weft's checksum: it is made " in again.output
    assert file.read_text().count("\n") == written.count("\n")
    assert done.run(*page).jobs == {}


@pytest.mark.long("runs")
def test_a_page_that_is_there_hides_no_deleted_results(done):
    page, results = ("reports/grows.html", "--cores", "1"), done.folder / "results"
    assert done.run(*page).code == 0
    assert done.run(*page, "-n").jobs == {}
    aside = done.folder / "aside"
    (results / "weft.duckdb").rename(aside)
    assert done.run(*page, "-n").jobs == {"collect": 1, "report": 1}
    aside.rename(results / "weft.duckdb")
    shard = next((results / "grows/flow").iterdir())
    shard.rename(aside)
    assert set(done.run(*page, "-n").jobs) == {"simulate", "collect", "report"}
    aside.rename(shard)
    results.rename(aside)
    again = done.run(*page)
    assert set(again.jobs) == {"simulate", "collect", "report"}
    assert "missing" not in again.output
    assert done.run(*page).jobs == {}
    shutil.rmtree(results)
    aside.rename(results)


def test_a_new_title_reruns_only_the_report(done):
    done.run("reports/grows.html", "--touch")
    (done.folder / "reports").mkdir(exist_ok=True)
    done.small("grows", [3, 4, 5], title="Another title")
    assert set(done.run("reports/grows.html", "-n").jobs) == {"report"}


@pytest.mark.long("runs")
def test_a_new_version_of_the_simulator_recomputes(done):
    binary = done.environment["WEFT_FLOW"]
    script = (
        f'[ "$1" = describe ] || exec {binary} "$@"\n'
        f"""{binary} describe | sed 's/"version": "/&9./'"""
    )
    newer = wrapper(done.folder, script)
    done.small("grows", [3, 4, 5])
    before = done.computed("grows")
    again = done.collect("grows", WEFT_FLOW=str(newer))
    assert again.code == 0, again.output
    assert again.jobs == {"simulate": 1, "collect": 1}
    assert len(set(done.computed("grows")) - set(before)) == 3


@pytest.mark.long("runs")
def test_failed_points_run_again_only_when_asked(project):
    project.write(
        "fails",
        """
title: Fails
question: Does a failed point stay a row?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
sweep:
  topology.k: [3, 4]
""",
    )
    binary = project.environment["WEFT_FLOW"]
    # A simulator that reports the point that it finishes last as failed.
    script = (
        f'{binary} "$@" || exit 1\n[ "$1" = run ] || exit 0\n'
        f"""{sys.executable} -c '{FAILING}' "$5/journal.jsonl" """
    )
    failing = wrapper(project.folder, script)
    first = project.collect("fails", WEFT_FLOW=str(failing))
    assert first.code == 0, first.output
    assert project.stamp("fails")["failed"] == 1
    assert "weft: fails: 1 of 2 points failed\n" in first.output
    assert re.search(r"^  flow \w{12} \(topology.k=\d\): too large$", first.output, re.MULTILINE)
    assert project.collect("fails").jobs == {}
    again = project.collect("fails", "--config", "retry_failed=true")
    assert again.jobs == {"simulate": 1, "collect": 1}
    assert project.stamp("fails")["done"] == 2
    assert len(project.computed("fails")) == 3
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            "SELECT attempt, status FROM runs WHERE experiment = 'fails' ORDER BY ALL"
        ).fetchall()
    assert rows == [(1, "done"), (1, "failed"), (2, "done")]
    assert project.collect("fails").jobs == {}

"""A file that a task needs, and that does not come with it: the task ends, and says why."""

import pytest

from tests.service.conftest import OPEN, Browser, Site, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]

GRAPH = """\
title: On a network of one's own
question: Does it run?
defaults:
  - override /topology: graph
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {file: uploads/ring.csv}
"""
RING = b"from,to\na,b\nb,c\nc,a\nx,a\ny,b\nz,c\n"
#: What is lost after the submission, and a line of the log that names it.
LOST = {
    "the network": ("t.files.all().delete()", "uploads/ring.csv"),
    "the experiment": ("t.experiment_yaml = ''\nt.save()", "configs/experiment/ring.yaml"),
}


@pytest.mark.parametrize("lost", LOST)
def test_a_missing_file_of_parameters_ends_the_task_with_a_line_in_its_log(
    shared: Site, ann: Browser, lost: str
) -> None:
    code, named = LOST[lost]
    form = {"name": "ring", "yaml": GRAPH, "timeout_s": "600"}
    page = ann.upload("/submit/yaml", {"files": ("ring.csv", RING)}, **form)
    assert "/tasks/" in page.url, page.text
    shared.python(f"from weft.service.tasks.models import Task\nt = Task.objects.get()\n{code}")
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert (shared.task(), shared.task("attempts")) == ("failed", "1")
    (line, *_) = [each for each in shared.task("log_tail").splitlines() if named in each]
    assert line.startswith("weft: "), line
    assert "see the log" in ann.get(page.url).text
    # It is not computed in part, and its folder is gone.
    assert shared.task("result_bytes") == "None"
    assert not list((shared.folder / "one" / "tasks").glob("*"))

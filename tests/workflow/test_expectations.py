"""With strict_expectations a run ends badly where what was expected did not come out."""

import pytest
from weft.prepare.messages.summary import RunSummary

from tests.workflow.conftest import EXPERIMENT

EXPECT = "expect: [{{metric: makespan_s, below: {below}}}]\n"
STRICT = ("--config", "strict_expectations=true")


def state(project, below, name="stated"):
    text = EXPERIMENT.format(title=name, sizes=[3, 4]) + EXPECT.format(below=below)
    project.write(name, text)


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_missed_expectation_is_an_error_and_the_page_is_there(project):
    state(project, "1 ns")
    # A second run has nothing to compute, and judges again.
    for _ in range(2):
        ended = project.run("reports/stated.html", *STRICT)
        assert ended.code == 1, ended.output
        assert "weft: stated: missed: the completion time is below 1 ns: " in ended.output
        assert (project.folder / "reports" / "stated.html").is_file()
    assert project.run("reports/stated.html").code == 0
    state(project, "1 h")
    assert project.run("reports/stated.html", *STRICT).code == 0
    project.small("silent", [3])
    silent = project.run("reports/silent.html", *STRICT)
    assert silent.code == 1
    assert "strict_expectations=true judges nothing: silent has no expect" in silent.output


def test_what_nothing_can_judge_is_no_success(tmp_path):
    with pytest.raises(SystemExit, match="x: nothing judges its expectations"):
        RunSummary(("x",), tmp_path, judged_by=tmp_path).check()

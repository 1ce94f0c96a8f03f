"""Comparisons of what was run: pages of their own that compute nothing."""

from pathlib import Path

import pytest
from weft.prepare.request.comparisons import check_comparisons

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]


def test_a_page_that_compares_is_made_again_once_the_other_was_run(project: Project) -> None:
    path = project.small("twin", [3])
    path.write_text(path.read_text() + "report: {compare: [twin, twin@after]}\n")
    assert project.run("reports/twin.html").code == 0
    page = project.folder / "reports" / "twin.html"
    assert "Not run yet: twin@after." in page.read_text()
    assert project.collect("twin", "--config", "run=after").code == 0

    done = project.run("reports/twin.html")

    assert done.jobs == {"report": 1}
    assert "No change beyond scatter" in page.read_text()


def test_what_was_never_run_stops_a_comparison_with_the_nearest_name(project: Project) -> None:
    project.small("present", [3])
    assert project.collect("present").code == 0

    done = project.run("reports/compare/present..presnet.html")

    assert done.code == 1
    line = "weft: nothing to compare: 'presnet' was not run here; nearest: present"
    assert line in done.output
    assert not done.jobs


def test_two_names_that_no_file_can_hold_are_refused() -> None:
    target = f"reports/compare/{'a' * 120}..{'b' * 120}.html"
    with pytest.raises(ValueError, match="no file can have a name of this length"):
        check_comparisons([target], alone=True, results=Path("results"))

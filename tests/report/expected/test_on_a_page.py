"""A page shows what was expected beside what came out, below the answer and above its limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from expected_samples import expected, flow
from report_samples import CONFIGS
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow


def test_a_page_has_a_line_for_each_expectation(tmp_path: Path) -> None:
    entries = [{"metric": "makespan_s", "below": below} for below in ("2 us", "1 us")]
    points = flow((4, 1.5e-6), (8, 1.6e-6))
    build_report(*points.stored(tmp_path, list(map(expected, entries))), CONFIGS, tmp_path / "x")
    page = (tmp_path / "x").read_text()
    shown = page.partition('<ul class="expectations">')[2].partition("</ul>")[0]
    lines = [line for line in shown.splitlines() if line.startswith("<li>")]
    assert ["held" in lines[0], "missed" in lines[1], len(lines)] == [True, True, 2]
    assert "1.6 µs (60% above) at k = 8" in lines[1].replace("\N{NO-BREAK SPACE}", "")
    assert page.index('class="finding"') < page.index('class="expectations"')


def test_a_page_without_expectations_has_no_list(tmp_path: Path) -> None:
    build_report(*flow((4, 1e-6), (8, 2e-6)).stored(tmp_path, []), CONFIGS, tmp_path / "x")
    assert '<ul class="expectations">' not in (tmp_path / "x").read_text()

"""A page shows what was expected beside what came out, below the answer and above its limits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from expected_samples import expected, flow
from report_samples import CONFIGS
from weft.archive.results import result_files
from weft.files.layout import ExperimentFolder
from weft.plan import read_plan
from weft.plan.stated import note_stated
from weft.report.data.source import open_study
from weft.report.expected import stated_notes
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow
BELOW = {"metric": "makespan_s", "below": "2 us"}


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


def notes(folder: Path, *steps: tuple[str, ...], ran_before: int) -> list[str]:
    """The notes of a page whose file stated each of `steps`, which are an hour apart."""
    built = flow((4, 1e-6), (8, 2e-6)).stored(folder, [expected(BELOW)])
    left = ExperimentFolder.of_plan(built[0])
    for hours, texts in enumerate(steps):
        if hours == ran_before:
            left.shard("flow", "0123").path.mkdir(parents=True)
            left.shard("flow", "0123").status.touch()
        note_stated(left, texts, datetime(2030, 12, 1, hours, tzinfo=UTC))
    with open_study(*built, CONFIGS) as study:
        return stated_notes(study)


@pytest.mark.parametrize(
    ("ran_before", "said"),
    [
        (2, ["Stated on 2030-12-01 01:00 UTC, before the first results."]),
        (
            1,
            [
                "Stated on 2030-12-01 00:00 UTC, before the first results.",
                "Changed on 2030-12-01 01:00 UTC, after the first results. Before: {metric: a}.",
            ],
        ),
        (
            0,
            [
                "Stated on 2030-12-01 00:00 UTC, after the first results.",
                "Changed on 2030-12-01 01:00 UTC, after the first results. Before: {metric: a}.",
            ],
        ),
    ],
)
def test_a_change_after_the_first_results_is_shown_with_the_earlier_text(
    tmp_path: Path, ran_before: int, said: list[str]
) -> None:
    assert notes(tmp_path, ("{metric: a}",), ("{metric: b}",), ran_before=ran_before) == said


def test_what_was_taken_away_and_added_is_said(tmp_path: Path) -> None:
    found = notes(tmp_path, ("{a: 1}",), ("{a: 1}", "{b: 1}"), ("{b: 1}",), ran_before=1)
    assert [line.partition(" on ")[0] for line in found] == ["Stated", "Added", "Taken away"]
    assert found[1].endswith("first results: {b: 1}.")
    assert found[2].endswith("Before: {a: 1}.")


def test_a_damaged_note_tells_no_date(tmp_path: Path) -> None:
    built = flow((4, 1e-6)).stored(tmp_path, [expected(BELOW)])
    ExperimentFolder.of_plan(built[0]).expectations.write_text("{}")
    with open_study(*built, CONFIGS) as study:
        (note,) = stated_notes(study)
    assert "expectations.json is damaged" in note


def test_an_archive_has_the_dates(tmp_path: Path) -> None:
    plan, _ = flow((4, 1e-6)).stored(tmp_path, [expected(BELOW)])
    left = ExperimentFolder.of_plan(plan)
    note_stated(left, ["{metric: a}"], datetime(2030, 12, 1, tzinfo=UTC))
    assert left.expectations in list(result_files(read_plan(plan), left))

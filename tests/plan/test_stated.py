"""When something was expected is noted once, and each change is kept with what was before."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.files.layout import ExperimentFolder
from weft.plan.outcome import DamagedError
from weft.plan.stated import note_stated, read_stated

NOON = datetime(2030, 12, 1, 12, tzinfo=UTC)
TEXTS = st.lists(st.sampled_from("abcd"), max_size=4, unique=True)


@pytest.fixture
def folder(tmp_path: Path) -> ExperimentFolder:
    return ExperimentFolder(tmp_path / "x")


def note(folder: ExperimentFolder, *texts: str, hours: int = 0) -> None:
    note_stated(folder, texts, NOON + timedelta(hours=hours))


def end_a_point(folder: ExperimentFolder) -> None:
    left = folder.shard("flow", "0123")
    left.path.mkdir(parents=True)
    left.journal.write_text("{}\n")


def test_the_first_date_stays_however_often_it_is_planned(folder):
    for hours in range(3):
        note(folder, "a", "b", hours=hours)
    (only,) = read_stated(folder)
    assert (only.date, only.after_results) == ("2030-12-01T12:00:00+00:00", False)
    assert only.expectations == ("a", "b")


def test_another_order_changes_nothing(folder):
    note(folder, "a", "b")
    note(folder, "b", "a", hours=1)
    assert len(read_stated(folder)) == 1


def test_nothing_expected_leaves_no_file(folder):
    note(folder)
    assert not folder.expectations.exists()


def test_a_change_after_results_is_told_from_one_before(folder):
    note(folder, "a")
    note(folder, "b", hours=1)
    end_a_point(folder)
    note(folder, "c", hours=2)
    note(folder, hours=3)
    found = read_stated(folder)
    assert [each.after_results for each in found] == [False, False, True, True]
    assert [each.expectations for each in found] == [("a",), ("b",), ("c",), ()]


def test_a_damaged_note_is_refused_and_stays(folder):
    note(folder, "a")
    damaged = folder.expectations.read_text().replace("2030", "2029")
    folder.expectations.write_text(damaged)
    with pytest.raises(DamagedError, match="does not match its checksum"):
        note(folder, "b")
    assert folder.expectations.read_text() == damaged


@given(st.lists(TEXTS, max_size=6))
def test_the_last_version_is_what_was_noted_last(tmp_path_factory, steps):
    folder = ExperimentFolder(tmp_path_factory.mktemp("stated") / "x")
    for hours, texts in enumerate(steps):
        note(folder, *texts, hours=hours)
    found = read_stated(folder)
    last = found[-1].expectations if found else ()
    assert sorted(last) == sorted(steps[-1] if steps else ())
    assert all({*a.expectations} != {*b.expectations} for a, b in pairwise(found))

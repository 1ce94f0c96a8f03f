"""What tells when something was expected is verified, and nothing removes it."""

from datetime import UTC, datetime
from pathlib import Path

from weft.command.checksums import all_damage
from weft.plan.stated import note_stated
from weft.read import Project


def test_a_changed_date_of_expectations_is_damage_that_no_run_repairs(tmp_path: Path) -> None:
    project = Project(tmp_path)
    folder = project.layout.results.experiment("x")
    note_stated(folder, ["{metric: makespan_s, below: 2 ms}"], datetime(2030, 12, 1, tzinfo=UTC))
    assert list(all_damage(project, "x")) == []
    text = folder.expectations.read_text()
    folder.expectations.write_text(text.replace("2030-12-01", "2029-12-01"))
    (damage,) = all_damage(project, "x")
    assert damage.removed is None
    assert "expectations.json is damaged" in damage.text
    assert "delete it" in damage.text

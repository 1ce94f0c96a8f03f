"""`weft.answers`: why values are not to be trusted, as a column that a script can rely on."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
import weft
from weft.command.show import answer_lines

from tests.report.report_samples import quickstart


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A project whose results hold one experiment."""
    (tmp_path / "Snakefile").touch()
    (tmp_path / "configs").mkdir()
    quickstart(tmp_path)
    return tmp_path


def test_the_column_is_there_without_any_flag_and_not_shown(sample: Path) -> None:
    found = weft.answers("quickstart", sample)
    assert set(found.table["flag"].to_pylist()) == {None}
    assert "flag" not in found.shown().column_names


def test_it_holds_the_reason_of_flagged_values_and_is_shown(sample: Path) -> None:
    with duckdb.connect(str(sample / "results" / "weft.duckdb")) as con:
        con.execute("UPDATE metrics SET flag = 'busy' WHERE message_bytes = 4")
    found = weft.answers("quickstart", sample)
    flagged = [row for row in found.table.to_pylist() if row["flag"]]
    assert {(row["flag"], row["message_bytes"]) for row in flagged} == {("busy", 4)}
    assert "flag" in found.shown().column_names


@pytest.mark.slow
def test_small_values_are_printed_with_their_digits(sample: Path) -> None:
    found = weft.answers("quickstart", sample)
    smallest = min(value for value in found.table["value"].drop_null().to_pylist() if value > 0)
    assert smallest < 1e-4
    (printed,) = answer_lines(found, None, None, len(found))
    assert f" {smallest:.6g} " in printed
    assert "NaN" not in printed

"""What a simulator writes beside its metrics is what it declares: each table, with its columns."""

from pathlib import Path

import pytest
from weft.engines.registry import engine
from weft.engines.side_tables import side_tables
from weft.tables.declared import DECLARED

from tests.programs.test_jobs import ENGINES, LINE, SIZE, alltoall, line_of

#: Of lists and of traffic alone.
NOT_OF_PROGRAMS = {"buffers"}


@pytest.mark.parametrize("name", ENGINES)
def test_jobs_leave_every_declared_table_and_no_other(tmp_path: Path, name: str) -> None:
    declared = {*engine(name).side_tables} - NOT_OF_PROGRAMS
    asked = sorted(table for table in declared if DECLARED[table].beside is None)
    jobs = [alltoall(4, SIZE.get(name, 4000)), alltoall(4, SIZE.get(name, 4000))]
    line, log = line_of(tmp_path, jobs, name, LINE, tables=asked)
    assert line["status"] == "done", line["error"] + log
    written = {path.name.rpartition("-")[0] for path in (tmp_path / "out").glob("*.csv")}
    assert written == declared
    (point_id,) = {path.stem.rpartition("-")[2] for path in (tmp_path / "out").glob("*.csv")}
    found = side_tables(tmp_path / "out", sorted(declared), [point_id])
    assert not found.problems


def test_a_table_that_an_engine_lacks_is_refused(tmp_path: Path) -> None:
    line, _ = line_of(tmp_path, [alltoall(4, 100)], "anet", LINE, tables=["nodes"])
    assert "tables contains nodes; anet has the tables series, links" in line["error"]

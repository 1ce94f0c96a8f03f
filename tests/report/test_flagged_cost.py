"""Flags of simulated values: a page does not look through them for what no value has."""

from pathlib import Path

import duckdb
import pytest
from figure_samples import answered
from report_samples import CONFIGS
from weft.report.data.flagged import flagged_values, note
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import Study, open_study
from weft.tables.metrics import UNFITTING

FIGURES = [{"line": {"x": "topology.k", "y": "makespan_s"}}]
ANSWERS = [("flow", {"topology.k": k}, "makespan_s", 1e-6 * k) for k in (2, 4, 8)]


def test_flags_are_not_looked_for_in_every_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    query = Study.query

    def noted(study: Study, sql: str, *given: dict[str, object]) -> list[dict[str, object]]:
        asked.append(sql)
        return query(study, sql, *given)

    with open_study(*answered(tmp_path, FIGURES, ANSWERS, "s"), CONFIGS) as study:
        monkeypatch.setattr(Study, "query", noted)
        assert flagged_values(study) == []
    assert asked
    assert not [sql for sql in asked if "FROM measured" in sql]


def test_a_simulated_value_that_does_not_fit_is_no_matter_of_a_busy_machine(tmp_path: Path) -> None:
    plan, database = answered(tmp_path, FIGURES, ANSWERS, "s")
    flag = f"{UNFITTING}: messages is 2.5"
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE metrics SET flag = ? WHERE value > 5e-6", [flag])
    with open_study(plan, database, CONFIGS) as study:
        [caveat] = flagged_values(study)
    assert caveat.text == (
        "Not what the network counted (a program may have made it up): 1 of 3 values of flow is"
        f" flagged ({flag})."
        " No prediction is judged by them: they are marked in the figures."
    )
    assert note([SeriesValue("rdma", ANSWER, 1, 1.0, flag=flag)]) == [
        "Hollow marks: not what the network counted (a program may have made it up), not to be"
        " trusted."
    ]

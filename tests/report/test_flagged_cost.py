"""A page of simulated points does not look through their values for flags that no value has."""

from pathlib import Path

import pytest
from figure_samples import answered
from report_samples import CONFIGS
from weft.report.data.flagged import flagged_sentences
from weft.report.data.source import Study, open_study

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
        assert flagged_sentences(study) == []
    assert asked
    assert not [sql for sql in asked if "FROM measured" in sql]

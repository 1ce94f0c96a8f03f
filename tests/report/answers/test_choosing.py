"""What an answer says of choices: how often they are right, and what wrong ones lose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from figure_samples import Answer, answered
from report_samples import CONFIGS
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.references import comparisons
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow

CHOICE = {
    "x": "workload.ranks", "y": "topology.k", "row": "engine", "value": "makespan_s",
    "among": "options.bcast_algorithm", "to": {"engine": "rdma"},
}  # fmt: skip
PREDICTED = {"where": {"engine": ["model", "flow"]}}
#: By engine, ranks and algorithm. For 8 ranks the model chooses what takes 1.5 times as long.
TIMES = {
    ("model", 4, "chain"): 1.0, ("model", 4, "binary"): 2.0,
    ("model", 8, "chain"): 1.0, ("model", 8, "binary"): 2.0,
    ("flow", 4, "chain"): 3.0, ("flow", 4, "binary"): 4.0,
    ("flow", 8, "chain"): 6.0, ("flow", 8, "binary"): 5.0,
    ("rdma", 4, "chain"): 3.0, ("rdma", 4, "binary"): 4.0,
    ("rdma", 8, "chain"): 6.0, ("rdma", 8, "binary"): 4.0,
}  # fmt: skip
VALUES: list[Answer] = [
    (engine, {"workload.ranks": ranks, "options.bcast_algorithm": name, "topology.k": 2},
     "makespan_s", seconds)
    for (engine, ranks, name), seconds in TIMES.items()
]  # fmt: skip


def sentences(folder: Path, figures: list[dict[str, Any]]) -> list[str]:
    with open_study(*answered(folder, figures, VALUES, "s"), CONFIGS) as study:
        return answer(study, study_figures(study), [], coverage(study)).sentences


def test_how_often_choices_are_right_and_what_they_lose_is_the_first_answer(
    tmp_path: Path,
) -> None:
    (first, *_) = sentences(tmp_path, [{"choice": {**CHOICE, **PREDICTED}}])
    assert first == (
        "Judged by rdma, model is right in 1 of 2 cells and loses 25.00% on average, at most 50.0%;"
        " flow is right in 2 of 2 cells."
    )


def test_of_several_maps_each_answer_begins_with_the_title(tmp_path: Path) -> None:
    map_of = {**CHOICE, **PREDICTED}
    named = [{"choice": {**map_of, "title": title}} for title in ("Here", "There")]
    starts = [text.partition(":")[0] for text in sentences(tmp_path, named)]
    assert starts[:2] == ["Here", "There"]


def test_a_map_that_nothing_judges_gives_no_answer(tmp_path: Path) -> None:
    plain = {key: value for key, value in CHOICE.items() if key != "to"}
    assert not any("right" in text for text in sentences(tmp_path, [{"choice": plain}]))


def test_an_algorithm_is_compared_with_itself(tmp_path: Path) -> None:
    with open_study(*answered(tmp_path, [], VALUES, "s"), CONFIGS) as study:
        found = {c.of: c for c in comparisons(study, "makespan_s", [], to="rdma")}
        assert set(found) == {"model", "flow"}
        assert found["flow"].matched == 4
        assert found["flow"].worst.ratio == pytest.approx(5 / 4)

"""Maps of choices are held to how often they are right, or to what they lose."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_samples import answered
from report_samples import CONFIGS
from weft.config.model.expectation import ChoicesExpected
from weft.report.answers.question import PageSources
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.expected.choices import judged_maps

pytestmark = pytest.mark.slow
#: By model, ranks and d. Model b is right at 4 ranks; at 8 it loses a third.
TIMES = {
    ("a", 4, 1): 1.0, ("a", 4, 2): 2.0, ("a", 8, 1): 4.0, ("a", 8, 2): 3.0,
    ("b", 4, 1): 1.5, ("b", 4, 2): 2.0, ("b", 8, 1): 4.0, ("b", 8, 2): 5.0,
}  # fmt: skip
ANSWERS = [
    ("flow", {"cost": cost, "workload.ranks": ranks, "d": d, "topology.k": 2}, "makespan_s", s)
    for (cost, ranks, d), s in TIMES.items()
]
MAP = {"x": "workload.ranks", "y": "topology.k", "value": "makespan_s", "among": "d",
       "row": "cost", "to": {"cost": "a"}}  # fmt: skip


@pytest.mark.parametrize(
    ("stated", "verdict", "text"),
    [
        ({"choices": "right", "at_least": "50 %"}, "held", "right in 1 of 2 cells"),
        ({"choices": "right", "above": 0.5}, "missed", "right in 1 of 2 cells"),
        ({"choices": "lost", "below": "20 %"}, "held", "16.67% on average"),
        ({"choices": "lost", "at_most": "10 %"}, "missed", "16.67% on average (66.7% above)"),
    ],
)
def test_choices_are_held_to_a_share(
    tmp_path: Path, stated: dict[str, object], verdict: str, text: str
) -> None:
    with open_study(*answered(tmp_path, [{"choice": MAP}], ANSWERS, "s"), CONFIGS) as study:
        page = PageSources(study, study_figures(study), [])
        ((name, found),) = judged_maps(page, ChoicesExpected.model_validate(stated))
    assert (name, found.verdict) == ("cost = b", verdict)
    assert found.text == text

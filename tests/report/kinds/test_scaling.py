"""Scaling shows speed-ups beside the ideal, and says the efficiency."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_samples import answered, drawn
from report_samples import CONFIGS
from weft.report.data.figures import default_figures
from weft.report.data.source import open_study

FIGURES = [{"scaling": {"of": "program_time_s"}}]
#: Ranks, and a time that halves at first.
TIMES = {2: 8e-3, 4: 4e-3, 8: 2.5e-3}
ANSWERS = [("flow", {"workload.ranks": n}, "program_time_s", time) for n, time in TIMES.items()]


@pytest.mark.slow
def test_speed_ups_stand_beside_the_ideal(tmp_path: Path) -> None:
    (drawing,) = drawn(tmp_path, FIGURES, ANSWERS, "s")
    found: dict[str, list[tuple[float, float]]] = {}
    for row in drawing.panels[0].spec["data"]["values"]:
        found.setdefault(row["series"], []).append((float(row["x"]), row["y"]))
    assert found == {"flow": [(2, 1), (4, 2), (8, 3.2)], "ideal": [(2, 1), (4, 2), (8, 4)]}
    assert drawing.notes == [
        "Speed-up: the time on the fewest ranks (2) divided by that on more. Efficiency: 80% (flow,"
        " 8 ranks)."
    ]


@pytest.mark.slow
def test_a_rate_has_no_speed_up(tmp_path: Path) -> None:
    rates = [("flow", {"workload.ranks": n}, "bandwidth_bytes_per_s", 1e9) for n in (2, 4)]
    (drawing,) = drawn(tmp_path, [{"scaling": {"of": "bandwidth_bytes_per_s"}}], rates, "B/s")
    assert not drawing.panels
    assert any("it is no time" in note for note in drawing.notes)


@pytest.mark.slow
def test_a_page_without_figures_has_it_where_ranks_vary(tmp_path: Path) -> None:
    with open_study(*answered(tmp_path, [], ANSWERS, "s"), CONFIGS) as study:
        assert [type(each).__name__ for each in default_figures(study)] == ["Line", "Scaling"]


#: The packet model was not asked on two ranks, and on a second network all take twice as long.
OF_PANELS = [
    (engine, {"workload.ranks": n, "network.name": name}, "program_time_s", time * longer)
    for name, longer in (("fast", 1), ("slow", 2))
    for engine in ("flow", "packet") for n, time in TIMES.items()
    if not (engine == "packet" and n == 2)
]  # fmt: skip


@pytest.mark.slow
def test_a_series_that_begins_with_more_ranks_begins_on_the_ideal(tmp_path: Path) -> None:
    """Each panel has efficiencies of its own: packet's are 0.8 of its own first time."""
    figure = {"scaling": {"of": "program_time_s", "row": "network.name"}}
    (drawing,) = drawn(tmp_path, [figure], OF_PANELS, "s")
    for panel in drawing.panels:
        rows = panel.spec["data"]["values"]
        packet = [(float(row["x"]), row["y"]) for row in rows if row["series"] == "packet"]
        assert packet == [(4, 2), (8, 3.2)]
    (note,) = (note for note in drawing.notes if note.startswith("Speed-up"))
    assert "(2 and 4)" in note
    assert "begin on the ideal" in note
    assert note.count("80%") == 4
    assert "packet, slow, 8 ranks" in note

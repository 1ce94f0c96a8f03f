"""Comparisons use the seeds that both sides have, and the page says which ones are missing.

A seed draws the placement or the pattern, which does the same to every engine: here the third seed
takes ten times as long as the first one. Flow is 6 % slower than packet with every seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import packet_samples
import pytest
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.report.answers import answer
from weft.report.answers.along.question import AlongAsk
from weft.report.answers.question import PageSources
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings
from weft.report.kinds.choice.rows import choice_data
from weft.report.kinds.map.rows import map_data
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow

PACKET = {0: 1e-6, 1: 2e-6, 2: 10e-6}
FLOW = {seed: 1.06 * seconds for seed, seconds in PACKET.items()}
LINE = {"line": {"x": "topology.k", "y": "makespan_s"}}
#: Engine, k, and for each planned seed the seconds, None where the point failed.
Series = tuple[str, int, dict[int, float | None]]
LACKS_LAST: list[Series] = [("flow", 4, {**FLOW}), ("packet", 4, {**PACKET, 2: None})]


def stored(folder: Path, series: Sequence[Series], *figures: Row) -> tuple[Path, Path]:
    points, metrics, runs = [], [], []
    for engine, k, values in series:
        for seed, seconds in values.items():
            spec: Row = {"topology": {"kind": "mesh", "k": k}, "network": {}, "options": {},
                         "workload": {"kind": "messages"}}  # fmt: skip
            at = point(engine, {"topology.k": k}, spec, seed)
            points.append(at)
            runs.append(run(at, "failed" if seconds is None else "done", cpu_s=1.0 + seed))
            if seconds is not None:
                metrics.append(packet_samples.value(at, "makespan_s", seconds, "s"))
    return packet_samples.stored(folder, make_plan("seeds", points, list(figures)), metrics, runs)


def said(built: tuple[Path, Path]) -> str:
    with open_study(*built, CONFIGS) as study:
        return " ".join(answer(study, study_figures(study), [], coverage(study)).sentences)


def test_a_seed_that_one_engine_lacks_counts_for_neither(tmp_path: Path) -> None:
    text = said(stored(tmp_path, LACKS_LAST, LINE))
    assert "1.59 µs against 1.5 µs" in text


def test_the_page_names_the_seeds_that_are_missing(tmp_path: Path) -> None:
    series = [*LACKS_LAST, ("flow", 8, {**FLOW, 0: None, 1: None}), ("packet", 8, {**PACKET})]
    assert (
        "Seeds without a value: seed 2 of packet at k = 4 (completion time); seeds 0 and 1 of flow"
        " at k = 8 (completion time). Where values are compared, these seeds count on no side."
    ) in said(stored(tmp_path, series, LINE))


def test_without_a_common_seed_nothing_is_compared(tmp_path: Path) -> None:
    series: list[Series] = [
        ("flow", 4, {0: 1e-6, 1: None}), ("packet", 4, {0: None, 1: 1e-6}),
    ]  # fmt: skip
    assert "exactly the same" not in said(stored(tmp_path, series, LINE))


def test_another_number_of_seeds_is_compared_on_those_of_both(tmp_path: Path) -> None:
    series: list[Series] = [("flow", 4, {**FLOW}), ("packet", 4, {0: PACKET[0], 1: PACKET[1]})]
    text = said(stored(tmp_path, series, LINE))
    assert "1.59 µs against 1.5 µs" in text
    assert "without a value" not in text


def test_repeats_of_a_machine_are_no_seeds_of_a_prediction(tmp_path: Path) -> None:
    series: list[Series] = [("flow", 4, {0: 1e-6}), ("hardware", 4, {0: 1e-6, 1: 2e-6, 2: 3e-6})]
    assert "1 µs against 2 µs" in said(stored(tmp_path, series, LINE))


def test_ratios_and_maps_use_common_seeds_and_say_so(tmp_path: Path) -> None:
    ratio = {"ratio": {"x": "topology.k", "of": "flow", "to": "packet", "y": "makespan_s"}}
    heat = {"map": {"x": "topology.k", "y": ["topology.kind"], "value": "makespan_s",
                    "of": "flow", "to": "packet", "within": 0.1}}  # fmt: skip
    with open_study(*stored(tmp_path, LACKS_LAST, ratio, heat), CONFIGS) as study:
        drawn, mapped = figure_drawings(study, study.plan.report.figures, Palette())
        (cell,) = map_data(study, study.plan.report.figures[1]).cells
    assert cell.value == pytest.approx(1.06)
    assert "1.06" in drawn.csv
    note = "Where a side lacks a seed, both sides are those of the seeds that they share."
    assert note in drawn.notes
    assert note in mapped.notes


def test_the_best_is_found_on_common_seeds(tmp_path: Path) -> None:
    """With all seeds that each has, flow would be worse than packet, which lacks the slow one."""
    faster = {seed: 0.9 * seconds for seed, seconds in PACKET.items()}
    series: list[Series] = [("flow", 4, {**faster}), ("packet", 4, {**PACKET, 2: None})]
    choice = {"choice": {"x": "topology.k", "y": "topology.k", "among": "engine",
                         "value": "makespan_s"}}  # fmt: skip
    with open_study(*stored(tmp_path, series, choice), CONFIGS) as study:
        (cell,) = choice_data(study, study.plan.report.figures[0]).cells
    assert cell.choice == "flow"


def test_a_convergence_uses_common_seeds(tmp_path: Path) -> None:
    ask = AlongAsk("makespan_s", "topology.k", ("engine",), within=0.01, to_first=True)
    series: list[Series] = [("flow", 4, {**PACKET}), ("packet", 4, {**PACKET, 2: None})]
    with open_study(*stored(tmp_path, series, LINE), CONFIGS) as study:
        (text,) = ask.sentences(PageSources(study, [], []))
    assert "within 1% throughout with packet" in text


def test_costs_are_those_of_common_seeds(tmp_path: Path) -> None:
    """Each seed costs one second more than the one before it, in both engines."""
    bar = {"bar": {"x": "topology.k", "y": "cpu_s"}}
    text = said(stored(tmp_path, LACKS_LAST, LINE, bar))
    assert "1.5 s of CPU time in flow and 1.5 s in packet" in text

"""Two runs side by side: what changed by more than its scatter, and what only one of them has."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_samples import CONFIGS, Row, make_plan, point, run, write
from weft.plan import read_plan, write_plan
from weft.report.compare.changes import Compared, Verdict, compared
from weft.report.compare.page import build_comparison
from weft.report.data.source import open_study
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow

SPEC: Row = {"topology": {"kind": "torus", "k": 3}, "network": {}, "options": {},
             "workload": {"kind": "messages", "per_node": 10}}  # fmt: skip


class Runs:
    """Two experiments in one database, filled value by value."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.points: dict[str, dict[str, Any]] = {"x@a": {}, "x@b": {}}
        self.metrics: list[Row] = []
        self.samples: list[Row] = []

    def add(
        self,
        name: str,
        value: float,
        *,
        k: int = 3,
        engine: str = "flow",
        replicate: int = 0,
        spread: float | None = None,
        flag: str | None = None,
        metric: str = "makespan_s",
        network: Row | None = None,
        **topology: int,
    ) -> None:
        spec = {
            **SPEC,
            "network": network or {},
            "topology": {**SPEC["topology"], "k": k, **topology},
        }
        at = point(engine, {"topology.k": k}, spec, replicate)
        self.points[name][at.point_id] = at
        row = {"experiment": name, "point_id": at.point_id, "metric": metric, "unit": "s"}
        self.metrics.append({**row, "value": value, "flag": flag})
        if spread is not None:
            times = [value + spread * (i - 5) for i in range(11)]
            self.samples += [{**row, "repetition": i, "value": v} for i, v in enumerate(times)]

    def written(self) -> tuple[tuple[Path, Path], Path]:
        figures = [{"line": {"x": "topology.k", "y": "makespan_s"}}]
        found = self.points.items()
        plans = [make_plan(name, list(points.values()), figures) for name, points in found]
        runs = [{"experiment": n, **run(p)} for n, points in found for p in points.values()]
        tables = {"runs": runs, "metrics": self.metrics, "samples": self.samples}
        paths = tuple(self.folder / "results" / name / "plan.json" for name in self.points)
        return (paths[0], paths[1]), write(self.folder, plans, tables)

    def compared(self) -> Compared:
        paths, database = self.written()
        with ExitStack() as stack:
            a, b = (stack.enter_context(open_study(p, database, CONFIGS)) for p in paths)
            return compared(a, b)

    def verdict(self) -> Verdict:
        (pair,) = self.compared().pairs
        return pair.verdict


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def test_a_tiny_difference_of_a_simulators_single_values_is_a_change(runs: Runs) -> None:
    runs.add("x@a", 1.0)
    runs.add("x@b", 1.0 + 1e-8)
    assert runs.verdict() == Verdict.CHANGED


def test_the_last_digits_of_a_simulators_value_are_no_change(runs: Runs) -> None:
    runs.add("x@a", 1.0)
    runs.add("x@b", 1.0 + 1e-12)
    assert runs.verdict() == Verdict.SAME


@pytest.mark.parametrize(("shift", "verdict"), [(0.05, Verdict.SAME), (5.0, Verdict.CHANGED)])
def test_replicates_change_when_they_differ_beyond_their_scatter(
    runs: Runs, shift: float, verdict: Verdict
) -> None:
    noise = [0.0, 0.4, -0.3, 0.1, -0.2]
    for i, each in enumerate(noise):
        runs.add("x@a", 10 + each, replicate=i)
        runs.add("x@b", 10 + shift + noise[-1 - i], replicate=i)
    assert runs.verdict() == verdict


@pytest.mark.parametrize(("shift", "verdict"), [(0.2, Verdict.SAME), (1.0, Verdict.CHANGED)])
def test_measurements_change_when_their_middle_halves_do_not_overlap(
    runs: Runs, shift: float, verdict: Verdict
) -> None:
    runs.add("x@a", 10.0, engine="hardware", spread=0.1)
    runs.add("x@b", 10.0 + shift, engine="hardware", spread=0.1)
    assert runs.verdict() == verdict


def test_one_measurement_without_repetitions_judges_nothing(runs: Runs) -> None:
    runs.add("x@a", 10.0, engine="hardware")
    runs.add("x@b", 20.0, engine="hardware")
    assert runs.verdict() == Verdict.UNKNOWN


def test_a_flagged_measurement_judges_nothing(runs: Runs) -> None:
    runs.add("x@a", 10.0, engine="hardware", spread=0.1)
    runs.add("x@b", 20.0, engine="hardware", spread=0.1, flag="load 10 on 2 cores")
    assert runs.verdict() == Verdict.FLAGGED


def test_places_that_only_one_run_has_are_listed(runs: Runs) -> None:
    for name, sizes in (("x@a", (3, 4)), ("x@b", (4, 5))):
        for k in sizes:
            runs.add(name, 1.0, k=k)
    found = runs.compared()
    assert [pair.coordinates["topology.k"] for pair in found.pairs] == [4]
    assert [entry.coordinates["topology.k"] for entry in found.only_a] == [3]
    assert [entry.coordinates["topology.k"] for entry in found.only_b] == [5]


def test_settings_that_follow_from_others_keep_no_values_apart(runs: Runs) -> None:
    for name, power in (("x@a", 2), ("x@b", 3)):
        for k in (3, 4):
            runs.add(name, float(power), k=k, nodes=k**power)
    found = runs.compared()
    assert found.keys == ("topology.k",)
    assert len(found.changes) == 2


def page_that_compares(runs: Runs, *names: str) -> str:
    (first, _), database = runs.written()
    plan = read_plan(first)
    write_plan(replace(plan, stored_report={**plan.stored_report, "compare": names}), first)
    out = runs.folder / "own.html"
    build_report(first, database, CONFIGS, out)
    return out.read_text()


def test_a_report_shows_the_two_that_it_asks_for_side_by_side(runs: Runs) -> None:
    runs.add("x@a", 1.0)
    runs.add("x@b", 2.0)
    page = page_that_compares(runs, "x@a", "x@b")
    assert "1 of 1 value changed by more than the scatter from a to b." in page
    assert 'id="compared-1"' in page


def test_a_report_says_which_of_the_two_was_not_run_yet(runs: Runs) -> None:
    runs.add("x@a", 1.0)
    assert "Not run yet: x@later." in page_that_compares(runs, "x@a", "x@later")


def test_figures_say_where_both_runs_coincide_and_have_titles_of_their_own(runs: Runs) -> None:
    runs.add("x@a", 1.0)
    runs.add("x@b", 1.0)
    page = page_that_compares(runs, "x@a", "x@b")
    assert "a and b coincide." in page
    assert "(a and b)</h3>" in page


def test_metrics_of_which_less_or_more_is_better_come_first(runs: Runs) -> None:
    for name, time, warmup in (("x@a", 1.0, 3000.0), ("x@b", 1.1, 1000.0)):
        runs.add(name, time)
        runs.add(name, warmup, metric="warmup_cycles")
    paths, database = runs.written()
    build_comparison(paths, database, CONFIGS, runs.folder / "compare.html")
    answer = (runs.folder / "compare.html").read_text().split('id="answer"')[1]
    assert answer.index("Completion time: most") < answer.index("Warm-up: most")


def test_the_page_says_what_changed_most_and_what_differs(runs: Runs) -> None:
    for k, after in ((3, 1e-6), (4, 1.5e-6), (5, 1.1e-6)):
        runs.add("x@a", 1e-6, k=k)
        runs.add("x@b", after, k=k, dimensions=2)
    paths, database = runs.written()
    out = runs.folder / "compare.html"
    build_comparison(paths, database, CONFIGS, out)
    page = out.read_text()
    assert "2 of 3 values changed by more than the scatter from a to b." in page
    assert "most for flow at k = 4, from 1 µs to 1.5 µs (+50\u00a0%)." in page
    assert "Settings that differ: topology.dimensions (– → 2)." in page
    assert page.index("flow at k = 4</td>") < page.index("flow at k = 5</td>")
    assert '"series":"b"' in page
    assert 'href="../index.html"' in page


@pytest.mark.parametrize(("latencies", "differs"), [((1e-6, 1.1e-6), True), ((1e-6, 1e-6), False)])
def test_a_new_fit_of_the_network_is_not_taken_for_a_change_of_the_models(
    runs: Runs, latencies: tuple[float, float], differs: bool
) -> None:
    for name, seconds in (("x@a", 1.0), ("x@b", 1.1)):
        runs.add(name, seconds, network={"calibrated_from": "pingpong"})
        runs.add(name, seconds, engine="packet")
    paths, database = runs.written()
    for path, latency_s in zip(paths, latencies, strict=True):
        fit = {"latency_s": latency_s, "bandwidth_bytes_per_s": 1e9}
        path.with_name("calibration.json").write_text(json.dumps(fit))
    build_comparison(paths, database, CONFIGS, runs.folder / "page.html")
    text = " ".join((runs.folder / "page.html").read_text().split())
    said = (
        "Each run fitted the network anew (latency 1 µs → 1.1 µs). So predictions of flow differ"
        " even if the models are the same; 1 of 2 changed values is theirs."
    )
    assert (said in text) == differs
    assert ("Each run fitted" in text) == differs

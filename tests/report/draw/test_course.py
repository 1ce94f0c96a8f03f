"""Figures of what ranks do over time, and of a program's critical path."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import report_samples
from report_samples import CONFIGS, make_plan, point, run
from weft.config.model.program_figures import CriticalPath, RankTimeline
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing
from weft.report.kinds.critical_path import path_findings
from weft.report.pages.build import build_report

Row = dict[str, Any]
FIGURES: list[Row] = [{"rank_timeline": {}}, {"critical_path": {"count": 2}}]
SPEC: Row = {
    "topology": {"kind": "torus", "sizes": [4]}, "network": {}, "options": {},
    "workload": {"kind": "program", "program": "alltoall", "ranks": 2},
}  # fmt: skip
SHOWN = (RankTimeline(), CriticalPath(count=2))
TIMES = ("compute_s", "software_s", "network_s", "waiting_s")
#: Rank, begin and end, and the times in each state.
LANES = [
    (0, 0.0, 8e-6, (8e-6, 0.0, 0.0, 0.0)),
    (0, 8e-6, 1e-5, (0.0, 2e-6, 0.0, 0.0)),
    (1, 0.0, 8e-6, (0.0, 0.0, 0.0, 8e-6)),
    (1, 8e-6, 1e-5, (0.0, 0.0, 1e-6, 1e-6)),
]
#: Rank, call, state, message, seconds.
PATH = [
    (0, None, "compute", (None, None), 8e-6),
    (1, "MPI_Recv", "network", (0, 1), 1.5e-6),
    (1, "MPI_Recv", "software", (None, None), 0.5e-6),
]


def sampled(folder: Path) -> tuple[Path, Path]:
    at = point("rdma", {}, SPEC, 0)
    mine = {"experiment": "course", "point_id": at.point_id}
    tables: dict[str, list[Row]] = {
        "runs": [{"experiment": "course", **run(at)}],
        "metrics": [mine | {"metric": "program_time_s", "message_bytes": None, "value": 1e-5,
                            "unit": "s"}],
        "rank_timeline": [
            mine | {"rank": rank, "quantile": None, "start_s": start, "end_s": end}
            | dict(zip(TIMES, times, strict=True))
            for rank, start, end, times in LANES
        ],
        "critical_path": [
            mine | {"rank": rank, "call": call, "state": state, "source": source,
                    "destination": to, "pieces": 1, "time_s": time_s}
            for rank, call, state, (source, to), time_s in PATH
        ],
    }  # fmt: skip
    plan = make_plan("course", [at], FIGURES)
    return folder / "results/course/plan.json", report_samples.write(folder, [plan], tables)


def test_lanes_share_their_height_among_states_and_bars_name_messages(tmp_path: Path) -> None:
    plan, database = sampled(tmp_path)
    with open_study(plan, database, CONFIGS) as study:
        lanes, bars = (figure_drawing(study, figure, "f", "", Palette()) for figure in SHOWN)
    rows = lanes.panels[0].spec["data"]["values"]
    halves = [row for row in rows if row["rank"] == 1 and row["share"] == 0.5]
    assert [row["series"] for row in halves] == ["waits for the network", "waits for another rank"]
    assert halves[0]["y2"] == halves[1]["y"]
    assert "Rank 1 waits for others for 90% of the time, rank 0 for 0%." in lanes.notes
    parts = [(row["y"], row["share"]) for row in bars.panels[0].spec["data"]["values"]]
    assert parts == [("rank 0, between calls", 0.8), ("0 to 1, MPI_Recv of 1", 0.15)]
    assert "Of the path, computing 80%, work in calls 5%, the network 15%." in bars.notes


def test_the_answer_says_what_bounds_the_time(tmp_path: Path) -> None:
    with open_study(*sampled(tmp_path), CONFIGS) as study:
        assert path_findings(study, CriticalPath(count=2)) == [
            "The critical path is 80% computing, 15% the network and 5% work in calls; its longest"
            " part is computing of rank 0 between calls (8 µs, 80%)."
        ]


def test_ranks_that_do_not_wait_are_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "LANES", LANES[:2])
    plan, database = sampled(tmp_path)
    with open_study(plan, database, CONFIGS) as study:
        lanes = figure_drawing(study, RankTimeline(), "f", "", Palette())
    assert "Every rank waits for others for less than 1% of the time." in lanes.notes


def test_a_legend_leaves_room_for_the_labels_of_the_axis(tmp_path: Path) -> None:
    plan, database = sampled(tmp_path)
    with open_study(plan, database, CONFIGS) as study:
        bars = figure_drawing(study, CriticalPath(count=2), "f", "", Palette())
    spec = str(bars.panels[0].spec)
    label = 6.6 * len("rank 0, between calls")
    assert f"- {label + 20:.0f} + 34" in spec


def test_the_page_holds_both_figures(tmp_path: Path) -> None:
    plan, database = sampled(tmp_path)
    build_report(plan, database, CONFIGS, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "What ranks do over time" in page
    assert "What bounds the time of the program" in page

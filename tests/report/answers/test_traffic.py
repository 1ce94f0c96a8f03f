"""Networks are alternatives; the traffic that they carry is not."""

from __future__ import annotations

from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run

pytestmark = pytest.mark.slow
#: Completion times in microseconds, by pattern and by buffers of 4 and 8 flits.
TIMES = {
    "mesh": {"uniform": (4, 3), "transpose": (9, 9)},
    "torus": {"uniform": (3, 2), "transpose": (5, 5)},
}


def answer_of(folder: Path, figure: Row) -> list[str]:
    points, metrics = [], []
    for kind, by_pattern in TIMES.items():
        for pattern, times in by_pattern.items():
            for flits, microseconds in zip((4, 8), times, strict=True):
                spec: Row = {
                    "topology": {"kind": kind}, "network": {},
                    "options": {"vc_buffer_flits": flits},
                    "workload": {"kind": "traffic", "pattern": pattern},
                }  # fmt: skip
                keys = {"topology.kind": kind, "workload.pattern": pattern,
                        "options.vc_buffer_flits": flits}  # fmt: skip
                at = point("packet", keys, spec)
                points.append(at)
                metrics.append(packet_samples.value(at, "makespan_s", microseconds * 1e-6, "s"))
    plan = make_plan("traffic", points, [figure])
    return sentences(packet_samples.stored(folder, plan, metrics, [run(at) for at in points]))


def test_bars_coloured_by_traffic_compare_the_networks_below_them(tmp_path: Path) -> None:
    bar = {"x": "topology.kind", "y": "makespan_s", "color": "workload.pattern"}
    uniform, transpose = answer_of(tmp_path, {"bar": bar})
    assert uniform.startswith("Under uniform traffic: torus · VC buffer flits 8 (2 µs) has the")
    assert transpose.startswith("Under transpose traffic: torus · VC buffer flits 4 (5 µs)")
    assert "tie for the lowest completion time" in transpose


def test_curves_of_networks_and_traffic_compare_networks_under_each_traffic(
    tmp_path: Path,
) -> None:
    line = {"x": "options.vc_buffer_flits", "y": "makespan_s", "color": "topology.kind"}
    uniform, transpose, *_ = answer_of(tmp_path, {"line": line})
    assert uniform == (
        "Under uniform traffic: torus has the lowest completion time at both values of VC buffer"
        " flits, ahead of mesh by ×1.33 to ×1.50."
    )
    assert transpose.startswith("Under transpose traffic: torus has the lowest completion time")


def test_a_small_message_is_no_better_network_than_a_large_one(tmp_path: Path) -> None:
    """Where only sizes differ, the answer is how long they take."""
    points, metrics = [], []
    for engine, factor in (("flow", 1.0), ("rdma", 2.0)):
        spec: Row = {"topology": {"kind": "torus"}, "network": {}, "options": {}, "workload": {}}
        at = point(engine, {}, spec)
        points.append(at)
        metrics += [
            packet_samples.value(at, "program_time_s", factor * size * 1e-6, "s")
            | {"message_bytes": size} for size in (64, 4096)
        ]  # fmt: skip
    plan = make_plan("sizes", points, [{"bar": {"x": "engine", "y": "program_time_s"}}])
    found = sentences(packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points]))
    assert [text for text in found if "lowest" in text] == []
    assert "rdma: program time runs from 128 µs at a message size of 64 B" in " ".join(found)

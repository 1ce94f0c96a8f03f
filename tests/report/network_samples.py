"""A small network with what its links carried, and its drawing."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import report_samples
from report_samples import CONFIGS, make_plan, point, run
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings

Row = dict[str, Any]


def drawn(
    folder: Path,
    figure: Row,
    waits: Row | None = None,
    flows: list[tuple[str, str, str, float]] | None = None,
    failing: list[tuple[str, str]] | None = None,
    jobs: list[tuple[str, int, float]] | None = None,
) -> Drawing:
    """Two leaves under a spine; the cable of leaf 1 carries 80 % down and 30 % up.

    `failing` has for each of several runs the cable that failed in it.
    """
    spec: Row = {"topology": {"kind": "graph"}, "network": {}, "workload": {}, "options": {}}
    runs = [(point("rdma", {}, spec, seed), gone) for seed, gone in enumerate(failing or [None])]
    shares = {("router 1", "router 2"): 0.3, ("router 2", "router 1"): 0.8}
    ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    ends["injection"] = [("node 0", "router 0"), ("node 1", "router 1")]
    ends["ejection"] = [(b, a) for a, b in ends["injection"]]
    ends["up"] = [("router 0", "router 2"), ("router 1", "router 2")]
    ends["down"] = [(b, a) for a, b in ends["up"]]
    links = [
        {"point_id": at.point_id, "link": f"{a}>{b}", "source": a, "target": b, "bytes": 5.0,
         "class": "failed" if gone and {a, b} == {*gone} else kind,
         "busy_s": 1.0, "utilisation": shares.get((a, b), 0.1)}
        for at, gone in runs for kind, pairs in ends.items() for a, b in pairs
    ]  # fmt: skip
    first = runs[0][0].point_id
    blocked = [
        {"point_id": first, "router": 1, "port": "up", "link": name, "blocked_s": 1.0,
         "blocked_share": share, "packets_blocked": 3}
        for name, share in (waits or {}).items()
    ]  # fmt: skip
    most = [
        {"point_id": first, "link": name, "source": a, "destination": b, "bytes": sent}
        for name, a, b, sent in flows or []
    ]
    points = [at for at, _ in runs]
    plan = make_plan("net", points, [{"network": figure}], title="A network")
    shared = [
        {"point_id": first, "link": name, "job": job, "bytes": sent, "other_bytes": 0.0}
        for name, job, sent in jobs or []
    ]
    rows = {"runs": [*map(run, points)], "links": links, "congestion": blocked, "link_flows": most,
            "job_links": shared}  # fmt: skip
    tables = {k: [{"experiment": "net", **r} for r in v] for k, v in rows.items()}
    database = report_samples.write(folder, [plan], tables)
    with open_study(folder / "results/net/plan.json", database, CONFIGS) as study:
        return figure_drawings(study, study.plan.report.figures, Palette())[0]

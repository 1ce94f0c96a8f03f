"""What a timeline says of pulses of links, beside published numbers."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
import rdma_samples
from report_samples import CONFIGS
from weft.report.data.source import open_study
from weft.report.kinds import kind_of

pytestmark = pytest.mark.slow

FIGURES = [
    {"timeline": {"graph": "link_throughput", "published": "opennsim/figure11", "pulses": True}}
]


def said(folder: Path, **published: int) -> list[str]:
    """Of eight pulses in x and none in y, beside `published` numbers of the two."""
    plan, database = rdma_samples.alltoall(folder, FIGURES, intervals=1024, finer=16)
    with duckdb.connect(str(database)) as connection:
        connection.execute("DELETE FROM published")
        for axis, number in published.items():
            where = json.dumps({"topology.kind": "torus", "label": f"{axis}+"})
            connection.execute(
                "INSERT INTO published BY NAME SELECT 'opennsim' AS paper, 'figure11' AS item,"
                " 'OpenNSIM' AS series, ? AS coordinates, 'pulses' AS metric, ? AS value,"
                " '1' AS unit",
                [where, number],
            )
    with open_study(plan, database, CONFIGS) as study:
        (figure,) = study.plan.report.figures
        _, kind = kind_of(type(figure))
        return [*kind.finding(study, figure)]


def test_pulses_of_each_dimension_are_counted(tmp_path: Path) -> None:
    assert said(tmp_path) == [
        "The throughput of links pulses 8 times in x. In y no pulses can be counted."
    ]


def test_published_numbers_stand_beside(tmp_path: Path) -> None:
    (text,) = said(tmp_path / "other", x=7, y=1)
    assert text.endswith(" OpenNSIM reports 7 times in x and once in y.")
    (text,) = said(tmp_path / "same", x=8)
    assert text.endswith(" OpenNSIM reports the same.")

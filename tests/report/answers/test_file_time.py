"""Where a program reads or writes files, the answer box names the storage that is assumed."""

from __future__ import annotations

from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run


def _answers(folder: Path, latencies_s: tuple[float, ...], metric: str) -> list[str]:
    """The answer box of a program, once for each latency of the storage."""
    points = []
    for latency_s in latencies_s:
        options: Row = {"storage_latency_s": latency_s, "storage_bandwidth_bytes_per_s": 5e9}
        spec: Row = {"topology": {}, "network": {}, "options": options,
                     "workload": {"kind": "program", "source": "solver.c"}}  # fmt: skip
        points.append(point("flow", {"options.storage_latency_s": latency_s}, spec))
    values = [packet_samples.value(at, name, 3.0, "1") for at in points
              for name in ("program_time_s", metric)]  # fmt: skip
    plan = make_plan("files", points, [])
    return sentences(packet_samples.stored(folder, plan, values, [run(at) for at in points]))


@pytest.mark.slow
def test_the_storage_is_named_with_its_numbers(tmp_path: Path) -> None:
    said = _answers(tmp_path, (1e-4, 2e-3), "file_accesses")
    assert said[0] == (
        "The time of files in flow is that of a model. Each access takes 100 µs and its data at"
        " 5 GB/s, which all ranks share; there is no cache."
    )
    assert "Each access takes 2 ms" in said[1]


@pytest.mark.slow
def test_a_program_without_files_has_no_such_sentence(tmp_path: Path) -> None:
    assert not any("files" in text for text in _answers(tmp_path, (1e-4,), "messages"))

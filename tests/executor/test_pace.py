"""How fast jobs are submitted."""

import pytest
from snakemake_executor_plugin_weft_slurm.pace import Pace


def test_submissions_are_spaced_evenly_from_the_first_one_on() -> None:
    pace = Pace(100, 10)
    assert [pace.wait_s(5.0) for _ in range(3)] == pytest.approx([0.0, 0.1, 0.2])
    assert [pace.wait_s(6.0) for _ in range(3)] == pytest.approx([0.0, 0.1, 0.2])

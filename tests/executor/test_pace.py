"""How fast jobs are submitted."""

import pytest
from snakemake_executor_plugin_weft_slurm.pace import Pace


def test_submissions_are_spaced_evenly_from_the_first_one_on() -> None:
    pace = Pace(100, 10)
    assert [pace.wait_s(5.0) for _ in range(3)] == pytest.approx([0.0, 0.1, 0.2])
    assert [pace.wait_s(6.0) for _ in range(3)] == pytest.approx([0.0, 0.1, 0.2])


def test_a_limit_of_no_jobs_says_which_option_to_change() -> None:
    with pytest.raises(ValueError, match=r"max-jobs-per-timespan allows 0 jobs in 10 s.* 100/10s"):
        Pace(0, 10)


def test_no_time_between_submissions_is_no_limit() -> None:
    pace = Pace(5, 0)
    assert [pace.wait_s(5.0) for _ in range(2)] == [0.0, 0.0]

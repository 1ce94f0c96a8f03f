"""A worker with a mistyped profile does not take tasks that would all fail."""

import pytest
from weft.service.worker.profile import check_profiles


def test_a_mistyped_profile_is_named_with_the_nearest():
    check_profiles(["slurm", "apptainer"])
    with pytest.raises(SystemExit) as ended:
        check_profiles(["slurm", "apptainr"])
    assert str(ended.value) == (
        "weft-worker: --profile apptainr: unknown profile 'apptainr'; did you mean 'apptainer'? "
        "allowed: apptainer, cluster, default, pbs, slurm"
    )

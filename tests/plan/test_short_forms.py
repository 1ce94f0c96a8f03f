"""The short forms of shipped experiments, `--config effort=quick`."""

from pathlib import Path

import pytest
from weft.config import load_experiments
from weft.plan import expand
from weft.plan.costs import work

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
#: Experiments whose points take more than 20 CPU seconds as they are written.
LONG = (
    "booksim_check",
    "fidelity_map",
    "latency_load",
    "mfs_atr",
    "mfs_table1",
    "opennsim_alltoall",
    "opennsim_choices",
    "opennsim_steps",
)


def loaded(name, overrides=()):
    (experiment,) = load_experiments(CONFIGS, [name], {name: overrides})
    return experiment


@pytest.mark.parametrize("name", LONG)
def test_a_long_experiment_has_a_short_form_with_half_the_work_or_less(name):
    written = loaded(name)
    short = loaded(name, written.settings.quick)
    whole, part = (sum(work(point.spec) for point in expand(each)) for each in (written, short))
    assert 0 < part <= whole / 2
    assert set(short.engines) == set(written.engines)

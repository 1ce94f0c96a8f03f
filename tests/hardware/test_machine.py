"""Machine files: what they may say, and which combinations make no sense."""

from pathlib import Path

import pytest
from weft.config import load_experiments
from weft.config.language.errors import ConfigErrors

CONFIGS = Path(__file__).resolve().parents[2] / "configs"


def machine(*overrides: str) -> dict:
    (experiment,) = load_experiments(CONFIGS, ["pingpong"], {"pingpong": overrides})
    return experiment.machine.plain()


def test_the_machine_knows_its_name():
    assert machine()["name"] == "local"
    assert machine("machine=slurm")["name"] == "slurm"


def test_the_example_of_a_site_runs_with_slurm_and_apptainer_alone():
    found = machine("machine=slurm")
    assert found["launcher"] == "srun"
    assert found["mode"] == "hybrid"
    assert found["mpi"] in ("mpich", "openmpi")
    assert (found["ranks_per_node"], found["exclusive"], found["bind"]) == (1, True, "core")
    assert not {"account", "partition", "modules", "binds"} & {key for key in found if found[key]}


def test_sizes_and_times_have_units():
    times = ("machine.shard_target=2 min", "machine.runtime_per_job=50 min")
    found = machine("machine.memory_per_job=2 GiB", *times)
    assert found["runtime_per_job_s"] == 3000.0
    assert found["memory_per_job_bytes"] == 2 * 2**30
    assert found["shard_target_s"] == 120.0


def test_a_whole_number_is_a_value_of_a_variable():
    assert machine("machine.environment={FI_TCP: 1}")["environment"] == {"FI_TCP": "1"}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["machine=slurm", "machine.mpi=auto"],
            "machine.mode: mode hybrid with launcher srun does not say which MPI",
        ),
        (
            ["machine.mode=hybrid", "machine.mpicc=/opt/mpicc"],
            "machine.mode: mode hybrid uses no mpicc; leave mpicc out",
        ),
        (
            ["machine.binds=[/opt/mpi]"],
            "machine.binds: are mounted into the image, and mode native uses none",
        ),
        (
            ["machine.mode=bind", "machine.binds=[opt]"],
            "machine.binds: 'opt' is not an absolute path",
        ),
        (["machine.pmi=pmix"], "machine.pmi: is an option of srun; launcher is mpiex"),
        (
            ["machine.ranks_per_node=9"],
            "machine.ranks_per_node: 9 ranks per node, but machine.ranks allows 4",
        ),
        (
            ["machine=slurm", "machine.launcher_template=[-n]"],
            "machine.launcher_template: is for launchers that weft does not know",
        ),
        (
            ["machine.launcher_template=[-n]"],
            "machine.launcher_template: does not show which MPI it is; add mpi: mpich",
        ),
        (
            ["machine=cluster", "machine.launcher_template=['{rank}']"],
            "machine.launcher_template: has no placeholder {rank}; there are {ranks}, {ranks_per_",
        ),
        (
            ["machine=cluster", "machine.launcher_template=['{ranks.real}']"],
            "machine.launcher_template: has no placeholder {ranks.real}",
        ),
        (["machine.mode=binds"], "machine.mode: unknown value 'binds'; did you mean 'bind'?"),
        (
            ["machine.partitoin=x"],
            "machine.partitoin: unknown key 'partitoin'; did you mean 'partition'?",
        ),
        (["machine.environment={A-B: x}"], "machine.environment.A-B: string should match"),
    ],
)
def test_a_combination_that_makes_no_sense_is_refused_with_the_reason(overrides, message):
    with pytest.raises(ConfigErrors) as caught:
        machine(*overrides)
    assert message in str(caught.value)

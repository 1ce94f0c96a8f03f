"""The launchers' command lines."""

import pytest
from weft.engines.hardware.command import Launch, launcher_command


def words(**settings) -> str:
    given = {"launcher": "start", "style": "srun", "flavour": "mpich", "ranks": 2} | settings
    return " ".join(launcher_command(Launch(**given)))


def test_srun_says_all_that_the_job_step_has_lost():
    command = words(flavour="openmpi", ranks=4, ranks_per_node=2, bind="core")
    assert command == (
        "start --mpi=pmix --export=ALL -N 2 -n 4 --ntasks-per-node=2 --cpu-bind=cores "
        "--kill-on-bad-exit=1"
    )


def test_srun_spreads_as_it_likes_without_ranks_per_node():
    assert "-N" not in words().split()
    assert "--ntasks-per-node" not in words()


def test_a_last_node_with_fewer_ranks_counts():
    assert "-N 2 -n 3" in words(ranks=3, ranks_per_node=2)


@pytest.mark.parametrize(
    ("flavour", "pmi", "expected"),
    [("mpich", None, "pmi2"), ("openmpi", None, "pmix"), ("mpich", "cray_shasta", "cray_shasta")],
)
def test_the_way_ranks_find_each_other_follows_the_mpi(flavour, pmi, expected):
    assert f"--mpi={expected} " in words(flavour=flavour, pmi=pmi)


@pytest.mark.parametrize(
    ("bind", "expected"),
    [("none", "none"), ("core", "cores"), ("socket", "sockets"), ("numa", "ldoms")],
)
def test_slurm_has_its_own_words_for_binding(bind, expected):
    assert f"--cpu-bind={expected}" in words(bind=bind)


def test_hydra():
    assert words(style="mpich", bind="core", ranks_per_node=1) == (
        "start -n 2 -ppn 1 --bind-to core"
    )
    assert words(style="mpich") == "start -n 2"


def test_mpirun_must_not_bind_and_gets_the_variables_to_send():
    command = words(style="openmpi", ranks_per_node=1, variables=["UCX_TLS"], as_root=True)
    assert command == (
        "start --allow-run-as-root -n 2 --map-by ppr:1:node --bind-to none -x UCX_TLS"
    )


def test_crowded_ranks_are_not_bound():
    assert words(style="mpich", bind="core", crowded=True) == "start -n 2"
    assert words(style="openmpi", bind="core", crowded=True) == (
        "start -n 2 --bind-to none --oversubscribe"
    )


@pytest.mark.parametrize("style", ["srun", "mpich", "openmpi"])
def test_arguments_of_the_machine_file_come_last(style):
    assert words(style=style, arguments=["--label", "-x"]).endswith(" --label -x")


def test_a_host_file_is_named_as_each_launcher_wants_it():
    assert words(style="mpich", host_file="hosts") == "start -f hosts -n 2"
    assert words(style="openmpi", host_file="hosts").startswith("start --hostfile hosts -n 2")


def test_a_launcher_that_weft_does_not_know_has_words_of_its_own():
    template = ["-n", "{ranks}", "-N", "{ranks_per_node}", "--hosts={host_file}", "-d{nodes}"]
    settings = {"ranks": 4, "ranks_per_node": 2, "host_file": "h", "arguments": ["-q"]}
    assert words(style="template", template=template, **settings) == (
        "start -n 4 -N 2 --hosts=h -d2 -q"
    )

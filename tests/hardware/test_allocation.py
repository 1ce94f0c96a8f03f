"""Points as steps of one allocation: their order, their nodes, and what is noted of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from weft.engines.hardware.allocation import drawn, step_facts
from weft.engines.hardware.command import Launch, launcher_command
from weft.engines.hardware.host_file import write_host_file
from weft.machine import MachineFile

POINTS = [{"point_id": f"{n:02}", "seed": n % 3, "workload": {"ranks": n}} for n in range(1, 13)]


def order(seed, points=POINTS):
    return [point["point_id"] for point in drawn(points, seed)]


def test_the_seed_draws_the_order_whatever_the_plan_s():
    assert order(7) == order(7, POINTS[::-1])
    assert len({tuple(order(seed)) for seed in range(20)}) == 20
    names = sorted(point["point_id"] for point in POINTS)
    assert order(7) != names
    assert sorted(order(7)) == names


def test_a_step_is_noted_with_its_job_its_nodes_and_its_place(monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "41")
    machine = MachineFile(launcher="srun", ranks_per_node=4)
    found = step_facts(3, POINTS, machine)
    assert found == {"job": "41", "nodes": 3, "step": 3, "steps": 12}


@pytest.mark.parametrize(
    ("first", "words"), [(0, ["--relative=0"]), (2, ["--relative=2"]), (None, [])]
)
def test_a_step_runs_on_given_nodes_of_an_allocation(first, words):
    started = Launch("srun", "srun", "mpich", 3, ranks_per_node=2, first_node=first)
    command = launcher_command(started)
    place = command.index("-N")
    assert command[place + 1 : place + 4] == ["2", *words, "-n", "3"][:3]
    assert [word for word in command if word.startswith("--relative")] == words


@pytest.mark.parametrize(
    ("ranks", "text"),
    [(1, "a:1\n"), (2, "a:2\n"), (4, "a:2\nb:2\n"), (6, "a:2\nb:2\nc:2\n")],
)
def test_the_host_file_names_the_first_hosts_only(tmp_path, ranks, text):
    started = Launch("mpirun", "mpich", "mpich", ranks, ranks_per_node=2, first_node=0)
    path = write_host_file(tmp_path, started, ("a", "b", "c"))
    assert path == str(tmp_path / "hosts")
    assert (tmp_path / "hosts").read_text() == text


def test_the_host_file_of_an_idle_node_names_that_node_only(tmp_path):
    started = Launch("mpirun", "mpich", "mpich", 1, ranks_per_node=1, first_node=2)
    path = write_host_file(tmp_path, started, ("a", "b", "c"), "hosts-2")
    assert Path(path).read_text() == "c:1\n"


def test_a_step_is_noted_with_the_nodes_that_simulate_where_they_may(monkeypatch):
    machine = MachineFile(launcher="srun", ranks_per_node=4, allocation=4, idle_nodes="simulate")
    assert step_facts(3, POINTS, machine, 2)["simulating"] == 2
    without = replace(machine, idle_nodes=None)
    assert "simulating" not in step_facts(3, POINTS, without)


def test_without_ranks_per_node_all_ranks_are_on_one_host(tmp_path):
    started = Launch("mpirun", "openmpi", "openmpi", 4, first_node=0)
    write_host_file(tmp_path, started, ("a", "b"))
    assert (tmp_path / "hosts").read_text() == "a slots=4\n"

"""What a checked machine file says, and what jobs read of it, are the same."""

from __future__ import annotations

from dataclasses import fields

import pytest
from pydantic import ValidationError
from weft.config.language.section import spec_name
from weft.config.model.machine import Machine
from weft.machine import MachineFile

from tests.config.conftest import Tree


def test_the_model_and_the_facts_have_the_same_fields_and_defaults() -> None:
    names = [spec_name(Machine, key) for key in Machine.model_fields]
    assert ["name", *names] == [each.name for each in fields(MachineFile)]
    assert MachineFile.read(Machine().spec()).plain() == MachineFile().plain()


def test_facts_survive_a_plan_and_keys_of_another_version_are_left_out() -> None:
    facts = MachineFile("mine", modules=("gcc",), ranks=8, account="a")
    assert MachineFile.read(facts.plain()).plain() == facts.plain()
    assert MachineFile.read({"name": "mine", "gone": 1}) == MachineFile("mine")


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        (MachineFile(), "none"),
        (MachineFile(launcher="/opt/slurm/bin/srun"), "slurm"),
        (MachineFile(launcher="srun", scheduler="none"), "none"),
    ],
)
def test_who_starts_jobs(facts: MachineFile, name: str) -> None:
    assert facts.batch_system == name


@pytest.mark.parametrize("key", ["timeout", "simulation_timeout", "booksim_timeout"])
def test_a_limit_that_nobody_could_keep_is_refused(tree: Tree, key: str) -> None:
    tree.refuses(f"machine: {{{key}: 0.001 s}}\n", f"machine.{key}", "must be at least 1 s")


@pytest.mark.parametrize(("written", "facts"), [("one", "one"), ("'one'", "one"), ("12", 12)])
def test_an_allocation_is_the_word_or_a_number_of_nodes(
    tree: Tree, written: str, facts: object
) -> None:
    tree.experiment(f"machine: {{allocation: {written}, scheduler: slurm}}\n")
    machine = tree.load().machine
    assert (machine.allocation, machine.allocates) == (facts, True)
    assert MachineFile.read(machine.plain()) == machine


def test_absent_it_is_none_and_one_machine_has_no_allocation(tree: Tree) -> None:
    tree.experiment("machine: {allocation: one, scheduler: none}\n")
    assert not tree.load().machine.allocates
    assert "allocation" not in MachineFile().plain()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("0", "0 is no number of nodes; did you mean '1'?"),
        ("-2", "-2 is no number of nodes; did you mean 'one'?"),
        ("2.5", "2.5 is no number of nodes; did you mean 'one'?"),
        ("on", "on and off are true and false in YAML; did you mean 'one'?"),
        ("ones", "unknown value 'ones'; did you mean 'one'?"),
        ("packed", "unknown value 'packed';"),
        ("[4]", "[4] is no number of nodes; did you mean 'one'?"),
    ],
)
def test_a_wrong_allocation_gets_one_message_with_its_place(
    tree: Tree, written: str, said: str
) -> None:
    tree.experiment(f"machine:\n  scheduler: slurm\n  allocation: {written}\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:6:3: ")
    assert error.key == "machine.allocation"
    assert error.message.endswith(f"{said} allowed: one, a whole number of at least 1")


def test_idle_nodes_simulate_only_in_an_allocation(tree: Tree) -> None:
    tree.experiment("machine: {allocation: one, idle_nodes: simulate, scheduler: slurm}\n")
    machine = tree.load().machine
    assert machine.simulates_when_idle
    assert MachineFile.read(machine.plain()) == machine
    assert not MachineFile(scheduler="slurm", idle_nodes="simulate").simulates_when_idle
    # Or the files of shards that were measured before would change.
    assert "idle_nodes" not in MachineFile().plain()


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("idle_nodes: simulate", "is for nodes of an allocation; write allocation: one"),
        ("allocation: one, idle_nodes: simulat", "allowed: simulate"),
    ],
)
def test_idle_nodes_that_cannot_simulate_are_refused(tree: Tree, machine: str, said: str) -> None:
    tree.refuses(f"machine: {{scheduler: other, {machine}}}\n", "machine.idle_nodes", said)


def test_idle_nodes_need_a_launcher_that_takes_hosts() -> None:
    words = {"launcher": "aprun", "mpi": "mpich", "scheduler": "other", "allocation": "one"}
    with pytest.raises(ValidationError, match=r"add \{host_file\} to launcher_template"):
        Machine(**words, launcher_template=["-n", "{ranks}"], idle_nodes="simulate")
    hosts = ["-n", "{ranks}", "-f", "{host_file}"]
    assert Machine(**words, launcher_template=hosts, idle_nodes="simulate").idle_nodes

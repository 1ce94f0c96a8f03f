"""What a checked machine file says, and what jobs read of it, are the same."""

from __future__ import annotations

from dataclasses import fields

import pytest
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

"""An engine with formulas answers programs by name, without their source."""

import pytest
from weft.plan import expand

FORMULAS = """
description: Knows some programs by name.
program: command
answers: [program]
supports:
  workload.program: [bcast, group_multicast]
"""


@pytest.fixture
def formulas(tree):
    tree.write("engine/formulas.yaml", FORMULAS)
    tree.write("workload/uniform.yaml", "kind: program\nranks: 4\n")
    return tree


def test_no_source_is_needed_and_arguments_are_kept(formulas):
    workload = '{program: bcast, message_size: 8 B, arguments: ["{message_bytes}", all]}'
    formulas.experiment(f"engines: [formulas]\nworkload: {workload}\n")
    (point,) = expand(formulas.load())
    assert point.spec["workload"] == {
        "kind": "program",
        "program": "bcast",
        "ranks": 4,
        "message_bytes": [8],
        "arguments": ["{message_bytes}", "all"],
    }


def test_swept_arguments_are_points_of_their_own(formulas):
    sweep = "sweep: {workload.arguments: [[ring], ['2']]}\n"
    formulas.experiment(f"engines: [formulas]\nworkload: {{program: group_multicast}}\n{sweep}")
    points = list(expand(formulas.load()))
    assert [point.spec["workload"]["arguments"] for point in points] == [["ring"], ["2"]]
    assert ["workload.arguments" in point.coordinates for point in points] == [True, True]


def test_a_program_without_a_formula_is_refused_with_those_that_have_one(formulas):
    formulas.refuses(
        "engines: [formulas]\nworkload: {program: bcst}\n",
        "workload.program",
        "formulas does not answer 'bcst'",
        "'bcast'",
        "allowed: bcast, group_multicast",
    )


def test_an_engine_beside_it_that_runs_programs_needs_a_source(formulas):
    formulas.write("engine/runs.yaml", FORMULAS.partition("supports")[0])
    body = "engines: [formulas, runs]\nworkload: {program: bcast}\n"
    formulas.refuses(body, "workload.program", "looked for bcast.c")

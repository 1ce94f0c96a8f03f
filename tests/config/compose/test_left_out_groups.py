"""`override /topology: null`: what is left out is named, where nothing else gives it."""

import pytest
from weft.plan import expand

NULL = "defaults: [override /topology: null]\n"


@pytest.mark.parametrize("choice", ["null", "~", "[]"])
@pytest.mark.parametrize("group", ["topology", "workload"])
def test_a_group_that_is_needed_and_left_out(tree, group, choice):
    allowed = sorted(path.stem for path in (tree.configs / group).glob("*.yaml"))
    tree.refuses(
        f"defaults: [override /{group}: {choice}]\n",
        "defaults[0]",
        f"null leaves the {group} out: name one, or write its keys as {group}: {{kind: …}}; ",
        f"allowed: {', '.join(allowed)}",
    )


@pytest.mark.parametrize(
    "given",
    ["topology: {kind: crossbar, nodes: 4}\n", "sweep: {topology: [crossbar]}\n"],
)
def test_a_group_that_is_given_otherwise(tree, given):
    tree.experiment(NULL + given)
    assert len(expand(tree.load())) == 1

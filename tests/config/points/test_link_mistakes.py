"""A link that leads nowhere is one message of weft: where it stands, and what it may name."""

import pytest

PLACE = "configs/experiment/x.yaml:4:12: workload.per_node: "


@pytest.mark.parametrize(
    ("workload", "message"),
    [
        ("{per_node: '${nope.x}'}", "${nope.x} refers to nothing: unknown key 'nope'; allowed: "),
        (
            "{per_node: '${topology.nods}'}",
            "${topology.nods} refers to nothing: unknown key of topology 'nods'; "
            "did you mean 'nodes'? allowed: kind, nodes",
        ),
        ("{per_node: '${.patern}'}", "${.patern} refers to nothing: unknown key of workload"),
        ("{per_node: '${engines[3]}'}", "engines has the values 0 to 0, and no 3"),
        ("{per_node: '${title.x}'}", "title is no section but 'A title'"),
        ("{per_node: '${workload}'}", "${workload} is the section that holds this key"),
        ("{per_node: '${oc.select:workload.per_node}'}", "its links lead back to it"),
        (
            "{per_node: '${workload.outstanding}', outstanding: '${workload.per_node}'}",
            "its links lead back to it: workload.per_node → workload.outstanding → "
            "workload.per_node; write a value in place of one",
        ),
    ],
)
def test_a_link_that_leads_nowhere_is_explained(tree, workload, message):
    tree.experiment(f"workload: {workload}\n")
    shown = str(tree.error())
    assert shown.startswith(PLACE)
    assert message in shown
    assert not {"Interpolation", "interpolation", "Error"} & set(shown.split())


def test_a_link_to_a_wrong_link_is_a_mistake_of_that_one(tree):
    tree.experiment("workload:\n  per_node: ${topology.nodes}\ntopology: {nodes: '${nope}'}\n")
    assert str(tree.error()).startswith("configs/experiment/x.yaml:6:12: topology.nodes: ${nope} ")


@pytest.mark.parametrize(
    ("file", "text", "key"),
    [
        ("machine/local.yaml", "launcher: mpiexec\nranks: ${nope.x}\n", "machine.ranks"),
        ("network/gigabit.yaml", "latency: 0 s\nbandwidth: ${nope.x}\n", "network.bandwidth"),
        ("topology/crossbar.yaml", "kind: crossbar\nnodes: ${nope.x}\n", "topology.nodes"),
    ],
)
def test_a_wrong_link_in_a_group_has_its_place_there(tree, file, text, key):
    tree.write(file, text)
    tree.experiment("")
    shown = str(tree.error())
    assert shown.startswith(f"configs/{file}:2:1: {key}: ${{nope.x}} refers to nothing: ")


def test_a_wrong_link_in_a_swept_group_has_its_place_there(tree):
    tree.write("topology/own.yaml", "kind: crossbar\nnodes: ${nope.x}\n")
    tree.experiment("sweep: {topology: [crossbar, own]}\n")
    assert str(tree.error()).startswith("configs/topology/own.yaml:2:1: topology.nodes: ")


def test_a_wrong_link_in_a_sweep_has_its_place_there(tree):
    tree.experiment("sweep: {workload.per_node: [1, '${nope.x}']}\n")
    shown = str(tree.error())
    assert shown.startswith("configs/experiment/x.yaml:4:32: sweep.workload.per_node[1]: ${nope.x}")


def test_a_choice_that_refers_to_nothing_names_groups(tree):
    tree.experiment("defaults: [override /topology: '${netwerk}']\n")
    shown = str(tree.error())
    assert shown.startswith("configs/experiment/x.yaml:4:12: defaults[0]: ${netwerk} refers to")
    assert "did you mean 'network'?" in shown


def test_a_choice_may_refer_to_another_group(tree):
    tree.write("topology/gigabit.yaml", "kind: crossbar\nnodes: 3\n")
    tree.experiment("defaults: [override /topology: '${network}']\n")
    assert tree.load().settings.topology["nodes"] == 3

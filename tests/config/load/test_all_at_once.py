"""A value of the wrong shape hides no other mistake of its file, and makes none up."""

import pytest

#: Mistakes in each section that a shape may be wrong in, with their keys.
OTHERS = {
    "topology": ("topology: {nods: 3}\n", "topology.nods"),
    "network": ("network: {latency: 3 km}\n", "network.latency"),
    "workload": ("workload: {per_nod: 3}\n", "workload.per_nod"),
    "engine": ("engine: {flow: {modl: max_min}}\n", "engine.flow.modl"),
    "figures": ("figures: [line: {x: topology.nods, y: makespan_s}]\n", "figures[0].line.x"),
    "report": ("report: {referenc: flow}\n", "report.referenc"),
}


@pytest.mark.parametrize(
    ("section", "value", "key"),
    [
        ("topology", "[1]", "topology"),
        ("topology", "torus", "topology"),
        ("network", "5", "network"),
        ("network", "[latency]", "network"),
        ("network", "{cables: 5}", "network.cables"),
        ("network", "{cables: [5]}", "network.cables"),
        ("workload", "[1]", "workload"),
        ("engine", "flow", "engine"),
        ("engine", "[flow]", "engine"),
        ("engine", "{flow: [max_min]}", "engine.flow"),
        ("report", "[1]", "report"),
        ("machine", "local", "machine"),
        ("machine", "{launcher: srun}", "machine.launcher"),
    ],
)
def test_a_section_that_is_none_hides_no_other_mistake(tree, section, value, key):
    others = [each for name, each in OTHERS.items() if name != section]
    tree.experiment(f"{section}: {value}\n" + "".join(text for text, _ in others))
    assert {error.key for error in tree.errors()} == {key, *(other for _, other in others)}
    assert all(error.mark for error in tree.errors())


@pytest.mark.parametrize(
    ("defaults", "section", "key"),
    [
        ("[override /topology: tours]", "topology", "defaults[0]"),
        ("[override /workload: uniforn]", "workload", "defaults[0]"),
        ("[override /network: gigabit, override /workload: unifrm]", "workload", "defaults[1]"),
        ("[/topology: torus]", "topology", "defaults[0]"),
        ("[torus]", "topology", "defaults[0]"),
        ("torus", "topology", "defaults"),
    ],
)
def test_a_choice_that_there_is_not_hides_no_other_mistake(tree, defaults, section, key):
    one = key if section != "topology" or "override" in defaults else None
    others = ["engine", "figures", "report", *(["network"] if one else [])]
    body = "".join(OTHERS[name][0] for name in others)
    tree.experiment(f"defaults: {defaults}\n{section}: {{k: 4}}\n" + body)
    assert {error.key for error in tree.errors()} == {key, *(OTHERS[name][1] for name in others)}


@pytest.mark.parametrize(
    "body",
    [
        "topology: [1]\nsweep: {topology.k: [2, 4]}\n",
        "topology: [1]\nsweep: {topology: [torus, mesh]}\nworkload: {pattern: transpose}\n",
        "network: 5\nworkload: {per_node: '${topology.nodes}'}\n",
        "topology: [1]\nworkload: {per_node: '${topology.nodes}'}\n",
        "workload: 5\nfigures: [line: {x: topology.nodes, y: accepted_rate}]\n",
        "machine: 5\nengines: [hardware]\ndefaults: [override /workload: alltoall]\n",
        "network: 5\nquick: [network.latency=1 us]\n",
        "defaults: [override /topology: tours]\ntopology: {k: 4}\nsweep: {topology.k: [2, 4]}\n",
        "defaults: [override /workload: alltoal]\nworkload: {ranks: 9}\ntopology: {nodes: 4}\n",
        "network: {cables: 5}\nengines: [packet]\n",
    ],
)
def test_nothing_is_said_of_what_cannot_be_read(tree, body):
    tree.experiment(body)
    (error,) = tree.errors()
    assert error.key in ("topology", "network", "workload", "machine", "network.cables") or (
        error.key.startswith("defaults")
    )


def test_an_override_of_a_section_that_is_none_is_not_blamed(tree):
    tree.experiment("network: 5\n")
    (error,) = tree.errors(["network.latency=1 us"])
    assert (error.file, error.key) == ("configs/experiment/x.yaml", "network")


def test_overrides_of_the_short_form_are_read_beside_other_mistakes(tree):
    tree.experiment("network: {latency: 3 km}\nquick: [replicates=1, topolgy.k=4]\n")
    assert {error.key for error in tree.errors()} == {"network.latency", "quick[1]"}


def test_a_link_that_leads_nowhere_hides_no_other_mistake(tree):
    tree.experiment("network: {latency: 3 km}\nworkload: {per_node: '${topology.kk}'}\n")
    assert {error.key for error in tree.errors()} == {"network.latency", "workload.per_node"}


@pytest.mark.parametrize("key", ["links", "switches"])
def test_an_entry_of_failures_of_no_kind_has_one_message(tree, key):
    grid = "defaults: [override /topology: torus]\ntopology: {k: 4, routing: shortest, "
    tree.experiment(f"{grid}failed: {{{key}: [1.5]}}, tis: plus}}\n")
    first, second = tree.errors()
    assert (first.key, second.key) == (f"topology.failed.{key}[0]", "topology.tis")
    assert first.message.count("expected") == 1
    assert first.message.endswith("got 1.5")

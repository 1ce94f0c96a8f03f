"""What the simulators say of topologies and patterns is what configurations can say."""

import pytest
from weft.config.language.formula import value_of
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.topology import TOPOLOGIES
from weft.plan import expand

# A list of one's own needs a file.
PATTERNS = [each.name for each in CATALOGUE.patterns if each.name != "file"]
EXAMPLES = [(entry.kind, each) for entry in CATALOGUE.topologies for each in entry.examples]


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_a_model_counts_the_nodes_that_the_simulators_count(kind, example):
    topology = TOPOLOGIES[kind].model_validate({"kind": kind, **example.keys})
    assert topology.node_count == example.nodes
    assert topology.spec()["nodes"] == example.nodes
    # What follows from other keys stands in a spec, too: simulators need no defaults.
    assert example.keys.items() <= topology.spec().items()


@pytest.mark.slow
def test_every_static_route_is_answered_by_every_engine_with_topologies(tree):
    for entry in (each for each in CATALOGUE.topologies if each.examples):
        keys = ", ".join(f"{key}: {value}" for key, value in entry.examples[-1].keys.items())
        tree.experiment(
            f"engines: [flow, packet]\ndefaults: [override /topology: {entry.kind}]\n"
            f"topology: {{{keys}}}\nengine: {{packet: {{virtual_channels: 4}}}}\n"
        )
        assert len(expand(tree.load())) == 2


# A list of one's own needs a file.
@pytest.mark.parametrize(
    "pattern", [each.name for each in CATALOGUE.patterns if each.name != "file"]
)
def test_every_pattern_is_known_where_it_is_possible(tree, pattern):
    hot = ", hotspot_nodes: [0], hotspot_fraction: 0.5" if pattern == "hotspot" else ""
    tree.experiment(
        "defaults: [override /topology: torus]\ntopology: {k: 4}\n"
        f"workload: {{pattern: {pattern}{hot}}}\n"
    )
    assert expand(tree.load())


@pytest.mark.parametrize(
    ("formula", "expected"), [("2 * p", 6), ("p * a * (a * h + 1)", 15), ("product(s)", 8)]
)
def test_formulas(formula, expected):
    assert value_of(formula, {"p": 3, "a": 1, "h": 4, "s": [2, 4]}) == expected


@pytest.mark.parametrize("formula", ["p / 2", "__import__('os')", "p.a", "product(p, a)", "1.5"])
def test_what_is_no_formula_is_refused(formula):
    with pytest.raises(ValueError, match="is not allowed in a formula"):
        value_of(formula, {"p": 3})

"""Links of different speed and latency: how they are written, and what is refused."""

import json
import subprocess

import pytest
from pydantic import ValidationError
from weft.config.language.errors import problems
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.topology import TOPOLOGIES
from weft.engines.native import NativeEngine
from weft.plan import expand

TREE = {"kind": "fat_tree", "k": 4, "levels": 2}
EXAMPLES = [(entry.kind, each) for entry in CATALOGUE.topologies for each in entry.examples]


def model(**keys):
    return TOPOLOGIES[keys["kind"]].model_validate(keys)


def message(**keys):
    with pytest.raises(ValidationError) as wrong:
        model(**keys)
    kind = TOPOLOGIES[keys["kind"]]
    return " ".join(f"{p.key}: {p.message}" for p in problems(wrong.value, kind, "topology"))


def test_links_are_in_the_spec_in_si_units_and_leave_no_trace_where_all_are_alike():
    links = [
        {"channels": "up", "bandwidth": "50 GB/s", "latency": "100 ns"},
        {"channels": ["down", "up/0/3/1"], "slower": 2},
    ]
    assert model(**TREE, links=links).spec()["links"] == [
        {"channels": ["up"], "bandwidth_bytes_per_s": 5e10, "latency_s": 1e-7},
        {"channels": ["down", "up/0/3/1"], "slower": 2.0},
    ]
    assert model(**TREE, taper=2).spec()["taper"] == 2.0
    plain = model(**TREE).spec()
    assert model(**TREE, taper=1, links=[]).spec() == plain
    assert not {"taper", "links"} & set(plain)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"links": [{"channels": "upp", "slower": 2}]}, "did you mean 'up'?"),
        ({"links": [{"channels": "up/1/0/0", "slower": 2}]}, "up/0/0/0 to up/0/3/3"),
        ({"links": [{"channels": "up/0/x/0", "slower": 2}]}, "no channel 'up/0/x/0'"),
        ({"links": [{"channels": "up/0", "slower": 2}]}, "no channel 'up/0'"),
        ({"links": [{"channels": [], "slower": 2}]}, "links[0].channels"),
        ({"links": [{"channels": "up"}]}, "give a bandwidth, slower or a latency"),
        ({"links": [{"channels": "up", "slower": 2, "bandwidth": "1 GB/s"}]}, "exclude each other"),
        ({"links": [{"channels": "up", "slower": 0.5}]}, "links[0].slower"),
        ({"links": [{"channels": "up", "slower": 1e9}]}, "links[0].slower"),
        ({"links": [{"channels": "up", "bandwidth": "0 GB/s"}]}, "must be above zero"),
        ({"links": [{"channels": "up", "bandwidth": "-1 GB/s"}]}, "is negative"),
        ({"links": [{"channels": "up", "bandwidth": 5}]}, "with its unit"),
        ({"links": [{"channels": "up", "bandwidth": "2000000 TB/s"}]}, "too large"),
        ({"links": [{"channels": "up", "latency": "2 h"}]}, "too large"),
        ({"links": [{"channels": ["up", "up"], "slower": 2}]}, "'up' is named twice"),
        (
            {"links": [{"channels": "up", "slower": 2}, {"channels": "up", "latency": "1 ns"}]},
            "in entry 2, 'up' is named twice",
        ),
        ({"taper": 2, "links": [{"channels": "up", "slower": 2}]}, "taper 2 names it, too"),
        ({"links": [{"channel": "up", "slower": 2}]}, "did you mean 'channels'?"),
        ({"taper": 0.5}, "taper"),
    ],
)
def test_what_no_links_can_be_is_refused(keys, said):
    assert said in message(**TREE, **keys)


def test_a_taper_is_for_topologies_with_links_above_the_routers_of_nodes():
    assert [entry.kind for entry in CATALOGUE.topologies if entry.tapered] == [
        "fat_tree",
        "dragonfly",
    ]
    assert "unknown key 'taper'" in message(kind="torus", k=4, taper=2)


def test_the_classes_of_a_grid_follow_from_its_dimensions():
    grid = {"kind": "torus", "sizes": [4, 4]}
    assert model(**grid, links=[{"channels": ["x+", "y-/15"], "slower": 2}])
    assert "unknown class of channels 'z+'" in message(
        **grid, links=[{"channels": "z+", "slower": 2}]
    )
    assert model(
        kind="torus", k=2, dimensions=5, links=[{"channels": ["d3+", "d4-/31"], "slower": 2}]
    )


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_every_class_and_every_channel_of_the_simulators_is_known(kind, example):
    spec = model(kind=kind, **example.keys).spec()
    asked = json.dumps({"seed": 1, "topology": spec, "nodes": [], "names": True})
    flow = NativeEngine("flow", "crate", ()).checked_binary()
    done = subprocess.run([flow, "routes"], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = [line["name"] for line in map(json.loads, done.stdout.splitlines()) if "name" in line]
    assert names
    classes = sorted({name.partition("/")[0] for name in names})
    links = [{"channels": classes, "slower": 2}, {"channels": names, "slower": 3}]
    assert model(kind=kind, **example.keys, links=links)


def test_a_sweep_of_tapers_and_of_links_has_a_point_for_each(tree):
    tree.experiment(
        "engines: [flow]\ndefaults: [override /topology: fat_tree]\n"
        "topology: {k: 4, levels: 2}\nsweep: {topology.taper: [1, 2, 4]}\n"
    )
    points = expand(tree.load())
    assert [each.spec["topology"].get("taper") for each in points] == [None, 2.0, 4.0]
    assert [each.coordinates["topology.taper"] for each in points] == [1, 2, 4]
    tree.experiment(
        "engines: [flow]\ndefaults: [override /topology: fat_tree]\n"
        "topology: {k: 4, levels: 2}\n"
        "sweep: {topology.links: [[], [{channels: up, bandwidth: 1 GB/s}]]}\n"
    )
    points = expand(tree.load())
    links = [{"channels": ["up"], "bandwidth_bytes_per_s": 1e9}]
    assert [each.spec["topology"].get("links") for each in points] == [None, links]
    assert [each.coordinates["topology.links"] for each in points] == [[], links]


def test_a_mistake_names_file_line_and_key(tree):
    tree.experiment(
        "defaults: [override /topology: fat_tree]\n"
        "topology:\n  k: 4\n  links:\n    - {channels: upp, slower: 2}\n"
    )
    mistake = str(tree.error())
    assert "unknown class of channels 'upp'; did you mean 'up'?" in mistake
    assert mistake.startswith("configs/experiment/x.yaml:7:3: topology.links: in entry 1")

"""JSON schemas as editors apply them: what is good passes, and a mistake is shown at its place."""

import json

import pytest
import yaml
from weft.config.generate.schema import schemas

from tests.config.schema_support import validator

SCHEMAS = schemas()
GROUPS = ("topology", "network", "workload", "machine", "report")
HEAD = "title: A\nquestion: B?\nengines: [flow]\n"
GOOD = [
    "",
    "topology: {kind: torus, k: 4}\nworkload: {pattern: tornado}\n",
    "sweep: {topology.k: [2, 3], topology: [mesh, torus]}\n",
    "sweep: {workload.message_size: {from: 1 B, to: 1 MiB, factor: 2}}\n",
    "sweep: {topology.ties: {when: topology.kind == torus, values: [plus]}}\n",
    "sweep: {exclude: [{engine: flow, topology.k: [3, 5]}]}\n",
    "figures: [{line: {x: topology.k, y: makespan_s, where: {engine: flow}}}]\n",
    "engine: {packet: {virtual_channels: per_destination, arbiter: age}}\n",
    "network: {bandwidth: 4 GB/s, router: {torus_classes: balanced}}\n",
]
BAD = [
    ("sweep: {topology.kk: [2, 3]}\n", ["sweep"], "'topology.kk' was unexpected"),
    ("sweep: {topology.k: 3}\n", ["sweep", "topology.k"], "3 is not valid"),
    (
        "sweep: {workload.message_size: {from: 1 B, by: 2}}\n",
        ["sweep", "workload.message_size"],
        "is not valid",
    ),
    ("sweep: {exclude: [{topology.k: null}]}\n", ["sweep", "exclude", 0, "topology.k"], "None"),
    ("topology: {kk: 4}\n", ["topology"], "'kk' was unexpected"),
    ("workload: {pattern: tornadoes}\n", ["workload", "pattern"], "'tornadoes' is not"),
    ("engine: {flow: {model: fair}}\n", ["engine", "flow", "model"], "'fair' is not one of"),
    ("network: {router: {vcs: 2}}\n", ["network", "router"], "'vcs' was unexpected"),
    ("figures: [{line: {y: makespan_s}}]\n", ["figures", 0, "line"], "'x' is a required"),
    ("figures: [{bar: {x: a, y: b, titel: c}}]\n", ["figures", 0, "bar"], "'titel' was"),
    (
        "figures: [{bar: {x: a, y: b, title: 3}}]\n",
        ["figures", 0, "bar", "title"],
        "3 is not valid",
    ),
]


def errors(text: str) -> list[tuple[list[str | int], str]]:
    found = validator(SCHEMAS["experiment.schema.json"]).iter_errors(yaml.safe_load(HEAD + text))
    return [(list(error.absolute_path), error.message) for error in found]


@pytest.mark.parametrize("text", GOOD)
def test_a_good_experiment_passes(text):
    assert errors(text) == []


@pytest.mark.parametrize(("text", "place", "message"), BAD)
def test_a_mistake_is_shown_at_its_place(text, place, message):
    ((found, shown),) = errors(text)
    assert found == place
    assert message in shown


def test_what_a_key_may_have_is_said_once_for_all_axes_of_a_sweep():
    schema = json.loads(SCHEMAS["experiment.schema.json"])
    axes = schema["properties"]["sweep"]["properties"]
    assert axes["topology.k"] == axes["workload.per_node"] == {"$ref": "#/$defs/axis"}


def test_the_keys_of_a_group_are_said_once_for_its_files_and_for_experiments():
    sections = json.loads(SCHEMAS["experiment.schema.json"])["properties"]
    for group in GROUPS:
        assert sections[group] == {"$ref": f"{group}.schema.json"}
    assert sum(text.count("\n") for text in SCHEMAS.values()) < 9000


def test_what_several_engines_say_alike_is_said_once():
    schema = json.loads(SCHEMAS["experiment.schema.json"])
    engines = schema["properties"]["engine"]["properties"]
    same = {"$ref": "#/$defs/option.bcast_algorithm"}
    assert engines["flow"]["properties"]["bcast_algorithm"] == same
    assert engines["rdma"]["properties"]["bcast_algorithm"] == same
    # The machine may leave the choice to its library.
    assert engines["hardware"]["properties"]["bcast_algorithm"] != same


def test_every_reference_leads_somewhere_and_everything_said_is_used():
    for name, text in SCHEMAS.items():
        schema = json.loads(text)
        used = {part.split('"')[0] for part in text.split('"$ref": "')[1:]}
        own = {f"#/$defs/{each}" for each in schema.get("$defs", {})}
        assert used - SCHEMAS.keys() == own, name


def test_a_simulator_of_others_must_say_what_it_answers():
    schema = validator(SCHEMAS["engine.schema.json"])
    assert schema.is_valid({"description": "Own.", "program": "command", "answers": ["traffic"]})
    assert not schema.is_valid({"description": "Own.", "program": "command"})
    assert schema.is_valid({"description": "Of weft.", "program": "crate"})

"""Networks that take the numbers of a stored or an exported calibration."""

import json

import pytest
import yaml
from weft.config.points.stored_network import network_of
from weft.files.calibrations import write_calibration
from weft.machine import MachineIdentity
from weft.plan import expand

HERE = MachineIdentity.here("local")
OTHER = MachineIdentity("other", "A processor", 96)
PIECES = [
    {"from_bytes": 0, "time_s": 8.652738832669238e-07, "byte_time_s": 1.8659094203221436e-11},
    {"from_bytes": 6145, "time_s": 3.1e-06, "byte_time_s": 6.1e-11},
]
COSTS = {
    "link_bandwidth_bytes_per_s": 137081583161.87823,
    "link_latency_s": 3.036792143275809e-08,
    "between_nodes": {"eager_limit_bytes": 6144, "one_way": PIECES, "two_way": PIECES[:1]},
    "loggp": {"latency_s": 1e-7, "overhead_s": 2e-7, "gap_s": 3e-7, "byte_time_s": 1e-10},
}
PROGRAM = (
    "engines: [flow, model]\n"
    "defaults: [override /topology: crossbar, override /workload: alltoall]\n"
    "topology: {nodes: 4}\nworkload: {ranks: 4, message_size: 8 B}\n"
)
FREE = "bandwidth: null, latency: null"


def calibration(machine=HERE, date="2026-11-24T10:58:10.441+00:00", latency_s=8.5e-7):
    facts = {"name": machine.name, "cpu": machine.cpu, "processors": machine.processors}
    return {
        "latency_s": latency_s,
        "bandwidth_bytes_per_s": 13244161644.78643,
        "costs": COSTS,
        "experiment": "ping",
        "machine": {**facts, "id": machine.id},
        "date": date,
    }


def store(tree, *found):
    folder = tree.root / "results" / "ping" / "calibrations"
    folder.mkdir(parents=True, exist_ok=True)
    for each in found:
        name = f"{each['machine']['id']}_{each['date'][:19].replace(':', '')}.json"
        (folder / name).write_text(json.dumps(each))


def networks(tree, source):
    tree.experiment(PROGRAM + f"network: {{calibrated_from: {source}, {FREE}}}\n")
    return {point.engine: point.spec["network"] for point in expand(tree.load())}


def refused(tree, source):
    tree.experiment(PROGRAM + f"network: {{calibrated_from: {source}, {FREE}}}\n")
    error = tree.error()
    return error.key, error.message


def test_a_stored_calibration_gives_its_numbers_to_the_last_digit(tree):
    store(tree, calibration())
    found = networks(tree, "{experiment: ping}")
    assert found["flow"]["costs"] == COSTS
    assert found["flow"]["latency_s"] == 8.5e-7
    assert found["model"] == found["flow"]
    assert "calibrated_from" not in found["flow"]


def test_how_far_a_fit_is_off_travels_with_its_numbers(tree):
    one_way = {"residuals": [0.03, -0.04, 0.0, 0.0]}
    placements = {"inside_node": {"one_way": one_way}, "between_nodes": {"gap": one_way}}
    store(tree, {**calibration(), "relative_residual_rms": 0.25, "curves": placements})
    for network in networks(tree, "{experiment: ping}").values():
        assert network["residuals"] == {"line": 0.25, "curve": 0.025}


def test_the_newest_of_a_date_is_taken(tree):
    store(
        tree,
        calibration(date="2026-11-23T10:00:00.000+00:00", latency_s=1e-6),
        calibration(date="2026-11-23T11:00:00.000+00:00", latency_s=2e-6),
        calibration(date="2026-11-24T10:00:00.000+00:00", latency_s=3e-6),
    )
    assert networks(tree, "{experiment: ping}")["flow"]["latency_s"] == 3e-6
    dated = "{experiment: ping, date: '2026-11-23'}"
    assert networks(tree, dated)["flow"]["latency_s"] == 2e-6
    exact = "{experiment: ping, date: '2026-11-23T10:00'}"
    assert networks(tree, exact)["flow"]["latency_s"] == 1e-6


def test_a_calibration_of_another_machine_is_refused_unless_it_is_named(tree):
    store(tree, calibration(OTHER))
    key, message = refused(tree, "{experiment: ping}")
    assert key == "network.calibrated_from"
    assert f"another machine: {OTHER.id} (A processor, 96 processors)" in message
    assert f"this one is {HERE.id}" in message
    assert f"machine: {OTHER.id} uses it nevertheless" in message
    named = f"{{experiment: ping, machine: {OTHER.id!r}}}"
    assert networks(tree, named)["flow"]["costs"] == COSTS


@pytest.mark.parametrize(
    ("source", "key", "words"),
    [
        ("{experiment: pin}", "experiment", "'pin'; did you mean 'ping'?"),
        ("{experiment: ping, machine: 'abc'}", "machine", f"'abc'; allowed: {HERE.id}"),
        (
            "{experiment: ping, date: '2025-11-24'}",
            "date",
            "'2025-11-24'; did you mean '2026-11-24'?",
        ),
    ],
)
def test_what_was_never_stored_gets_the_nearest_name(tree, source, key, words):
    store(tree, calibration())
    found, message = refused(tree, source)
    assert found == f"network.calibrated_from.{key}"
    assert words in message


def test_an_experiment_whose_measurement_gave_no_fit_says_why(tree):
    write_calibration(tree.root / "results/ping/calibration.json", {"problem": "it was disturbed"})
    key, message = refused(tree, "{experiment: ping}")
    assert key == "network.calibrated_from.experiment"
    assert message == "ping has stored no calibration: it was disturbed"


def test_a_mistake_in_the_source_has_the_key_as_written(tree):
    store(tree, calibration())
    found, message = refused(tree, "{experiment: ping, machin: 'abc'}")
    assert found == "network.calibrated_from.machin"
    assert "did you mean 'machine'?" in message


def exported(tree):
    text = yaml.safe_dump(network_of(calibration()))
    (tree.configs / "network" / "lab.yaml").write_text(text)


def test_an_exported_calibration_is_used_by_its_path(tree):
    exported(tree)
    assert networks(tree, "configs/network/lab.yaml")["flow"]["costs"] == COSTS
    key, message = refused(tree, "configs/network/lib.yaml")
    assert key == "network.calibrated_from"
    assert "no file configs/network/lib.yaml; did you mean 'configs/network/lab.yaml'?" in message


def test_an_exported_calibration_is_a_group(tree):
    exported(tree)
    tree.experiment(PROGRAM.replace("crossbar,", "crossbar, override /network: lab,"))
    found = {point.engine: point.spec["network"] for point in expand(tree.load())}
    assert found["flow"]["costs"] == COSTS


def test_a_file_that_is_no_network_is_refused_with_its_key(tree):
    (tree.configs / "lab.yaml").write_text("bandwidth: 3\n")
    _, message = refused(tree, "configs/lab.yaml")
    assert message.startswith("configs/lab.yaml: bandwidth: expected a rate with its unit")


def test_another_word_is_no_source(tree):
    _, message = refused(tree, "pingpng")
    assert "'pingpng' is not a source; allowed: pingpong, the path of an exported" in message


def test_costs_stand_beside_nothing_that_takes_the_same(tree):
    exported(tree)
    tree.experiment(
        PROGRAM.replace("crossbar,", "crossbar, override /network: lab,")
        + "network: {software: {send_overhead: 1 us}}\n"
    )
    assert "costs hold what these take, too; leave out software" in tree.error().message


def test_pieces_begin_with_0_and_rise(tree):
    exported(tree)
    piece = "{size: 1 B, time: 1 us, byte_time: 0 s}"
    tree.experiment(
        PROGRAM.replace("crossbar,", "crossbar, override /network: lab,")
        + f"network: {{costs: {{between_nodes: {{one_way: [{piece}]}}}}}}\n"
    )
    assert "begin with 0 B and rise" in tree.error().message


def test_lists_of_messages_get_links_alone(tree):
    exported(tree)
    tree.experiment("defaults: [override /network: lab]\nworkload: {message_size: 8 B}\n")
    (point,) = expand(tree.load())
    assert set(point.spec["network"]) == {"bandwidth_bytes_per_s", "latency_s", "hop_latency_s"}


@pytest.mark.parametrize("cost", ["piecewise", "model_3"])
def test_cost_models_of_measured_times_need_a_calibration(tree, cost):
    options = f"engine: {{model: {{cost: {cost}}}}}\n"
    tree.experiment(PROGRAM + options)
    assert "calibrated network" in tree.error().message
    exported(tree)
    tree.experiment(PROGRAM.replace("crossbar,", "crossbar, override /network: lab,") + options)
    assert len(expand(tree.load())) == 2


def test_an_altered_calibration_is_not_used(tree):
    path = tree.root / "results" / "ping" / "calibrations" / f"{HERE.id}_2026-11-24T105810.json"
    write_calibration(path, calibration())
    assert networks(tree, "{experiment: ping}")["flow"]["latency_s"] == 8.5e-7
    path.write_text(path.read_text().replace("8.5e-07", "8.4e-07"))
    key, message = refused(tree, "{experiment: ping}")
    assert key == "network.calibrated_from.experiment"
    assert f"{path.name} was altered after it was written" in message

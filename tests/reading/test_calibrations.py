"""`weft calibrations`: what experiments have stored, side by side, and as a file."""

import json

import yaml
from click.testing import CliRunner
from weft.command.commands import main
from weft.config.model.network import Network
from weft.files.calibrations import write_calibration

COSTS = {
    "link_bandwidth_bytes_per_s": 1e10,
    "link_latency_s": 1e-7,
    "between_nodes": {
        "one_way": [
            {"from_bytes": 0, "time_s": 1e-6, "byte_time_s": 1e-10},
            {"from_bytes": 1025, "time_s": 4e-6, "byte_time_s": 1e-10},
        ]
    },
}


def project(tmp_path, *dates):
    (tmp_path / "configs").mkdir()
    (tmp_path / "Snakefile").write_text("")
    folder = tmp_path / "results" / "ping" / "calibrations"
    folder.mkdir(parents=True)
    for number, date in enumerate(dates, 1):
        content = {
            "latency_s": number * 1e-6,
            "bandwidth_bytes_per_s": 1e9,
            "confidence": "good",
            "date": date,
            "machine": {"id": "12345678", "cpu": "A CPU", "processors": 4, "mpi": "MPICH 5"},
            "warnings": ["inside node: 3 values were measured on a busy machine"],
        }
        if number == 1:
            content["costs"] = COSTS
        (folder / f"12345678_{number}.json").write_text(json.dumps(content))
    return tmp_path


def weft(root, *arguments):
    return CliRunner().invoke(main, ["--project", str(root), "calibrations", *arguments])


def test_all_are_listed_the_newest_last(tmp_path):
    shown = weft(project(tmp_path, "2026-11-24T10:00:00", "2026-11-23T10:00:00")).output
    lines = shown.splitlines()
    assert lines[0].startswith("ping  machine 12345678  2026-11-23T10:00:00  A CPU, 4 processors")
    assert lines[1] == "  2 µs and 1 GB/s (good line)"
    assert "2026-11-24" in lines[2]


def test_times_are_compared_by_size(tmp_path):
    root = project(tmp_path, "2026-11-23T10:00:00", "2026-11-24T10:00:00")
    lines = weft(root, "ping", "--compare").output.splitlines()
    assert "0 B" in lines[0]
    assert lines[1].split()[2:5] == ["1", "µs", "×1.00"]
    assert lines[2].split()[2:5] == ["2", "µs", "×2.00"]


def test_an_export_is_a_network_with_what_is_known_of_it(tmp_path):
    root = project(tmp_path, "2026-11-23T10:00:00", "2026-11-24T10:00:00")
    text = weft(root, "ping", "--export", "--date", "2026-11-23").output
    assert "# Measured by ping on 2026-11-23, machine 12345678:\n# A CPU, 4" in text
    assert "# inside node: 3 values were measured on a busy machine.\n" in text
    network = Network.model_validate(yaml.safe_load(text))
    assert network.costs.spec() == COSTS
    assert network.latency == 1e-6


def test_unknown_experiments_get_the_nearest_name(tmp_path):
    failed = weft(project(tmp_path, "2026-11-24T10:00:00"), "pin")
    assert failed.exit_code == 1
    assert "unknown experiment with a calibration 'pin'; did you mean 'ping'?" in failed.output


def test_an_experiment_without_a_fit_says_why(tmp_path):
    root = project(tmp_path, "2026-11-24T10:00:00")
    write_calibration(root / "results/pong/calibration.json", {"problem": "it was disturbed"})
    failed = weft(root, "pong", "--compare")
    assert failed.exit_code == 1
    assert failed.output == "weft: pong has stored no calibration: it was disturbed\n"


def test_nothing_stored_says_where_to_read(tmp_path):
    assert "docs/calibration.md" in weft(project(tmp_path)).output


def test_an_export_of_nothing_is_an_error(tmp_path):
    failed = weft(project(tmp_path, "2026-11-24T10:00:00"), "ping", "--export", "--machine", "0")
    assert failed.exit_code == 1
    assert "no calibration to export" in failed.output

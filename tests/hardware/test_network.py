"""Switch distance and fabric."""

import subprocess
from pathlib import Path

import pytest
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.network import (
    distance_in,
    expand_hosts,
    fabric_variables,
    switch_distance,
)

TREE = """SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[1-2]
SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[3-4]
SwitchName=spine Level=1 LinkSpeed=1 Nodes=node[1-4] Switches=leaf[1-2]
"""


@pytest.mark.parametrize(
    ("hosts", "distance"),
    [
        (["node1", "node2"], 1),
        (["node1", "node3"], 3),
        (["node1", "node2", "node4"], 3),
        (["node3.site.example", "node4.site.example"], 1),
        (["node1", "other"], None),
    ],
)
def test_switches_between_nodes(hosts, distance):
    assert distance_in(TREE, hosts) == distance


def test_no_topology_is_unknown():
    assert distance_in("No topology information available\n", ["a", "b"]) is None


def test_one_host_needs_no_switch():
    assert switch_distance(["a", "a"], {}) == 0


def test_without_slurm_the_distance_is_unknown(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert switch_distance(["a", "b"], {"PATH": str(tmp_path)}) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("node1", ["node1"]),
        ("node[1-2,07],login", ["node1", "node2", "node07", "login"]),
        ("n[09-11]", ["n09", "n10", "n11"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]),
        ("", []),
    ],
)
def test_host_lists(text, names):
    assert list(expand_hosts(text)) == names


def test_variables_that_choose_the_fabric_are_distinguished():
    found = fabric_variables({"UCX_TLS": "rc", "PATH": "/bin", "FI_PROVIDER": "cxi", "PSM3_X": "1"})
    assert found == {"FI_PROVIDER": "cxi", "PSM3_X": "1", "UCX_TLS": "rc"}


@pytest.mark.slow
def test_infiniband_ports_are_found_with_their_rates(tmp_path: Path):
    for port, rate in (("1", "200 Gb/sec (4X HDR)"), ("2", "100 Gb/sec (4X EDR)")):
        folder = tmp_path / "infiniband" / "mlx5_0" / "ports" / port
        folder.mkdir(parents=True)
        (folder / "rate").write_text(rate + "\n")
    main = tmp_path / "main.c"
    main.write_text(
        '#include "places.h"\n#include <stdio.h>\n'
        "int main(int argc, char **argv) {\n"
        "    char text[1024];\n"
        "    weft_describe_fabric(argv[argc - 1], text, sizeof text);\n"
        "    puts(text);\n"
        "}\n"
    )
    program = tmp_path / "main"
    command = ["cc", "-o", program, f"-I{SOURCES}", main, SOURCES / "fabric.c"]
    subprocess.run(command, check=True)
    printed = subprocess.run(
        [program, tmp_path / "infiniband"], capture_output=True, text=True
    ).stdout
    assert printed.startswith("mlx5_0/1 200 Gb/sec (4X HDR); mlx5_0/2 100 Gb/sec (4X EDR)")

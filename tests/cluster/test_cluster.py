"""The cluster itself: what the other tests take for granted."""

import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]


def test_it_has_four_nodes_with_names_of_their_own(cluster):
    names = cluster("run", "srun", "--nodes=4", "hostname").split()
    assert sorted(names) == ["node1", "node2", "node3", "node4"]


def test_nodes_share_no_memory(cluster):
    cluster("on", "node1", "touch", "/dev/shm/weft-test")
    assert "weft-test" not in cluster("on", "node2", "ls", "/dev/shm")
    assert not Path("/dev/shm/weft-test").exists()


def test_the_machine_itself_stays_as_it_was(cluster):
    links = subprocess.run(["ip", "link"], capture_output=True, text=True, check=True).stdout
    assert "switch" not in links
    assert "port1" not in links
    assert not Path("/etc/slurm/slurm.conf").exists()


def test_two_leaf_switches_hang_below_a_spine(cluster):
    shown = cluster("run", "scontrol", "show", "topology")
    assert "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[1-2]" in shown
    assert "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[3-4]" in shown
    assert "SwitchName=spine Level=1" in shown


def test_a_shaped_link_is_slower(cluster, tmp_path):
    """40 Mbit through 20 Mbit/s; without shaping they take no time."""
    (tmp_path / "server.py").write_text(
        "import socket\n"
        "server = socket.create_server(('', 5123))\n"
        "client = server.accept()[0]\n"
        "while client.recv(1 << 16): pass\n"
        "client.send(b'.')\n"
    )
    (tmp_path / "client.py").write_text(
        "import socket, sys, time\n"
        "while True:\n"
        "    try:\n"
        "        client = socket.create_connection(('node1', 5123))\n"
        "        break\n"
        "    except ConnectionRefusedError:\n"
        "        time.sleep(0.1)\n"
        "start = time.monotonic()\n"
        "client.sendall(bytes(int(sys.argv[1])))\n"
        "client.shutdown(socket.SHUT_WR)\n"
        "client.recv(1)\n"
        "print(time.monotonic() - start)\n"
    )

    def seconds(count):
        command = [Path(__file__).with_name("cluster"), "on", "node1", "python3"]
        server = subprocess.Popen([*command, tmp_path / "server.py"], env=cluster.environment)
        spent = cluster("on", "node2", "python3", str(tmp_path / "client.py"), str(count))
        server.wait(timeout=PATIENCE_S)
        return float(spent)

    cluster("shape", "20mbit")
    assert seconds(5_000_000) > 1.5
    cluster("shape", "off")
    # Shaped it takes at least 160 s.
    assert seconds(400_000_000) < 160


def test_a_job_that_takes_too_much_memory_is_killed(cluster):
    waste = "x = bytearray(500 * 2**20); import time; time.sleep(600)"
    script = f"python3 -c '{waste}'"
    number = cluster(
        "run", "sbatch", "--parsable", "--mem=100", "--output=/dev/null", "--wrap", script
    )

    def state():
        return next(job["state"] for job in cluster.jobs() if job["id"] == number.strip())

    wait_until(lambda: state() not in ("PENDING", "RUNNING", "COMPLETING"), "the end of the job")
    # FAILED where the machine has no control groups for memory.
    assert state() in ("OUT_OF_MEMORY", "FAILED")
    if Path("/sys/fs/cgroup/memory/memory.limit_in_bytes").exists():
        assert state() == "OUT_OF_MEMORY"

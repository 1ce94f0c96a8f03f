"""The hosts of a job, for launchers that do not know the batch system."""

import pytest
from weft.engines.hardware.command import Launch
from weft.engines.hardware.host_file import write_host_file

HOSTS = ("node1", "node2")


def start(style, **more):
    return Launch("mpirun", style, "mpich", **({"ranks": 4} | more))


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("mpich", "node1:2\nnode2:2\n"),
        ("openmpi", "node1 slots=2\nnode2 slots=2\n"),
        ("template", "node1\nnode2\n"),
    ],
)
def test_hosts_are_written_as_the_launcher_reads_them(tmp_path, style, text):
    path = write_host_file(tmp_path, start(style), HOSTS)
    assert path == str(tmp_path / "hosts")
    assert (tmp_path / "hosts").read_text() == text


def test_a_host_takes_as_many_ranks_as_the_machine_file_says(tmp_path):
    write_host_file(tmp_path, start("mpich", ranks_per_node=1, ranks=2), HOSTS)
    assert (tmp_path / "hosts").read_text() == "node1:1\nnode2:1\n"


@pytest.mark.parametrize(
    ("style", "hosts"), [("srun", HOSTS), ("mpich", ("node1",)), ("mpich", ())]
)
def test_no_file_where_the_launcher_knows_its_hosts(tmp_path, style, hosts):
    assert write_host_file(tmp_path, start(style), hosts) is None
    assert list(tmp_path.iterdir()) == []

"""Which algorithm a collective uses where a library's table or rules choose.

Both sides of switch points, as the sources that programs/lib/libraries.c names have them. Sizes are
those of one_collective.c: bytes of a broadcast or reduction, else of a block.
"""

import pytest

from tests.programs.simulator import HERE, run_point

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
RULES = "bytes<=2048 ranks<=4: reduce_bcast; bytes<=2048: recursive_doubling; rabenseifner"
CHOSEN = [
    ("mpich", "barrier", 5, 0, "dissemination"),
    ("mpich", "bcast", 7, 1 << 20, "binomial"),
    ("mpich", "bcast", 8, 12288, "binomial"),
    ("mpich", "bcast", 8, 12289, "scatter_allgather"),
    ("mpich", "bcast", 8, 524288, "scatter_allgather"),
    ("mpich", "bcast", 8, 524289, "scatter_ring_allgather"),
    ("mpich", "bcast", 9, 12289, "scatter_ring_allgather"),
    ("mpich", "reduce", 4, 2048, "binomial"),
    ("mpich", "reduce", 4, 2049, "rabenseifner"),
    ("mpich", "allreduce", 4, 8, "recursive_doubling"),
    ("mpich", "allreduce", 4, 9, "rabenseifner"),
    # Ten elements are fewer than 16 ranks.
    ("mpich", "allreduce", 17, 10, "recursive_doubling"),
    ("mpich", "gather", 5, 1 << 20, "binomial"),
    ("mpich", "scatter", 5, 1 << 20, "binomial"),
    # All blocks together: less than 512 KiB, and less than 80 KiB.
    ("mpich", "allgather", 8, 65535, "recursive_doubling"),
    ("mpich", "allgather", 8, 65536, "ring"),
    ("mpich", "allgather", 5, 16383, "bruck"),
    ("mpich", "allgather", 5, 16384, "ring"),
    ("mpich", "alltoall", 7, 256, "scattered"),
    ("mpich", "alltoall", 8, 256, "bruck"),
    ("mpich", "alltoall", 8, 257, "scattered"),
    ("mpich", "alltoall", 8, 32768, "scattered"),
    ("mpich", "alltoall", 8, 32769, "pairwise"),
    ("openmpi", "barrier", 3, 0, "recursive_doubling"),
    ("openmpi", "barrier", 4, 0, "linear"),
    ("openmpi", "barrier", 8, 0, "recursive_doubling"),
    ("openmpi", "barrier", 64, 0, "dissemination"),
    ("openmpi", "barrier", 256, 0, "tree"),
    ("openmpi", "bcast", 4, 63, "binary"),
    ("openmpi", "bcast", 4, 64, "binomial"),
    ("openmpi", "bcast", 4, 1 << 20, "chain"),
    ("openmpi", "bcast", 31, (1 << 20) - 1, "binomial"),
    ("openmpi", "bcast", 31, 1 << 20, "scatter_allgather"),
    ("openmpi", "bcast", 64, 1 << 20, "knomial"),
    ("openmpi", "bcast", 256, 16384, "split_binary"),
    ("openmpi", "reduce", 2, 15, "binary"),
    ("openmpi", "reduce", 4, 4096, "chain"),
    ("openmpi", "reduce", 8, 8192, "binomial"),
    ("openmpi", "reduce", 256, 8192, "in_order_binary"),
    ("openmpi", "allreduce", 4, 8191, "recursive_doubling"),
    ("openmpi", "allreduce", 4, 8192, "rabenseifner"),
    ("openmpi", "allreduce", 32, 127, "ring"),
    # Its ring and its Rabenseifner's algorithm fall back where elements are fewer than ranks.
    ("openmpi", "allreduce", 32, 31, "recursive_doubling"),
    ("openmpi", "allreduce", 2, 4096, "ring"),
    # Its reduce and its bcast choose for themselves.
    ("openmpi", "allreduce", 128, 16383, "binomial+binary"),
    ("openmpi", "allreduce", 256, 8, "binomial+knomial"),
    ("openmpi", "gather", 4, 1023, "binomial"),
    ("openmpi", "gather", 4, 1024, "linear"),
    ("openmpi", "scatter", 64, 511, "binomial"),
    ("openmpi", "scatter", 64, 512, "linear_nonblocking"),
    ("openmpi", "allgather", 2, 8, "ring"),
    ("openmpi", "allgather", 31, 8, "recursive_doubling"),
    ("openmpi", "allgather", 32, 1024, "neighbor_exchange"),
    ("openmpi", "allgather", 32, 65536, "ring"),
    ("openmpi", "alltoall", 32, 511, "bruck"),
    ("openmpi", "alltoall", 32, 512, "linear"),
    ("openmpi", "alltoall", 2, 32767, "ring"),
    (RULES, "allreduce", 4, 2048, "reduce_bcast"),
    (RULES, "allreduce", 5, 2048, "recursive_doubling"),
    (RULES, "allreduce", 4, 2049, "rabenseifner"),
]


@pytest.mark.parametrize(("option", "collective", "ranks", "size", "algorithm"), CHOSEN)
def test_the_algorithm_is_that_of_the_table(option, collective, ranks, size, algorithm, tmp_path):
    def ran(name):
        own = {f"{collective}_algorithm": name, "payload": "sizes"}
        return run_point(tmp_path, HERE / "one_collective.c", ranks, [size], (collective,), **own)

    metrics, log = ran(option)
    assert f"{collective} of {ranks} ranks, {size} B: {algorithm}\n" in log
    if "+" not in algorithm:
        alone, silent = ran(algorithm)
        assert "chosen algorithms" not in silent
        for metric in ("messages", "payload_bytes", "program_time_s"):
            assert metrics[metric] == alone[metric]

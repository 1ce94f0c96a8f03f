"""One source, every engine: collectives with data, and the programs of weft."""

import pytest
from weft.engines.hardware.source import shipped

from tests.hardware.test_programs import PROJECT, run_program
from tests.programs.simulator import HERE, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
CHECKED = HERE / "checked_collectives.c"
SIMULATORS = ["flow", "packet", "rdma"]
#: With the default ones, sets that hold every algorithm.
ONE = {
    "barrier_algorithm": "tree",
    "bcast_algorithm": "scatter_allgather",
    "allreduce_algorithm": "rabenseifner",
    "gather_algorithm": "linear",
    "scatter_algorithm": "linear",
    "allgather_algorithm": "bruck",
    "alltoall_algorithm": "bruck",
}
OTHER = {
    "barrier_algorithm": "ring",
    "bcast_algorithm": "binomial",
    "allreduce_algorithm": "ring",
    "gather_algorithm": "binomial",
    "scatter_algorithm": "binomial",
    "allgather_algorithm": "recursive_doubling",
    "alltoall_algorithm": "linear",
}
THIRD = {
    "barrier_algorithm": "recursive_doubling",
    "allreduce_algorithm": "reduce_bcast",
    "alltoall_algorithm": "ring",
}
FOURTH = {
    "barrier_algorithm": "linear",
    "bcast_algorithm": "chain",
    "reduce_algorithm": "linear",
    "allreduce_algorithm": "linear",
    "scatter_algorithm": "linear_nonblocking",
    "allgather_algorithm": "neighbor_exchange",
    "alltoall_algorithm": "scattered",
}
TREES = [
    {"bcast_algorithm": "binary", "reduce_algorithm": "chain"},
    {"bcast_algorithm": "split_binary", "reduce_algorithm": "binary"},
    {"bcast_algorithm": "knomial", "reduce_algorithm": "in_order_binary"},
    {"bcast_algorithm": "linear", "reduce_algorithm": "rabenseifner"},
    {"bcast_algorithm": "scatter_ring_allgather"},
]
MPICH, OPENMPI = (dict.fromkeys(ONE | TREES[0], name) for name in ("mpich", "openmpi"))
SETS = [{}, ONE, OTHER, THIRD, FOURTH, *TREES, MPICH, OPENMPI]


@pytest.mark.parametrize("engine", SIMULATORS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 7, 8])
@pytest.mark.parametrize("algorithms", SETS)
def test_collectives_give_what_they_must_in_the_simulator(engine, ranks, algorithms, tmp_path):
    simulated(tmp_path, CHECKED, ranks, engine=engine, **algorithms)


@pytest.mark.parametrize(
    ("topology", "channels"),
    [
        ({"kind": "fat_tree", "k": 2, "levels": 3, "routing": "anca"}, 2),
        ({"kind": "hypercube", "dimensions": 3, "routing": "minimal_adaptive"}, 2),
        ({"kind": "dragonfly", "p": 2, "a": 2, "h": 1, "routing": "ugal"}, 3),
    ],
    ids=["anca", "minimal_adaptive", "ugal"],
)
def test_collectives_give_what_they_must_where_packets_find_their_way(topology, channels, tmp_path):
    """Matching needs the order of messages, which adaptive routes do not keep."""
    own = {"virtual_channels": channels, "wait_for_tail_credit": True, "eager_limit_bytes": 64}
    simulated(tmp_path, CHECKED, 8, engine="packet", topology=topology, **own)


@pytest.mark.parametrize("ranks", [16, 33, 40])
@pytest.mark.parametrize("algorithms", [FOURTH, *TREES, MPICH, OPENMPI])
def test_collectives_give_what_they_must_on_many_ranks(ranks, algorithms, tmp_path):
    simulated(tmp_path, CHECKED, ranks, **algorithms)


@pytest.mark.parametrize("algorithms", [{}, ONE, OPENMPI], ids=["library", "one", "openmpi"])
def test_collectives_give_what_they_must_over_mpi(algorithms, tmp_path):
    metrics = [
        f"--algorithm={key.removesuffix('_algorithm')}={value}" for key, value in algorithms.items()
    ]
    once = ["--output", tmp_path / "x.csv", "--repetitions", 1, "--warmup", 1]
    done = run_program(CHECKED, *once, *metrics, ranks=3)
    assert done.returncode == 0, done.stderr


#: What programs need beside a size.
ARGUMENTS = {
    "group_creation": ("comm_split", "mpich", "3"),
    "group_multicast": ("2",),
    "multicast": ("2",),
    "pingpong_pairs": ("0-5,1-4", "1e-6", "count_stops_at_head", "3"),
    "spaced_traffic": ("uniform", "1e-4", "4"),
    "training_step": ("100000", "2", "1e-6", "2e-6", "double_tree"),
}
#: One checks its sums, one reads a bitmap and one the time in its messages. Without the data of
#: messages they read zeros.
NEEDS_DATA = {"allreduce", "group_multicast", "spaced_traffic"}
#: Programs without sizes of messages.
WITHOUT_SIZES = ("barrier", "group_creation", "training_step")


@pytest.mark.parametrize(
    ("program", "payload"),
    [
        (program, payload)
        for program in sorted(
            set(shipped(PROJECT)) - {"nbody_exchange", "halo_exchange", "pingpong"}
        )
        for payload in ("delivered", "sizes")
        if payload != "sizes" or program not in NEEDS_DATA
    ],
)
def test_every_program_runs_in_the_simulators(program, payload, tmp_path):
    source = PROJECT / "programs" / f"{program}.c"
    sizes = None if program.startswith(WITHOUT_SIZES) else [8, 100_000]
    how = {"payload": payload, "eager_limit_bytes": 16384}
    arguments = ARGUMENTS.get(program, ())
    packets = simulated(tmp_path, source, 6, sizes, arguments, **how)
    flits = simulated(tmp_path, source, 6, sizes, arguments, engine="packet", **how)
    flows = simulated(tmp_path, source, 6, sizes, arguments, engine="flow", **how)
    assert packets["program_time_s"] >= 1e-6
    # A latency and no contention: both wait for the same. Packets of 256 bytes and of 2 KiB take as
    # long on links of 1 TB/s, and a hop of some cycles of 16 ps is nothing.
    assert flits["program_time_s"] == pytest.approx(packets["program_time_s"], rel=0.05)
    assert flows["program_time_s"] == pytest.approx(packets["program_time_s"], rel=0.05)
    for count in ("messages", "payload_bytes"):
        assert flits[count] == flows[count] == packets[count]


@pytest.mark.parametrize(
    # 1000 bytes are 63 flits of 16 bytes; a flow has none.
    ("engine", "bytes_on_links"),
    [("rdma", 1008), ("flow", 1000)],
)
def test_a_ping_pong_takes_what_the_network_says(engine, bytes_on_links, tmp_path):
    network = {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 0.0}
    source = PROJECT / "programs" / "pingpong.c"
    metrics = simulated(tmp_path, source, 2, [1000], network=network, engine=engine)
    assert metrics["one_way_time_s"] == pytest.approx(1e-6 + bytes_on_links / 1e9, rel=1e-9)
    # A rank that comes late to a barrier of two leaves it first, by the latency of a message.
    assert metrics["exchange_time_s"] == pytest.approx(metrics["one_way_time_s"] + 1e-6, rel=1e-9)
    assert metrics["put_time_s"] >= metrics["one_way_time_s"]


def test_the_nbody_exchange_takes_its_phases(tmp_path):
    table = tmp_path / "moves.csv"
    table.write_text("old_owner,to_0,to_1\n0,600,400\n1,100,900\n")
    source = PROJECT / "programs" / "nbody_exchange.c"

    def program_time_s(barriers: str) -> float:
        local = ("{input}", "1e-6", "1e-6", "1e-6", "48", barriers)
        return simulated(tmp_path, source, 2, None, local, reads=table)["program_time_s"]

    with_barriers, without = program_time_s("barriers"), program_time_s("no_barriers")
    # Rank 0 counts 1000, packs 400 and unpacks 100; rank 1 packs 100 and unpacks 400.
    assert with_barriers == pytest.approx(1000e-6 + 400e-6 + 400e-6, abs=6e-6)
    assert without == pytest.approx(1000e-6 + 400e-6 + 100e-6, abs=6e-6)


def test_the_halo_exchange_overlaps_its_faces(tmp_path):
    source = PROJECT / "programs" / "halo_exchange.c"
    metrics = simulated(tmp_path, source, 8, [64], ("2x2x2", "3", "1e-3"))
    assert metrics["program_time_s"] == pytest.approx(3 * (1e-3 + 1e-6), rel=1e-6)
    assert metrics["messages"] == 8 * 6 * 3


def test_a_plain_benchmark_runs_in_the_simulator_with_plausible_times(tmp_path):
    network = {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 0.0}
    source = HERE / "latency_alltoall.c"
    metrics = simulated(tmp_path, source, 4, network=network, eager_limit_bytes=16384)
    sizes = [1, 16, 256, 4096, 65536]
    least = sum(24 * (1e-6 + n / 1e9) + 10 * 16 * n / 1e9 + 3 * n / 1e9 for n in sizes)
    assert least < metrics["program_time_s"] < 1.5 * least

"""Multicast to groups that a bitmap sets up: data, numbers, costs, and mistakes."""

import os
import shutil
import subprocess
from math import ceil, log2
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.source import program_of

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.programs.simulator import HERE, ROOT, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
CHECKED = HERE / "checked_multicast.c"
PROGRAM = ROOT / "programs" / "group_multicast.c"
SIMULATORS = ["flow", "packet", "rdma"]
Group = tuple[str, list[int]]


def algorithms(members: int) -> list[str]:
    powers = [2**i for i in range(members.bit_length()) if members % 2**i == 0]
    return ["ring", *map(str, powers)]


@st.composite
def schedules(draw: st.DrawFn, ranks: int) -> list[Group]:
    """Groups of any members with any master; a rank may leave and come back."""
    groups = []
    for _ in range(draw(st.integers(1, 5))):
        members = draw(st.permutations(range(ranks)))[: draw(st.integers(1, ranks))]
        groups.append((draw(st.sampled_from(algorithms(len(members)))), list(members)))
    return groups


def text(groups: list[Group]) -> str:
    return ";".join(f"{how}:{','.join(map(str, members))}" for how, members in groups)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("engine", SIMULATORS)
@given(data=st.data())
def test_data_arrive_bit_by_bit_in_any_groups(
    engine: str, data: st.DataObject, tmp_path: Path
) -> None:
    ranks = data.draw(st.integers(2, 33))
    groups = data.draw(schedules(ranks))
    size = data.draw(st.sampled_from([0, 1, 7, 840, 20_001]))
    limit = data.draw(st.sampled_from([0, 1 << 30]))
    simulated(
        tmp_path, CHECKED, ranks, [size], (text(groups),), engine=engine, eager_limit_bytes=limit
    )


#: All ranks, some, members that leave and join, other masters, groups at the same time.
AT_ONCE: dict[int, list[Group]] = {
    2: [("2", [0, 1]), ("ring", [1, 0]), ("1", [0]), ("1", [1, 0])],
    5: [("1", [0, 1, 2, 3, 4]), ("2", [0, 3]), ("ring", [4, 2, 1]), ("4", [2, 0, 4, 3])],
    12: [
        *[(how, [5, *range(5), *range(6, 12)]) for how in ("1", "2", "4", "ring")],
        *[("2", [0, 7, 2, 9]), ("4", [1, 3, 5, 11]), ("ring", [8, 6, 10])],
        *[("2", [7, 0, 5, 6, 1, 2]), ("1", [8, 4, 3])],
    ],
}
LIBRARIES = {"mpich": None, "openmpi": "openmpi"}


def over_mpi(library: str, ranks: int, *arguments: object, folder: Path) -> str:
    """Runs one repetition of the checked program; what it says on standard error."""
    end = LIBRARIES[library]
    names = ("mpicc", "mpiexec") if end is None else (f"mpicc.{end}", f"mpiexec.{end}")
    tools = [shutil.which(name) for name in names]
    if None in tools:
        missing(f"{names[0]} is not installed")
    mpicc, launcher = map(Path, filter(None, tools))
    source = program_of({"workload": {"program": CHECKED.stem, "source": str(CHECKED)}}, ROOT)
    executable, *_ = build_program(source, SOURCES, mpicc)
    once = ["--output", folder / "x.csv", "--repetitions", 1, "--warmup", 0, "--min-repetitions", 1]
    command = [launcher, "-n", ranks, executable, *once, *arguments]
    # More ranks than processors, and as whoever runs the tests.
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    allowed |= {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE_S,
        env={**os.environ, **allowed},
    )  # fmt: skip
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("ranks", AT_ONCE)
def test_data_arrive_bit_by_bit_over_mpi(library: str, ranks: int, tmp_path: Path) -> None:
    sizes = ["--sizes", "0,1,7,840,200001"]
    said = over_mpi(library, ranks, *sizes, text(AT_ONCE[ranks]), folder=tmp_path)
    assert said == ""


@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("library", LIBRARIES)
@given(groups=schedules(7))
def test_any_groups_work_over_mpi(library: str, groups: list[Group], tmp_path: Path) -> None:
    assert over_mpi(library, 7, "--sizes", "1,20001", text(groups), folder=tmp_path) == ""


@pytest.mark.parametrize("library", LIBRARIES)
def test_thirty_three_ranks_over_mpi(library: str, tmp_path: Path) -> None:
    everyone, even = [9, *range(9), *range(10, 33)], list(range(0, 32, 2))
    groups = [("1", everyone), ("16", even), ("ring", everyone), ("4", even[:12])]
    assert over_mpi(library, 33, "--sizes", "20001", text(groups), folder=tmp_path) == ""


def setup_bytes(ranks: int) -> int:
    return 16 + ceil(ranks / 8)


@pytest.mark.parametrize("p", [2, 4, 8, 12, 16, 33])
def test_messages_and_bytes_are_those_of_the_closed_forms(p: int, tmp_path: Path) -> None:
    n = 64 * 3 * 11 * 7
    counts = ("messages", "payload_bytes")
    beside = set()
    for how in algorithms(p):
        metrics = simulated(tmp_path, PROGRAM, p, [n], (how,))
        if how == "ring":
            scatter = sum(min(2**i, p - k) for i in range(6) for k in range(2**i, p, 2 ** (i + 1)))
            messages, sent = p - 1 + p * (p - 1), scatter / p + p - 1
        else:
            d = int(how)
            messages = d - 1 + p - d + p * int(log2(d))
            sent = log2(d) / 2 + (p / d - 1) + p * (d - 1) / d
        assert metrics["messages"] == p - 1 + messages
        assert metrics["payload_bytes"] == (p - 1) * setup_bytes(p) + sent * n
        group = f"{how}:{','.join(map(str, range(p)))}"
        with_data = simulated(tmp_path, CHECKED, p, [n], (group,))
        beside.add(tuple(with_data[count] - metrics[count] for count in counts))
    # The program sends from buffers that are NULL. With data, the same messages are sent, beside
    # those by which the checked program looks for messages that nobody received.
    assert len(beside) == 1


S1, S2, M = 1.5e-6, 2.0e-6, 1e-10
LINKS = {"bandwidth_bytes_per_s": 1 / M, "latency_s": S1, "hop_latency_s": 0.0}


@pytest.mark.parametrize("n", [1 << 12, 1 << 20])
@pytest.mark.parametrize("p", [2, 8, 32])
def test_times_on_a_crossbar_are_those_of_table_2(p: int, n: int, tmp_path: Path) -> None:
    """Without the bitmap's S1·log2 p, and with M2 = M1: links that carry both ways at once."""
    zero_copy = {"eager_limit_bytes": 0, "zero_copy_limit_bytes": 1}
    for how in algorithms(p):
        arguments = (f"{how}:{','.join(map(str, range(p)))}", "timed", str(S2 - S1))
        metrics = simulated(tmp_path, CHECKED, p, [n], arguments, LINKS, engine="flow", **zero_copy)
        if how == "ring":
            wanted = 2 * (p - 1) / p * n * M + S1 * (log2(p) + p - 1)
        else:
            d = int(how)
            moved = 2 * (d - 1) / d + log2(p / d) / d
            wanted = moved * n * M + S1 * log2(p) + S2 * log2(d)
        assert metrics["data_time_s"] == pytest.approx(wanted, rel=1e-6), how


#: Groups that cannot be, and what one message says about them.
MISTAKES = [
    ("1:", "group 0 has no members; its master, rank 0, has to be one"),
    ("3:0,1,2,3,4,5", "d = 3: d has to be a power of two, because pieces are collected by"),
    ("4:0,1,2,3,4,5", "d = 4: d has to divide the number of members"),
    ("1:0,1,2,1", "group 0: rank 1 is in the list twice"),
    ("1:0,6", "group 0: rank 6 does not exist; ranks are 0 to 5"),
    (
        "2:1,0;1:0,2",
        "MGEN_Multicast_finish: at the end, multicasts were not received: rank 2 (from rank 0)",
    ),
]


@pytest.mark.parametrize(("groups", "words"), MISTAKES)
def test_a_mistake_has_one_message(groups: str, words: str, tmp_path: Path) -> None:
    how = ("unread",) if "not received" in words else ()
    if groups == "1:":
        source = tmp_path / "empty.c"
        source.write_text(
            '#include "multicast.h"\nint MGEN_Main(int argc, char **argv) {\n'
            "    int rank, ranks[1] = {1};\n    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);\n"
            "    if (rank == 0) MGEN_Multicast_begin(MGEN_COMM_WORLD, 0, 0, ranks, argc - 1);\n"
            "    (void)argv;\n    return 0;\n}\n"
        )
        outside = "group 0: its master, rank 0, is not in the list of members"
        for sizes, reason in ((None, words), ([8], outside)):
            with pytest.raises(AssertionError, match=reason):
                simulated(tmp_path, source, 2, sizes)
        return
    with pytest.raises(AssertionError) as failed:
        simulated(tmp_path, CHECKED, 6, [8], (groups, *how))
    assert words in str(failed.value)


def test_a_multicast_that_nobody_receives_is_reported_over_mpi(tmp_path: Path) -> None:
    said = over_mpi("mpich", 6, "--sizes", "8", "2:1,0;1:0,2", "unread", folder=tmp_path)
    assert said.count("at the end, multicasts were not received: rank 2 (from rank 0)") == 1


def test_a_bitmap_without_data_is_explained(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="needs payload: delivered"):
        simulated(tmp_path, PROGRAM, 4, [8], ("1",), payload="sizes")


@pytest.mark.parametrize(
    ("d", "words"), [("4", "d has to divide"), ("3", "d has to be a power of two")]
)
def test_the_program_refuses_what_no_algorithm_can(d: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=f"MGEN_Multicast_hybrid: group 0 of 6 .*: {words}"):
        simulated(tmp_path, PROGRAM, 6, [8], (d,))


def test_all_members_refuse_with_one_message_over_mpi(tmp_path: Path) -> None:
    said = over_mpi("mpich", 6, "--sizes", "8", "4:0,1,2,3,4,5", folder=tmp_path)
    assert said.count("d has to divide the number of members") == 1


def test_more_members_than_ranks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ended with code 2"):
        simulated(tmp_path, PROGRAM, 6, [8], ("1", "7"))


#: Sizes up to 840 bytes go by ring, and by hybrid 4 up to 8 members; all others by a binomial tree.
RULES = "# by sizes and members\nbytes<=840 ranks<=8: 4; bytes<=840: ring; 1\n"


@pytest.mark.parametrize(
    ("members", "size", "how"),
    [
        (8, 840, "4"),
        (12, 840, "ring"),
        (8, 841, "1"),
        # 4 does not divide 6, so it is 2.
        (6, 840, "2"),
    ],
)
def test_a_table_chooses_the_algorithm(members: int, size: int, how: str, tmp_path: Path) -> None:
    table = tmp_path / "x.multicast"
    table.write_text(RULES)
    by_table = simulated(tmp_path, PROGRAM, 12, [size], ("{input}", str(members)), reads=table)
    by_name = simulated(tmp_path, PROGRAM, 12, [size], (how, str(members)))
    for count in ("messages", "payload_bytes", "multicast_time_s"):
        assert by_table[count] == by_name[count]


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"cannot read its rules from \./absent"):
        simulated(tmp_path, PROGRAM, 4, [8], ("./absent",))


def test_a_table_with_an_algorithm_that_cannot_be_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "x.multicast"
    table.write_text("bytes<=8: 3; 1\n")
    with pytest.raises(AssertionError, match="neither ring nor a power of two"):
        simulated(tmp_path, PROGRAM, 6, [8], ("{input}",), reads=table)


def test_other_ranks_disturb_a_group_where_links_are_shared(tmp_path: Path) -> None:
    """Their messages never reach a member, so a crossbar keeps them apart."""
    torus = {"kind": "torus", "sizes": [16], "nodes": 16, "ties": "plus"}
    times = {
        (name, more): simulated(
            tmp_path, PROGRAM, 16, [1 << 16], ("2", "6", "1", "0", "7", "0", *more),
            {**LINKS, "bandwidth_bytes_per_s": 1e9}, engine="flow", topology=topology,
        )["multicast_time_s"]
        for name, topology in (("crossbar", {"kind": "crossbar", "nodes": 16}), ("torus", torus))
        for more in ((), ("262144", "8"))
    }  # fmt: skip
    busy = ("262144", "8")
    assert times["crossbar", busy] == times["crossbar", ()]
    assert times["torus", busy] > 1.1 * times["torus", ()]

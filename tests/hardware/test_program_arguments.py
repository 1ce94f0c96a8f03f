"""Programs refuse an argument that is not a number, over MPI and in a simulator."""

from pathlib import Path

import pytest

from tests.hardware.test_programs import run_program
from tests.programs import simulator

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
WHOLE = "allowed: a whole number from {} to 2147483647"
SECONDS = "allowed: seconds of at least 0, such as 2.5e-6"
SEED = "allowed: a whole number from 0 to 18446744073709551615"
SIZE = "argument 1 (message size in bytes)"

#: Program, ranks, arguments, and the message: one row for every argument that is a number.
REFUSED = [
    ("allgather", 2, "ten", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("allgather", 2, "", f"{SIZE} is missing; {WHOLE.format(0)}"),
    ("allreduce", 2, "8k", f"{SIZE} is '8k'; {WHOLE.format(0)}"),
    ("allreduce_recursive_doubling", 2, "1e3", f"{SIZE} is '1e3'; {WHOLE.format(0)}"),
    ("alltoall", 2, "-1", f"{SIZE} is '-1'; {WHOLE.format(0)}"),
    ("alltoall_bruck", 2, "2147483648", f"{SIZE} is '2147483648'; {WHOLE.format(0)}"),
    ("alltoall_pairwise", 2, "0x10", f"{SIZE} is '0x10'; {WHOLE.format(0)}"),
    ("alltoall_ring", 2, "+8", f"{SIZE} is '+8'; {WHOLE.format(0)}"),
    ("bcast", 2, "8.0", f"{SIZE} is '8.0'; {WHOLE.format(0)}"),
    ("pingpong", 2, "ten", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("point_to_point", 2, "ten", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("random_ring", 2, "ten", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("random_ring", 2, "8 one", f"argument 2 (seed) is 'one'; {SEED}"),
    ("random_ring", 2, "8 18446744073709551616", "argument 2 (seed) is '18446744073709551616'"),
    ("random_ring", 2, "8 1 two", f"argument 3 (rounds) is 'two'; {WHOLE.format(0)}"),
    ("multicast", 2, "8 0", f"(number of the message that counts) is '0'; {WHOLE.format(1)}"),
    ("halo_exchange", 2, "ten 2", f"(bytes of a face) is 'ten'; {WHOLE.format(0)}"),
    ("halo_exchange", 2, "8 2 two", f"argument 3 (iterations) is 'two'; {WHOLE.format(0)}"),
    ("halo_exchange", 2, "8 2 1 1ms", f"(seconds of computation) is '1ms'; {SECONDS}"),
    ("group_creation", 2, "bitmap - two", f"argument 3 (members) is 'two'; {WHOLE.format(0)}"),
    ("group_creation", 2, "bitmap - 1 nan", f"other ranks compute) is 'nan'; {SECONDS}"),
    ("group_multicast", 2, "ten ring", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("group_multicast", 2, "8 rong", f"path of rules) is 'rong'; {WHOLE.format(1)}"),
    ("group_multicast", 2, "8 0", f"path of rules) is '0'; {WHOLE.format(1)}"),
    ("group_multicast", 2, "8 ring two", f"argument 3 (members) is 'two'; {WHOLE.format(0)}"),
    ("group_multicast", 2, "8 ring 2 0", f"argument 4 (groups) is '0'; {WHOLE.format(1)}"),
    ("group_multicast", 2, "8 ring 2 1 -1", f"one group to the next) is '-1'; {SECONDS}"),
    ("group_multicast", 2, "8 ring 2 1 0 x", f"argument 6 (seed) is 'x'; {SEED}"),
    ("group_multicast", 2, "8 ring 2 1 0 1 x", f"an exchange costs more) is 'x'; {SECONDS}"),
    (
        "group_multicast",
        2,
        "8 ring 2 1 0 1 0 x",
        "argument 8 (bytes of the other ranks' messages) is 'x'",
    ),
    ("group_multicast", 2, "8 ring 2 1 0 1 0 0 x", "(messages of each other rank) is 'x'"),
    ("pingpong_pairs", 2, "ten 0-1 0 whole", f"{SIZE} is 'ten'; {WHOLE.format(0)}"),
    ("pingpong_pairs", 2, "8 0-1 soon whole", f"(seconds until the reply) is 'soon'; {SECONDS}"),
    ("pingpong_pairs", 2, "8 0-one 0 whole", "'0-one' are not pairs of ranks from 0 to 1"),
    ("pingpong_pairs", 2, "8 0-2 0 whole", "'0-2' are not pairs of ranks from 0 to 1"),
    ("pingpong_pairs", 2, "8 0-1 0 whole x", f"argument 5 (round trips) is 'x'; {WHOLE.format(1)}"),
    ("pingpong_pairs", 2, "8 0-1 0 whole 1 x", f"the next round trip) is 'x'; {SECONDS}"),
    ("pingpong_pairs", 2, "8 0-1 0 whole 1 0 x", "(round trip that counts) is 'x'"),
    ("spaced_traffic", 4, "7 random 1e-6 1", f"{SIZE} is '7'; {WHOLE.format(8)}"),
    ("spaced_traffic", 4, "8 rondom 1e-6 1", "and uniform or random"),
    ("spaced_traffic", 4, "8 random soon 1", f"between two messages) is 'soon'; {SECONDS}"),
    ("spaced_traffic", 4, "8 random 1e-6 x", f"(messages of each node) is 'x'; {WHOLE.format(0)}"),
    ("spaced_traffic", 4, "8 random 1e-6 1 x", f"argument 5 (seed) is 'x'; {SEED}"),
    ("nbody_exchange", 2, "t x 0 0 48 barriers", f"to count) is 'x'; {SECONDS}"),
    ("nbody_exchange", 2, "t 0 x 0 48 barriers", f"to pack) is 'x'; {SECONDS}"),
    ("nbody_exchange", 2, "t 0 0 x 48 barriers", f"to unpack) is 'x'; {SECONDS}"),
    ("nbody_exchange", 2, "t 0 0 0 x barriers", f"(bytes of a particle) is 'x'; {WHOLE.format(0)}"),
]


@pytest.mark.parametrize(("program", "ranks", "arguments", "message"), REFUSED)
def test_simulated(program: str, ranks: int, arguments: str, message: str, tmp_path: Path) -> None:
    log = simulator.refusal(
        tmp_path, simulator.ROOT / "programs" / f"{program}.c", ranks, tuple(arguments.split())
    )
    assert log.count(message) == 1


#: One of each kind, because MPI takes a second to start.
OF_EACH_KIND = [row for row in REFUSED if row[0] in ("halo_exchange", "random_ring")]


@pytest.mark.parametrize(("program", "ranks", "arguments", "message"), OF_EACH_KIND)
def test_over_mpi(program: str, ranks: int, arguments: str, message: str, tmp_path: Path) -> None:
    done = run_program(program, "--output", tmp_path / "x", *arguments.split(), ranks=ranks)
    assert done.returncode == 2
    assert done.stderr.count(message) == 1

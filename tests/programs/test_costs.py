"""Messages, bytes and steps of every collective algorithm, in the simulator.

A message takes 1 us whatever its size, so that time counts the steps on the longest way.
"""

from math import ceil, log2
from pathlib import Path

import pytest

from tests.programs.simulator import HERE, ROOT, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
N = 840
#: Steps of 1 us, and what bytes add at 1e12 B/s.
NEAR = 2e-2


def costs(folder: Path, collective: str, algorithm: str, p: int) -> tuple[float, float, float]:
    metrics = simulated(
        folder,
        HERE / "one_collective.c",
        p,
        [N],
        (collective,),
        **{f"{collective}_algorithm": algorithm},
    )
    return metrics["messages"], metrics["payload_bytes"] / N, metrics["program_time_s"] * 1e6


#: Collective, algorithm, ranks: messages, bytes in sizes of N, steps on the longest way. They cost
#: what the literature says (Thakur, Rabenseifner, Gropp 2005; Bruck 1997).
POWER = 8
LOG = 3
ODD = 5
COSTS = [
    ("barrier", "dissemination", POWER, POWER * LOG, 0, LOG),
    ("barrier", "dissemination", ODD, ODD * 3, 0, 3),
    ("barrier", "ring", ODD, ODD * 4, 0, 4),
    ("barrier", "recursive_doubling", POWER, POWER * LOG, 0, LOG),
    # The partner of the odd rank's host runs ahead, which hides one of the four steps.
    ("barrier", "recursive_doubling", ODD, 4 * 2 + 2, 0, 3),
    ("barrier", "tree", POWER, 2 * 7, 0, 2 * LOG),
    ("barrier", "linear", ODD, 2 * 4, 0, 2),
    ("bcast", "binomial", POWER, 7, 7, LOG),
    ("bcast", "binomial", ODD, 4, 4, 2),
    ("bcast", "scatter_allgather", POWER, 7 + POWER * LOG, LOG / 2 + 7, 2 * LOG),
    ("bcast", "scatter_allgather", ODD, 4 + ODD * 4, (1 + 2 + 1 + 1) / 5 + 4, None),
    ("bcast", "scatter_ring_allgather", POWER, 7 + POWER * 7, LOG / 2 + 7, LOG + 7),
    ("bcast", "linear", ODD, 4, 4, 1),
    ("bcast", "chain", ODD, 4, 4, 4),
    ("bcast", "binary", POWER, 7, 7, 3),
    ("bcast", "knomial", POWER, 7, 7, 2),
    # Halves down the tree, then between its sides; the root stands in for the last rank's partner.
    ("bcast", "split_binary", ODD, 4 + 4, 4 / 2 + 4 / 2, 3),
    ("bcast", "split_binary", POWER, 7 + 6 + 1, 7 / 2 + 6 / 2 + 1 / 2, 3),
    ("reduce", "linear", ODD, 4, 4, 1),
    ("reduce", "chain", ODD, 4, 4, 4),
    ("reduce", "binary", POWER, 7, 7, 3),
    # The last rank has the sum, and sends it to the root.
    ("reduce", "in_order_binary", ODD, 4 + 1, 4 + 1, 2 + 1),
    ("reduce", "rabenseifner", POWER, POWER * LOG + 7, 7 + LOG / 2, 2 * LOG),
    ("reduce", "rabenseifner", ODD, 1 + 4 * 2 + 3, 1 + 3 + 2 / 2, 1 + 2 * 2),
    ("reduce", "binomial", POWER, 7, 7, LOG),
    ("reduce", "binomial", ODD, 4, 4, 2),
    ("allreduce", "recursive_doubling", POWER, POWER * LOG, POWER * LOG, LOG),
    ("allreduce", "recursive_doubling", ODD, 4 * 2 + 2, 4 * 2 + 2, 3),
    ("allreduce", "ring", ODD, 2 * ODD * 4, 2 * 4, 2 * 4),
    ("allreduce", "rabenseifner", POWER, 2 * POWER * LOG, 2 * 7, 2 * LOG),
    ("allreduce", "rabenseifner", ODD, 2 * 4 * 2 + 2, 2 * 3 + 2, 2 * 2 + 2),
    ("allreduce", "reduce_bcast", POWER, 2 * 7, 2 * 7, 2 * LOG),
    ("allreduce", "linear", ODD, 2 * 4, 2 * 4, 2),
    ("gather", "binomial", POWER, 7, POWER * LOG / 2, LOG),
    ("gather", "linear", ODD, 4, 4, 1),
    ("scatter", "binomial", POWER, 7, POWER * LOG / 2, LOG),
    ("scatter", "linear", ODD, 4, 4, 1),
    ("scatter", "linear_nonblocking", ODD, 4, 4, 1),
    ("allgather", "ring", ODD, ODD * 4, ODD * 4, 4),
    ("allgather", "recursive_doubling", POWER, POWER * LOG, POWER * 7, LOG),
    ("allgather", "recursive_doubling", ODD, ODD * 3, ODD * 4, 3),
    ("allgather", "bruck", POWER, POWER * LOG, POWER * 7, LOG),
    ("allgather", "neighbor_exchange", POWER, POWER * 4, POWER * 7, 4),
    ("allgather", "neighbor_exchange", ODD, ODD * 4, ODD * 4, 4),
    ("alltoall", "pairwise", POWER, POWER * 7, POWER * 7, 7),
    ("alltoall", "pairwise", ODD, ODD * 4, ODD * 4, 4),
    ("alltoall", "ring", POWER, POWER * 7, POWER * 7, 7),
    ("alltoall", "linear", ODD, ODD * 4, ODD * 4, 1),
    ("alltoall", "scattered", ODD, ODD * 4, ODD * 4, 1),
    # 31 partners at once, then the other 8.
    ("alltoall", "scattered", 40, 40 * 39, 40 * 39, 2),
    ("alltoall", "bruck", POWER, POWER * LOG, POWER * LOG * POWER / 2, LOG),
    ("alltoall", "bruck", ODD, ODD * 3, ODD * (2 + 2 + 1), 3),
]


@pytest.mark.parametrize(("collective", "algorithm", "p", "messages", "sizes", "steps"), COSTS)
def test_a_collective_costs_what_its_algorithm_says(
    collective, algorithm, p, messages, sizes, steps, tmp_path
):
    found = costs(tmp_path, collective, algorithm, p)
    assert found[0] == messages
    assert found[1] == pytest.approx(sizes)
    if steps is not None:
        assert found[2] == pytest.approx(steps, rel=NEAR)


@pytest.mark.parametrize("p", [2, 3, 5, 8, 13])
def test_barriers_of_puts_take_their_steps(p, tmp_path):
    programs = HERE.parents[1] / "programs"

    def steps(name: str) -> float:
        alone = simulated(tmp_path, programs / f"{name}.c", 2)["program_time_s"]
        return 1 + (simulated(tmp_path, programs / f"{name}.c", p)["program_time_s"] - alone) / 1e-6

    assert steps("barrier_ring") == pytest.approx(p - 1, rel=NEAR)
    assert steps("barrier_dissemination") == pytest.approx(ceil(log2(p)), rel=NEAR)
    power = int(log2(p))
    assert steps("barrier_recursive_doubling") <= power + (2 if p != 1 << power else 0) + NEAR


def test_barriers_stand_between_the_steps_of_the_pairwise_exchange(tmp_path):
    """Seven steps of 1 us and six barriers of three."""
    source = ROOT / "programs" / "alltoall_pairwise.c"
    plain = simulated(tmp_path, source, POWER, [N])
    metrics = simulated(tmp_path, source, POWER, [N], ("{message_bytes}", "barriers"))
    assert plain["messages"] == POWER * 7
    assert metrics["messages"] == POWER * 7 + 6 * POWER * LOG
    assert metrics["program_time_s"] == pytest.approx(plain["program_time_s"] + 18e-6, rel=NEAR)


def test_the_pairwise_exchange_refuses_arguments_that_it_does_not_know(tmp_path):
    source = ROOT / "programs" / "alltoall_pairwise.c"
    with pytest.raises(AssertionError, match=r"code 2|returned 2"):
        simulated(tmp_path, source, POWER, [N], ("{message_bytes}", "barrier"))

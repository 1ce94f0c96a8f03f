"""Where the time jumps between two sizes, further sizes are measured; elsewhere none."""

import ctypes
import math
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
POWERS = [0, *(2**k for k in range(21))]


class Timed(ctypes.Structure):
    """As in jumps.h."""

    _fields_ = (("bytes", ctypes.c_int), ("time_s", ctypes.c_double))


Between = Callable[..., list[int]]


@pytest.fixture(scope="module")
def between(tmp_path_factory: pytest.TempPathFactory) -> Between:
    """What the runner would measure next, of these times at these sizes."""
    library = tmp_path_factory.mktemp("jumps") / "jumps.so"
    words = ["-std=c11", "-shared", "-fPIC", str(HARDWARE / "jumps.c"), "-lm"]
    subprocess.run(["cc", *words, "-o", str(library)], check=True)
    asked = ctypes.CDLL(str(library)).weft_jumps_between

    def found(
        time_s: Callable[[int], float], sizes: Sequence[int], known: Sequence[int] = ()
    ) -> list[int]:
        given = (Timed * len(sizes))(*((size, time_s(size)) for size in sizes))
        room = (ctypes.c_int * 64)(*known)
        return list(room[: asked(given, len(sizes), room, len(known), 64)])

    return found


def eager_up_to(limit: int) -> Callable[[int], float]:
    return lambda n: 0.7e-6 + n * 2e-11 + (2e-6 if n > limit else 0)


@pytest.mark.parametrize("limit", [0, 100, 4096, 8150, 8192, 65536])
def test_a_jump_is_located_within_one_percent(between: Between, limit: int) -> None:
    sizes, time_s = list(POWERS), eager_up_to(limit)
    while more := between(time_s, sizes):
        sizes += more
    last = max(size for size in sizes if size <= limit)
    first = min(size for size in sizes if size > limit)
    assert first - last <= max(1, 0.01 * last)
    assert len(sizes) - len(POWERS) <= math.ceil(math.log2(100)) + 1


@pytest.mark.parametrize(
    "time_s",
    [
        lambda n: 0.7e-6,
        lambda n: 1e-9 + n * 1e-9,
        lambda n: max(0.7e-6, n * 1e-9),
        lambda n: 0.7e-6 + n * 1e-9 if n < 4096 else 0.7e-6 + 4096e-9 + (n - 4096) * 1e-10,
        lambda n: (0.7e-6 + n * 1e-11) * (1.1 if n.bit_length() % 2 else 1),
        lambda n: 3e-8 if n < 3000 else 5e-8,
    ],
    ids=[
        "level",
        "straight",
        "rising later",
        "rising more slowly",
        "noise of a tenth",
        "steps of a clock",
    ],
)
def test_times_on_lines_have_no_jump(between: Between, time_s: Callable[[int], float]) -> None:
    assert between(time_s, POWERS) == []


def test_a_jump_downwards_is_found(between: Between) -> None:
    assert between(lambda n: 1e-6 if n > 5000 else 2e-6, POWERS) == [round(math.sqrt(4096 * 8192))]


def test_the_order_of_the_sizes_does_not_matter(between: Between) -> None:
    assert between(eager_up_to(5000), POWERS[::-1]) == between(eager_up_to(5000), POWERS)


def test_unknown_times_are_no_jump(between: Between) -> None:
    assert between(lambda n: eager_up_to(5000)(n) if n != 8192 else 0.0, POWERS) == []


def test_two_metrics_that_jump_at_one_place_add_one_size(between: Between) -> None:
    one = between(eager_up_to(5000), POWERS)
    assert between(eager_up_to(5000), POWERS, one) == one
    assert between(eager_up_to(300), POWERS, one) == [*one, round(math.sqrt(256 * 512))]

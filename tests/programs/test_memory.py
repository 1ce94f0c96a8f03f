"""How much memory all ranks of a program take in one process."""

from pathlib import Path

import pytest

from tests.programs import simulator

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
#: What a simulator, the program and the stacks of its ranks take.
LEAST_BYTES = 32 << 20
PAGE_BYTES, APART_BYTES = 4096, 64 << 10


@pytest.mark.parametrize("ranks", [8, 64, 128])
def test_space_between_the_blocks_of_an_exchange_takes_none(tmp_path: Path, ranks: int) -> None:
    """Each rank has a page for each block. The space between them is 16 times as much."""
    source = HERE / "vectors_in_place.c"
    line, _ = simulator.run_line(
        tmp_path, source, ranks, None, (str(APART_BYTES),), None, "flow", None, {}
    )
    assert line["status"] == "done", line["error"]
    # A page of the program's own, and at most one more.
    assert line["peak_rss_bytes"] < LEAST_BYTES + 2 * PAGE_BYTES * ranks * ranks

"""The rows of BookSim2 that take longest to repeat; the others run with every `cargo test`."""

import pytest

from tests.long.ignored import ignored_tests

pytestmark = [pytest.mark.slow, pytest.mark.long("booksim2")]


@pytest.mark.parametrize(
    "test",
    [
        "atr::saturated_networks_accept_what_booksim2_accepts",
        "seeds::means_over_seeds_are_those_of_booksim2",
        "table1::batches_take_as_long_as_in_booksim2",
    ],
)
def test_packets_go_as_in_booksim2(test: str) -> None:
    done = ignored_tests("packet", f"booksim2::{test}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test result: ok. 1 passed" in done.stdout

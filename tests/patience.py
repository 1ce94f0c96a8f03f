"""How long tests wait for what must happen: minutes, so that a busy machine fails none of them."""

import time
from collections.abc import Callable

#: For whatever should take a moment. A limit, and never a measure of speed.
PATIENCE_S = 600.0


def wait_until(holds: Callable[[], bool], what: str = "it") -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not happen within {PATIENCE_S:g} s"
        time.sleep(0.05)

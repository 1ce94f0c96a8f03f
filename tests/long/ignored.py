"""Runs a test of a crate that `cargo test` ignores because it belongs to the long tier."""

import subprocess
from pathlib import Path

SIMULATORS = Path(__file__).parents[2] / "simulators"


def ignored_tests(crate: str, test: str) -> subprocess.CompletedProcess[str]:
    """What the test of the crate printed, which runs alone."""
    command = ("cargo", "test", "--quiet", "--locked", "--release")
    chosen = ("--package", crate, "--test", "integration", "--", "--ignored", "--nocapture")
    return subprocess.run(
        [*command, *chosen, "--exact", test], cwd=SIMULATORS, capture_output=True, text=True
    )

"""What a newcomer's compiler has to do before the first run."""

import subprocess
from pathlib import Path

SIMULATORS = Path(__file__).parents[1] / "simulators"


def test_no_package_is_compiled_in_two_versions() -> None:
    """Such as `syn` for macros: Cargo.lock has versions of their packages that share it."""
    words = "tree --workspace --duplicates --edges normal,build --locked --offline --prefix none"
    tree = subprocess.run(
        ["cargo", *words.split(), "--manifest-path", str(SIMULATORS / "Cargo.toml")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert tree.stdout.splitlines() == []

"""What a newcomer's compiler has to do before the first run, and again before the tests."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIMULATORS = ROOT / "simulators"


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


def test_tests_are_compiled_with_the_profile_of_the_first_build() -> None:
    """Cargo would compile every crate again for another profile."""
    makefile = (ROOT / "Makefile").read_text()
    calls = re.findall(r"\$\(CARGO\) (build|test|clippy) (.*)", makefile)
    assert [command for command, _ in calls] == ["test", "build", "clippy"]
    assert [words for _, words in calls if "--release" not in words.split()] == []

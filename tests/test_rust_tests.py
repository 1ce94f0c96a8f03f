"""A file of Rust tests that no executable includes would never run, and nobody would notice."""

import re
from pathlib import Path

import pytest

SIMULATORS = Path(__file__).parents[1] / "simulators"
FILES = sorted(SIMULATORS.glob("*/tests/*/**/*.rs"))
#: The files that declare the others of their folder.
ROOTS = ("main.rs", "mod.rs")


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.name not in ROOTS],
    ids=lambda path: str(path.relative_to(SIMULATORS)),
)
def test_every_file_of_tests_is_a_module_of_its_executable(path: Path) -> None:
    roots = [path.with_name(name) for name in ROOTS if path.with_name(name).exists()]
    text = "".join(root.read_text() for root in roots)
    declared = re.findall(r"^(?:pub )?mod (\w+);", text, re.M)
    assert path.stem in declared

"""Measurements beside other tests: two ranks seldom have a processor at the same time."""

from pathlib import Path

MACHINE = "configs/machine/local.yaml"


def measures_patiently(project: Path) -> None:
    """Let the programs of a copy of the project take longer than on a quiet machine."""
    path = project / MACHINE
    text = path.read_text()
    longer = text.replace("timeout: 120 s", "timeout: 10 min")
    assert longer != text
    path.write_text(longer)

"""All looks at the machine, in the order in which a user needs them."""

from __future__ import annotations

from pathlib import Path

from weft.doctor.build_tools import build_tools, free_space
from weft.doctor.containers import containers
from weft.doctor.finding import Finding
from weft.doctor.network import network
from weft.doctor.strangers import strangers


def examine(root: Path) -> dict[str, list[Finding]]:
    """Findings by heading; `root` is the project's folder."""
    return {
        "To run at all": [*build_tools(), free_space(root)],
        "In images": list(containers(root)),
        "On real machines": list(network()),
        "For programs of strangers": list(strangers()),
    }

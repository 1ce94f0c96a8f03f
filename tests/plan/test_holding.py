"""Before anything runs: can its results and Snakemake's notes be written?"""

from pathlib import Path

import pytest
from weft.prepare.main import prepare
from weft.profile.command_line import CommandLine

#: Where nobody can make a file, root included.
CLOSED = Path("/proc/results")


@pytest.mark.parametrize("target", ["doctor", "containers"])
def test_a_command_without_a_plan_says_where_it_cannot_write(target: str) -> None:
    """Snakemake's own error would be a traceback, and with `--quiet all` nothing at all."""
    with pytest.raises(SystemExit, match=r"^weft: cannot write to /proc: .*; nothing was run"):
        prepare({}, CommandLine(targets=(target,)), results=CLOSED)

"""`profiles/cluster/end_jobs`: no job is left when Snakemake ends, unless it was killed."""

import re
import subprocess
from pathlib import Path

from tests.parent import with_parent
from tests.patience import PATIENCE_S

SCRIPT = str(Path(__file__).parents[2] / "profiles/cluster/end_jobs")
#: What a batch system would do: it notes the name.
CANCEL = 'echo "$name" >cancelled'


def test_it_names_the_jobs_and_cancels_them_when_it_is_asked_to_end(tmp_path: Path) -> None:
    command = with_parent([SCRIPT, CANCEL])
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        name = process.stdout.readline()
        # Grid Engine takes no names that begin with a digit, older PBS none above 15 characters.
        assert re.fullmatch(r"weft-[0-9a-f]{8}\n", name)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    assert (tmp_path / "cancelled").read_text() == name


def test_the_jobs_of_a_killed_snakemake_go_on(tmp_path: Path) -> None:
    # The shell in between is Snakemake; its output is open for as long as the script runs.
    killed = ["sh", "-c", '"$0" "$1" & read name; kill -KILL $$', SCRIPT, CANCEL]
    with subprocess.Popen(
        killed, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdin
        assert process.stdout.readline().startswith("weft-")
        process.stdin.close()
        process.wait(PATIENCE_S)
        assert process.stdout.read() == ""  # the script has ended, too
    assert not (tmp_path / "cancelled").exists()

"""`profiles/slurm/driver.sh`: whatever goes wrong is in a log that Slurm can write."""

import re
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "profiles/slurm/driver.sh"


def test_its_log_needs_no_folder() -> None:
    """Slurm makes none: it would end the job without a word."""
    assert re.findall(r"^#SBATCH --output=(.*)$", SCRIPT.read_text(), re.M) == ["weft-%j.log"]


def test_another_folder_than_the_project_is_named(tmp_path: Path) -> None:
    environment = {"SLURM_SUBMIT_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = ["bash", str(SCRIPT), "reports/quickstart.html"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    expected = f"weft: {tmp_path} has no Snakefile: call sbatch in the project's folder\n"
    assert (done.returncode, done.stderr) == (1, expected)

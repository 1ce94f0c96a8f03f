"""The commands that hardware/README.md prints."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_program_is_built_and_measured_by_hand(tmp_path: Path) -> None:
    readme = (ROOT / "hardware" / "README.md").read_text()
    commands = readme.split("```\n")[1].replace("-o pingpong", f"-o {tmp_path}/pingpong")
    commands = commands.replace("./pingpong", f"{tmp_path}/pingpong")
    commands = commands.replace("samples.csv", f"{tmp_path}/samples.csv --repetitions 1")
    subprocess.run(["sh", "-ec", commands], cwd=ROOT, check=True)
    assert "one_way_time_s" in (tmp_path / "samples.csv").read_text()

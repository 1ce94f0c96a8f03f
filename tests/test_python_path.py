"""PYTHONPATH of a shell, as `module load` sets it, hides no package of the environment."""

import os
import subprocess
import sys
from pathlib import Path


def imported(name: str, path: Path) -> str:
    """The file that `import name` finds with this PYTHONPATH."""
    command = [sys.executable, "-c", f"import {name}; print({name}.__file__)"]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_packages_of_the_environment_come_first(tmp_path: Path) -> None:
    for name in ("yaml", "numpy", "weft", "typing"):
        (tmp_path / f"{name}.py").write_text("")
    for name in ("yaml", "numpy", "weft", "typing"):
        assert not imported(name, tmp_path).startswith(str(tmp_path))


def test_what_only_python_path_has_is_found(tmp_path: Path) -> None:
    (tmp_path / "ours_alone.py").write_text("")
    assert imported("ours_alone", tmp_path) == str(tmp_path / "ours_alone.py")


def test_a_folder_with_weft_itself_stays_first(tmp_path: Path) -> None:
    (tmp_path / "weft").mkdir()
    (tmp_path / "weft" / "__init__.py").write_text("")
    (tmp_path / "weft" / "launch.py").write_text("")
    assert imported("weft", tmp_path) == str(tmp_path / "weft" / "__init__.py")

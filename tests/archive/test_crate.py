"""The archive as a Workflow Run RO-Crate."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.missing import missing

from .conftest import ROOT, Made

pytestmark = pytest.mark.slow

VALIDATOR = ROOT / ".venv" / "crate" / "bin" / "python"


@pytest.fixture
def unpacked(made_once: Made, tmp_path: Path) -> Path:
    with ZipFile(made_once.archive) as zipped:
        zipped.extractall(tmp_path)
    return tmp_path


def entities(folder: Path) -> dict[str, dict[str, Any]]:
    graph = json.loads((folder / "ro-crate-metadata.json").read_text())["@graph"]
    return {entity["@id"]: entity for entity in graph}


def test_every_file_that_it_names_is_there(unpacked: Path) -> None:
    named = [part["@id"] for part in entities(unpacked)["./"]["hasPart"]]
    assert "reports/demo.html" in named
    assert [path for path in named if not (unpacked / path).exists()] == []


def test_the_run_names_what_went_in_and_what_came_out(unpacked: Path) -> None:
    run = entities(unpacked)["#run"]
    assert run["instrument"] == {"@id": "Snakefile"}
    assert {"@id": "configs/experiment/demo.yaml"} in run["object"]
    assert {"@id": "reports/demo.html"} in run["result"]
    assert run["description"] == "flow 1"


def test_the_validator_finds_no_requirement_unmet(unpacked: Path) -> None:
    if not VALIDATOR.exists():
        missing("the validator of archives is not installed: `make test` installs it")
    found = find_spec("rocrate")
    assert found is not None
    assert found.origin is not None
    context = Path(found.origin).parent / "data" / "ro-crate.jsonld"
    script = Path(__file__).with_name("validate_crate.py")
    command = [VALIDATOR, script, unpacked, context, "workflow-run-crate-0.5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "checks passed" in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("REQUIRED")] == []

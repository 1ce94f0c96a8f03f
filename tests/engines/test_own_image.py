"""A simulator of somebody else: a definition of its image and a declaration, nothing more."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]

ROOT = Path(__file__).parents[2]
DECLARATION = """
description: Answers every point with the same number.
program: image
answers: [messages]
options:
  level: {description: How loud., type: integer, default: 3}
"""
# The parent has a shell and little else, so that the image is built in seconds.
DEFINITION = """
Bootstrap: localimage
From: {{ flow }}

%files
    containers/weft-echo /usr/local/bin/weft-echo
"""
PROGRAM = r"""#!/bin/sh
# weft-echo run --shard FILE --out FOLDER --threads N
line='{"point_id": "%s", "digest": "%s", "status": "done", "metrics":'
line="$line [{\"metric\": \"makespan_s\", \"value\": 7, \"unit\": \"s\"}]}\n"
grep -oE '"(digest|point_id)": "[0-9a-f]+"' "$3" | cut -d '"' -f 4 | paste - - |
    while read -r digest point_id; do
        grep -qs "$digest" "$5/journal.jsonl" && continue
        printf "$line" "$point_id" "$digest" >>"$5/journal.jsonl"
    done
"""
EXPERIMENT = """
title: Echo
question: Does it answer?
engines: [echo]
sweep: {engine.echo.level: [1, 2]}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, flow_image: Path) -> Project:
    """A copy of the project with the two files, the program and an experiment."""
    copy = Project(tmp_path_factory.mktemp("project"))
    containers = copy.folder / "containers"
    skip = shutil.ignore_patterns("images", "vendor", "target")
    for folder in ("containers", "simulators"):
        shutil.copytree(ROOT / folder, copy.folder / folder, ignore=skip, dirs_exist_ok=True)
    (containers / "images").mkdir(exist_ok=True)
    for file in (flow_image, flow_image.with_suffix(".json")):
        shutil.copy(file, containers / "images")
    (containers / "echo.def").write_text(DEFINITION)
    (containers / "weft-echo").write_text(PROGRAM)
    (containers / "weft-echo").chmod(0o755)
    (copy.folder / "configs" / "engine" / "echo.yaml").write_text(DECLARATION)
    copy.write("echoes", EXPERIMENT)
    return copy


def runs(project: Project) -> list[tuple[object, ...]]:
    with duckdb.connect(str(project.folder / "results" / "weft.duckdb"), read_only=True) as con:
        return con.execute("select engine_version, image_sha256, environment from runs").fetchall()


def test_without_its_image_it_says_how_to_run_it(project):
    outcome = project.collect("echoes")
    assert outcome.code != 0
    assert "weft-echo is in its image only" in outcome.output
    assert "--sdm apptainer" in outcome.output


def test_the_image_is_built_and_its_program_answers(project):
    outcome = project.collect("echoes", "--cores", "2", "--sdm", "apptainer")
    assert outcome.code == 0, outcome.output
    assert (outcome.jobs["image"], outcome.jobs["simulate"]) == (1, 1)
    (image,) = (project.folder / "containers" / "images").glob("echo-*.sif")
    sidecar = json.loads(image.with_suffix(".json").read_text())
    assert len(runs(project)) == 2
    for version, sha256, environment in runs(project):
        assert version == f"image+{image.stem.removeprefix('echo-')}"
        assert sha256 == sidecar["squashfs_sha256"]
        assert json.loads(environment)["image"] == image.name


def test_an_unchanged_image_runs_nothing_again(project):
    outcome = project.collect("echoes", "--cores", "2", "--sdm", "apptainer")
    assert outcome.code == 0
    assert "simulate" not in outcome.jobs

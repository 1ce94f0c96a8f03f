"""What weft ships is valid, and what is generated is in sync."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from weft.config import default_experiments, load_experiments
from weft.config.generate import side_tables
from weft.config.generate.reference import reference
from weft.config.generate.schema import schemas
from weft.config.model.answer import Agreement, Cost
from weft.config.model.figures import Map
from weft.plan import expand

from tests.config.schema_support import validator

ROOT = Path(__file__).resolve().parents[3]
CONFIGS = ROOT / "configs"
SCHEMA_LINE = "# yaml-language-server: $schema="
FOLDERS = (".", "experiment", "topology", "network", "workload", "engine", "machine")
FILES = [path for folder in FOLDERS for path in sorted((CONFIGS / folder).glob("*.yaml"))]
FILES.append(CONFIGS / "report/default.yaml")


SCHEMAS = schemas()


def shipped(name):
    (experiment,) = load_experiments(CONFIGS, [name])
    return experiment, expand(experiment)


@pytest.mark.slow
def test_every_shipped_experiment_is_valid():
    assert {"quickstart", "pingpong", "latency_load", "mfs_table1", "mfs_atr"} <= {
        experiment.name for experiment in load_experiments(CONFIGS)
    }


def test_quickstart_is_built_by_default():
    assert default_experiments(CONFIGS) == ["quickstart"]


def test_quickstart_asks_every_engine_for_every_program():
    _, points = shipped("quickstart")
    asked = {(point.engine, point.spec["workload"]["program"]) for point in points}
    assert asked == {
        (engine, program)
        for engine in ("flow", "rdma", "packet", "hardware")
        for program in ("pingpong", "alltoall", "allreduce")
    }


def test_program_map_maps_errors_of_every_model_and_their_cost():
    experiment, _ = shipped("program_map")
    figures = [placed.asked for placed in experiment.figures]
    maps = [figure for figure in figures if isinstance(figure, Map)]
    assert maps == figures
    assert {(each.value, each.of, each.to) for each in maps} == {
        ("program_time_s", "flow", "packet"),
        ("program_time_s", "rdma", "packet"),
        ("program_time_s", "flow", "hardware"),
        ("program_time_s", "rdma", "hardware"),
        ("program_time_s", "packet", "hardware"),
        ("cpu_s", None, None),
    }


def test_program_map_answers_for_each_program_which_model_suffices():
    experiment, _ = shipped("program_map")
    asked = [placed.asked for placed in experiment.questions]
    agreements = [each for each in asked if isinstance(each, Agreement)]
    assert [(each.of, each.to, each.each) for each in agreements] == [
        ("program_time_s", "packet", "workload.program"),
        ("program_time_s", "packet", "topology"),
        ("program_time_s", "packet", "message_bytes"),
        ("program_time_s", "hardware", "workload.program"),
    ]
    assert [each.to for each in asked if isinstance(each, Cost)] == ["packet"]


def test_table1_asks_every_row_with_forty_seeds():
    _, points = shipped("mfs_table1")
    asked = [(p.spec["topology"]["k"], p.seed) for p in points if p.engine == "flow"]
    assert asked == [(k, s) for k in (16, 18, 20, 22, 26, 30, 34, 36) for s in range(1, 41)]
    assert points[0].spec["workload"]["message_bytes"] == [125]


def test_table1_gives_each_engine_the_batch_of_its_model():
    _, points = shipped("mfs_table1")
    asked = {
        (p.engine, p.spec["workload"]["outstanding"], p.spec["workload"]["include_self"])
        for p in points
    }
    assert asked == {("flow", 1, False), ("packet", "all", True)}


@pytest.mark.slow
def test_atr_gives_each_family_its_channels_and_links():
    _, points = shipped("mfs_atr")
    asked = {
        (
            p.spec["topology"]["kind"],
            p.spec["options"]["vc_buffer_flits"],
            p.spec["options"]["virtual_channels"],
            p.spec["options"]["channel_latency_cycles"],
        )
        for p in points
        if p.engine == "packet"
    }
    assert asked == {
        *((kind, buffer, 1, 1) for kind in ("fat_tree", "mesh") for buffer in (2, 5)),
        *((kind, 5, "per_destination", 1) for kind in ("mesh", "torus")),
        ("torus", 2, 2, 2),
        ("torus", 5, 2, 1),
    }


@pytest.mark.slow
def test_atr_asks_transpose_only_where_it_exists():
    _, points = shipped("mfs_atr")
    asked = {
        p.spec["topology"]["k"] for p in points if p.spec["workload"]["pattern"] == "transpose"
    }
    assert asked == {2, 4, 8}


def test_latency_load_asks_the_packet_engine_on_three_networks_of_64_nodes():
    _, points = shipped("latency_load")
    asked = {(p.engine, p.spec["topology"]["kind"], p.spec["topology"]["nodes"]) for p in points}
    assert asked == {("packet", kind, 64) for kind in ("mesh", "torus", "fat_tree")}
    assert len(points) == 3 * 2 * 19


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CONFIGS)))
def test_shipped_file_names_its_schema_and_obeys_it(path):
    first = path.read_text().splitlines()[0]
    assert first.startswith(SCHEMA_LINE)
    schema = (path.parent / first.removeprefix(SCHEMA_LINE)).read_text()
    validator(schema).validate(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema_is_in_sync(name):
    hint = "run: make schema"
    assert (CONFIGS / "schema" / name).read_text() == SCHEMAS[name], hint


def test_schema_refuses_a_misspelt_key():
    schema = validator(SCHEMAS["experiment.schema.json"])
    good = {"title": "t", "question": "q", "engines": ["flow"]}
    assert schema.is_valid(good)
    assert not schema.is_valid({**good, "topology": {"kk": 4}})


def test_reference_is_in_sync():
    hint = "run: make schema"
    assert (ROOT / "docs/experiment-file.md").read_text() == reference(), hint
    assert (ROOT / "docs/side-tables.md").read_text() == side_tables.page(), hint


@pytest.mark.slow
def test_example_of_the_reference_is_valid(tree):
    example = re.search(r"```yaml\n(.*?)```", reference(), re.DOTALL)
    tree.write("experiment/x.yaml", example[1])
    kinds = {point.spec["topology"]["kind"] for point in expand(tree.load())}
    assert kinds == {"torus", "mesh"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("weft.config.generate.schema", "configs/schema"),
        ("weft.config.generate.reference", "docs/experiment-file.md"),
        ("weft.report.data.metrics", "docs/metrics.md"),
    ],
    ids=lambda command: command[1],
)
def test_a_generated_file_is_replaced_as_a_whole(command, tmp_path):
    module, target = command
    (tmp_path / "configs").symlink_to(CONFIGS)
    written = tmp_path / Path(target).name
    one = written / "network.schema.json" if written.suffix == "" else written
    one.parent.mkdir(exist_ok=True)
    one.write_text("as before\n")
    before = tmp_path / "before"
    os.link(one, before)
    subprocess.run([sys.executable, "-m", module, str(written)], cwd=tmp_path, check=True)
    expected = CONFIGS / "schema" / one.name if written.suffix == "" else ROOT / target
    assert one.read_text() == expected.read_text()
    # A writer that fills the old file shows readers, and leaves to a kill, a part of the new one.
    assert before.read_text() == "as before\n"


def test_a_failed_make_schema_leaves_the_pages(tmp_path):
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path)
    pages = [tmp_path / "docs" / name for name in ("experiment-file.md", "metrics.md")]
    for page in pages:
        page.write_text("as before\n")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    # As where a kill takes whatever is about to write.
    python.symlink_to(shutil.which("false"))
    command = ["make", "--keep-going", "--ignore-errors", "--old-file=env", "schema"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert [page.read_text() for page in pages] == ["as before\n"] * 2

"""The recipes of docs/extending.md for a topology, a table and an engine of the project, followed
in one copy of it: what is new is compiled, catalogued, tested, planned and simulated."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("crate_recipes")]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MANIFEST = "simulators/Cargo.toml"
PAGE = (ROOT / "docs" / "extending.md").read_text()


def section(title: str) -> str:
    """A section of the page."""
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


@dataclass(frozen=True)
class Recipe:
    """What somebody does who follows a section of the page: whole files, by what they hold, and
    lines in files that are there, each by the beginning of the line that it goes in front of."""

    title: str
    name: str
    files: dict[str, str]
    lines: dict[str, list[tuple[str, str]]]

    def follow(self, project: Path) -> None:
        named = re.findall(r"^\| `([^`]+)` \|", section(self.title), re.MULTILINE)
        assert sorted(named) == sorted([*self.files, *self.lines]), "the recipe names other files"
        for name, source in self.files.items():
            path = project / name.replace("<name>", self.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((HERE / source).read_bytes())
        for name, additions in self.lines.items():
            path = project / name
            path.write_text(added(path.read_text(), additions))


TOPOLOGY = Recipe(
    "A topology",
    "clique",
    files={
        "simulators/fabric/src/<name>.rs": "new_topology/fabric.rs",
        "simulators/fabric/src/routing/<name>.rs": "new_topology/routing.rs",
        "configs/topology/<name>.yaml": "new_topology/group.yaml",
    },
    lines={
        "simulators/fabric/src/lib.rs": [
            ("Fabric::Crossbar($fabric) =>", "Fabric::Clique($fabric) => $body,"),
            ("mod crossbar;", "mod clique;"),
            ("pub use crossbar::", "pub use clique::Clique;"),
            ("&crossbar::ABOUT,", "&clique::ABOUT,"),
            ("Crossbar(Crossbar),", "Clique(Clique),"),
            ("Crossbar {", "Clique { nodes: u32 },"),
            (
                "Self::Crossbar { nodes } =>",
                "Self::Clique { nodes } => (Fabric::Clique(Clique::new(*nodes)?), None),",
            ),
        ],
        "simulators/fabric/src/routing/mod.rs": [
            ("mod crossbar;", "mod clique;"),
            ("pub use crossbar::", "pub use clique::OneHop;"),
            ("Direct(Direct),", "OneHop(OneHop),"),
            ("AnyRouting::Direct($routing) =>", "AnyRouting::OneHop($routing) => $body,"),
            (
                "Fabric::Crossbar(_) =>",
                "Fabric::Clique(_) => Self::OneHop(OneHop { nodes: fabric.nodes(), vcs }),",
            ),
        ],
        "workflow/weft/analysis/networks/families.yaml": [
            ("crossbar:", "clique: {family: cliques, size: nodes, dimensions: 1, nodes: 1}"),
        ],
        "docs/topologies.md": [
            ("| `crossbar` | `nodes` |", "| `clique` | `nodes` | `nodes` | – |"),
            (
                "| `crossbar` | direct, always |",
                "| `clique` | one hop, always | the channel between the two routers | 1 | yes |",
            ),
            ("| `crossbar` | the nodes |", "| `clique` | the other routers, then the node |"),
        ],
    },
)
TABLE = Recipe(
    "A table of a simulator",
    "node_flits",
    files={},
    lines={
        "simulators/packet/src/tables.rs": [
            (
                "/// The buffer at the end of each channel",
                section("A table of a simulator").partition("```rust\n")[2].partition("```")[0],
            )
        ],
        "simulators/packet/src/declaration.rs": [
            ("use crate::tables::BUFFERS;", "use crate::tables::NODE_FLITS;"),
            ("(&BUFFERS, lists),", "(&NODE_FLITS, lists),"),
        ],
        "simulators/packet/src/study.rs": [
            (
                "if let Some(occupancy) = &pace.occupancy",
                "if self.options.tables.has(&tables::NODE_FLITS) {\n"
                "    write(&tables::NODE_FLITS, &|writer| tables::node_flits(writer, window))?;\n"
                "}",
            )
        ],
    },
)
ENGINE = Recipe(
    "An engine of the project",
    "ideal",
    files={
        "simulators/<name>/Cargo.toml": "new_engine/Cargo.toml",
        "simulators/<name>/build.rs": "new_engine/build.rs",
        "simulators/<name>/src/lib.rs": "new_engine/src/lib.rs",
        "simulators/<name>/src/main.rs": "new_engine/src/main.rs",
        "configs/engine/<name>.yaml": "new_engine/engine.yaml",
    },
    lines={
        "simulators/Cargo.toml": [
            ('"rdma", "anet",', '"ideal",'),
            ("model = {", 'ideal = { path = "ideal" }'),
        ],
        "simulators/catalogue/Cargo.toml": [("model.workspace", "ideal.workspace = true")],
        "simulators/catalogue/src/lib.rs": [
            ("model::ENGINE:", "ideal::ENGINE: ideal::declaration(),")
        ],
        "Makefile": [("# Below build/", "SIMULATORS += weft-ideal")],
    },
)


def added(text: str, additions: list[tuple[str, str]]) -> str:
    """`text` with each addition in front of the only line that begins so."""
    lines = text.splitlines()
    for known, new in additions:
        (at,) = (place for place, line in enumerate(lines) if line.lstrip().startswith(known))
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, indent + new)
    # Rust counts the topologies.
    text = "\n".join([*lines, ""])
    return re.sub(
        r"TOPOLOGIES: \[&About; (\d+)\]",
        lambda found: f"TOPOLOGIES: [&About; {int(found[1]) + 1}]",
        text,
    )


def run(folder: Path, *command: str) -> str:
    """What a command prints; compiled packages of others are kept for the next time."""
    target = ROOT / "simulators" / "target" / "recipe"
    env = {**os.environ, "CARGO_TARGET_DIR": str(target), "PYTHONPATH": str(folder / "workflow")}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
    return done.stdout


def cargo(folder: Path, command: str, *words: str) -> str:
    manifest = ["--release", "--locked", "--manifest-path", MANIFEST]
    return run(folder, "cargo", command, "--quiet", *manifest, *words)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the recipes are followed, file by file."""
    folder = tmp_path_factory.mktemp("recipe") / "weft"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    for recipe in (TOPOLOGY, TABLE, ENGINE):
        recipe.follow(folder)
    run(folder, "cargo", "metadata", "--quiet", "--offline", "--manifest-path", MANIFEST)
    # As `make catalogue` and `make schema` do.
    (folder / "configs/catalogue.json").write_text(cargo(folder, "run", "--package", "catalogue"))
    run(folder, sys.executable, "-m", "weft.config.generate.schema", "configs/schema")
    reference = [sys.executable, "-m", "weft.config.generate.reference", "docs/experiment-file.md"]
    run(folder, *reference)
    return folder


def test_the_tests_of_topologies_hold_for_the_new_one(project: Path) -> None:
    for crate, module in (("fabric", "catalogue"), ("packet", "deadlock"), ("packet", "draining")):
        printed = cargo(project, "test", "--package", crate, "--test", "integration", f"{module}::")
        # A module of another name would leave nothing to run, which cargo calls a success.
        assert re.search(r"[1-9]\d* passed; 0 failed", printed), printed


def answer(project: Path, name: str, engine: str, out: Path) -> dict[str, Any]:
    """The metrics of the only point of an engine, from its shard; tables are left in `out`."""
    experiment = HERE / f"new_{name}" / "experiment.yaml"
    (project / f"configs/experiment/{name}.yaml").write_bytes(experiment.read_bytes())
    run(project, sys.executable, "-m", "snakemake", "plan", "-n", "--config", f"experiments={name}")
    shards = (project / f"results/{name}/shards").glob("*.json")
    (shard,) = (path for path in shards if json.loads(path.read_text())["engine"] == engine)
    text = json.loads(shard.read_text())
    text.pop("crc32")
    text["points"] = [{"digest": "d", **point} for point in text["points"]]
    (out / "in.json").write_text(json.dumps(text))
    cargo(project, "build", "--package", engine)
    program = ROOT / "simulators/target/recipe/release" / f"weft-{engine}"
    run(project, str(program), "run", "--shard", str(out / "in.json"), "--out", str(out))
    (line,) = map(json.loads, (out / "journal.jsonl").read_text().splitlines())
    assert line["status"] == "done", line["error"]
    return {each["metric"]: each["value"] for each in line["metrics"]}


@pytest.mark.parametrize("engine", ["flow", "packet"])
def test_an_experiment_on_the_new_topology_is_planned_and_simulated(
    project: Path, engine: str, tmp_path: Path
) -> None:
    found = answer(project, "topology", engine, tmp_path)
    # Ten rounds of a message to each of four others leave a node through one link, one by one, and
    # the link of each pair carries one of a round: nothing waits for anything else.
    link_bytes_per_s, message_bytes = 125e6, 1024
    busiest_link_s = 10 * 4 * message_bytes / link_bytes_per_s
    if engine == "flow":
        assert found["makespan_s"] == pytest.approx(busiest_link_s, rel=1e-9)
    else:
        # Packets have headers and wait for a free channel.
        assert busiest_link_s < found["makespan_s"] < 1.2 * busiest_link_s
        assert found["hops_mean"] == pytest.approx(1)


READ = """
import glob, sys
from pathlib import Path
from weft.engines.registry import engine
from weft.engines.side_tables import side_tables
out = Path(sys.argv[1])
(point,) = (path.name[11:-4] for path in out.glob("node_flits-*.csv"))
found = side_tables(out, engine("packet").side_tables, [point])
assert not found.problems, found.problems
for row in found.tables["node_flits"].to_pylist():
    print(row["node"], row["sent_flits"], row["received_flits"])
"""


def test_a_new_table_is_asked_for_written_and_read(project: Path, tmp_path: Path) -> None:
    answer(project, "table", "packet", tmp_path)
    rows = run(project, sys.executable, "-c", READ, str(tmp_path)).splitlines()
    # Ten rounds of 160 B to each of three others, in flits of 16 B.
    flits = 10 * 3 * 10
    assert rows == [f"{node} {flits} {flits}" for node in range(4)]
    assert "## `node_flits`" in (project / "docs/side-tables.md").read_text()


def test_a_new_engine_answers_as_its_formula_says(project: Path, tmp_path: Path) -> None:
    found = answer(project, "engine", "ideal", tmp_path)
    assert found == {"makespan_s": pytest.approx(10 * 4 * 1024 / 125e6)}

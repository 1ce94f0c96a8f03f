"""The recipe of docs/extending.md for a topology, followed in a copy of the project: the new one is
compiled, catalogued, tested, planned and simulated."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("topology_recipe")]

ROOT = Path(__file__).parents[2]
NEW = Path(__file__).with_name("new_topology")
#: Whole files of the recipe, and the rows of the documents.
FILES = {
    "simulators/fabric/src/<name>.rs": "fabric.rs",
    "simulators/fabric/src/routing/<name>.rs": "routing.rs",
    "configs/topology/<name>.yaml": "group.yaml",
}
#: Additions to files that are there: the beginning of a line, and what goes in front of it.
LINES = {
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
}


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


def recipe() -> list[str]:
    """The files that the recipe names."""
    text = (ROOT / "docs" / "extending.md").read_text()
    section = text.partition("## A topology\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


def run(folder: Path, *command: str) -> str:
    """What a command prints; compiled packages of others are kept for the next time."""
    target = ROOT / "simulators" / "target" / "recipe"
    env = {**os.environ, "CARGO_TARGET_DIR": str(target), "PYTHONPATH": str(folder / "workflow")}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
    return done.stdout


def cargo(folder: Path, command: str, *words: str) -> str:
    manifest = ["--release", "--locked", "--manifest-path", "simulators/Cargo.toml"]
    return run(folder, "cargo", command, "--quiet", *manifest, *words)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the recipe is followed, file by file."""
    folder = tmp_path_factory.mktemp("recipe") / "weft"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    assert sorted(recipe()) == sorted([*FILES, *LINES]), "the recipe names other files"
    for name, source in FILES.items():
        (folder / name.replace("<name>", "clique")).write_bytes((NEW / source).read_bytes())
    for name, additions in LINES.items():
        path = folder / name
        path.write_text(added(path.read_text(), additions))
    # As `make catalogue` and `make schema` do.
    (folder / "configs/catalogue.json").write_text(cargo(folder, "run", "--package", "catalogue"))
    run(folder, sys.executable, "-m", "weft.config.generate.schema", "configs/schema")
    return folder


def test_the_tests_of_topologies_hold_for_the_new_one(project: Path) -> None:
    for crate, module in (("fabric", "catalogue"), ("packet", "deadlock"), ("packet", "draining")):
        printed = cargo(project, "test", "--package", crate, "--test", "integration", f"{module}::")
        # A module of another name would leave nothing to run, which cargo calls a success.
        assert re.search(r"[1-9]\d* passed; 0 failed", printed), printed


def metrics(project: Path, engine: str, out: Path) -> dict[str, Any]:
    """The metrics of the only point of an engine, from its shard."""
    shards = (project / "results/clique/shards").glob("*.json")
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
    (project / "configs/experiment/clique.yaml").write_bytes((NEW / "experiment.yaml").read_bytes())
    run(project, sys.executable, "-m", "snakemake", "plan", "-n", "--config", "experiments=clique")
    found = metrics(project, engine, tmp_path)
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

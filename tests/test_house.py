"""Rules of the house that no linter checks."""

import ast
import re
import subprocess
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "workflow" / "weft"
#: Lowest first; a layer imports only itself and those before it.
LAYERS = (
    "files",
    "tables",
    "machine",
    "config",
    "plan",
    "images",
    "scheduler",
    "confine",
    "engines",
    "database",
    "analysis",
    "report",
)
#: Floors of the rooms with many files, lowest first; each imports only itself and those before it.
FLOORS = {
    "config": ("language", "graphs", "model", "compose", "points", "check", "load", "generate"),
    "report": (
        "data",
        "record",
        "draw",
        "curves",
        "kinds",
        "answers",
        "expected",
        "html",
        "compare",
        "pages",
    ),
    "prepare": ("state", "jobs", "messages", "request", "rules", "plans", "main"),
}
#: Rooms that glue layers together for Snakemake, and may import all of them.
GLUE = (
    "archive",
    "release",
    "profile",
    "prepare",
    "doctor",
    "progress",
    "read",
    "tuning",
    "traces",
    "idle",
    "command",
    "service",
)
#: A limit that cuts nothing in two: what has one reason to change is one file.
LONGEST_FILE = 500
LONG_BY_NATURE = ("LICENSE", "Cargo.lock", "requirements.txt", "checks.txt")
#: Locks: what runs, checks, pages, checks of archives, the server and builds of packages need.
LOCKS = ("requirements", "checks", "report", "crate", "service", "build")


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[Path, str]]:
    found = []
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content[:4096]:
            found.append((path.relative_to(ROOT), content.decode()))
    return found


def modules() -> dict[str, Path]:
    """Every module of the package, by its dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: Iterable[str]) -> set[str]:
    """Modules of `known` that a file imports anywhere, also in functions and for types."""
    found: set[str] = set()
    rest: list[ast.AST] = [ast.parse(path.read_text())]
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        rest += ast.iter_child_nodes(node)
    return found & set(known)


def upward(order: Sequence[str], place: str) -> dict[str, list[str]]:
    """Modules below `place` that import what stands above them in `order`."""
    known = modules()

    def rank(module: str) -> int | None:
        below = module.removeprefix(f"{place}.").split(".")[0]
        return order.index(below) if module.startswith(f"{place}.") and below in order else None

    wrong: dict[str, list[str]] = {}
    for module, path in known.items():
        mine = rank(module)
        for other in imports(path, known) if mine is not None else ():
            if (theirs := rank(other)) is not None and theirs > mine:
                wrong.setdefault(module, []).append(other)
    return wrong


@pytest.mark.slow
def test_a_layer_imports_only_lower_ones() -> None:
    assert upward(LAYERS, "weft") == {}


@pytest.mark.parametrize("room", FLOORS)
def test_a_floor_imports_only_lower_ones(room: str) -> None:
    assert upward(FLOORS[room], f"weft.{room}") == {}


@pytest.mark.parametrize("room", FLOORS)
def test_every_file_of_a_room_stands_on_a_floor(room: str) -> None:
    files = {str(path.relative_to(PACKAGE / room)) for path in (PACKAGE / room).rglob("*.py")}
    first = {file.split("/")[0].removesuffix(".py") for file in files}
    assert first == {*FLOORS[room], "__init__"}


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports for types and on first use count, too: a reader follows them as well.

    Faces of packages are left out, which hand on what others hold.
    """
    known = {name: path for name, path in modules().items() if path.name != "__init__.py"}
    graph = {module: imports(path, known) for module, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_every_room_of_the_package_is_a_known_layer() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    assert rooms <= {*LAYERS, *GLUE}


def test_the_package_does_not_import_snakemake() -> None:
    wrong = [
        p
        for p in PACKAGE.rglob("*.py")
        if re.search(r"^\s*(from|import) snakemake", p.read_text(), re.M)
    ]
    assert not wrong


@pytest.mark.slow
def test_no_two_classes_of_the_package_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for module, path in modules().items():
        # Django finds these by the names of their classes.
        if path.parent.name in ("migrations", "commands"):
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_one_file_knows_where_everything_lies() -> None:
    """Paths below `results`, and the clone's folder, are assembled in `files/layout` alone."""
    pattern = re.compile(
        r"\bparents\[\d\]|\.parent\.parent|[\"'](plan|collected|status|calibration|variant|held)\.json"
        r"[\"']|weft\.duckdb[\"']|[\"']journal\.jsonl|[\"']jobs\.jsonl"
    )
    sources = (PACKAGE, ROOT / "workflow" / "scripts")
    wrong = {
        str(path.relative_to(ROOT)): hit[0]
        for folder in sources
        for path in folder.rglob("*.py")
        if path.parent.name != "layout" and (hit := pattern.search(path.read_text()))
    }
    assert not wrong


def test_no_tracked_text_names_a_home_or_a_scratch_folder() -> None:
    pattern = re.compile("|".join(["/" + "root/", "/" + "home/", "/" + "work/", "/" + "tmp/[a-z]"]))
    wrong = [f"{path}: {hit[0]}" for path, text in texts() if (hit := pattern.search(text))]
    assert not wrong


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_has_hashes_and_names_no_host(name: str) -> None:
    text = (ROOT / "envs" / f"{name}.txt").read_text()
    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def packages(path: Path) -> set[str]:
    found = re.findall(r"^([A-Za-z0-9_.-]+)", path.read_text(), re.M)
    return {name.lower().replace("_", "-") for name in found if not name.startswith("-")}


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_holds_what_is_asked_for(name: str) -> None:
    envs = ROOT / "envs"
    assert packages(envs / f"{name}.in") <= packages(envs / f"{name}.txt")


@pytest.mark.parametrize("other", ["checks", "report", "service"])
def test_two_locks_hold_the_same_versions(other: str) -> None:
    def versions(name: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        text = (ROOT / "envs" / f"{name}.txt").read_text()
        for package, version in re.findall(r"^([A-Za-z0-9_.-]+)==(\S+)", text, re.M):
            found.setdefault(package, set()).add(version)
        return found

    runs, others = versions("requirements"), versions(other)
    assert {name for name in runs.keys() & others.keys() if runs[name] != others[name]} == set()


def test_source_files_are_short() -> None:
    sources = (".py", ".rs", ".c", ".h", ".smk")
    lengths = {str(path): text.count("\n") for path, text in texts() if path.suffix in sources}
    assert not {path: n for path, n in lengths.items() if n > LONGEST_FILE}


def test_adapters_are_thin() -> None:
    lengths = {p.name: p.read_text().count("\n") for p in (ROOT / "workflow/scripts").glob("*.py")}
    assert not {name: n for name, n in lengths.items() if n > 15}


def test_the_five_papers_are_cited() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["license"] == "Apache-2.0"
    assert len(citation["references"]) == 5
    assert all(entry["title"] and entry["authors"] for entry in citation["references"])


def test_ci_runs_the_tests_in_the_environment_of_the_readme() -> None:
    """What CI alone would have on its PATH, a newcomer's `make test` would lack."""
    text = (ROOT / ".ci" / "run").read_text()
    assert not re.search(r"\bPATH", text)
    assert text.rstrip().endswith("make test")


def test_the_readme_begins_with_both_commands() -> None:
    start = (ROOT / "README.md").read_text().split("## Start")[1].split("\n## ")[0]
    for command in ("make run", "make test"):
        assert f"$ {command} " in start


def test_make_help_lists_the_targets_people_need() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[0] for line in done.stdout.splitlines()}
    assert {"env", "build", "run", "check", "test", "test-stale", "test-long"} <= listed
    assert {"lint", "fmt", "lock"} <= listed


def test_a_commit_is_checked_by_every_part_of_make_lint() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (line,) = re.findall(r"^lint: (.*?) *##", makefile, re.M)
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == [f"make {p}" for p in line.split()]


def test_what_runs_snakemake_in_a_copy_of_the_project_is_slow() -> None:
    """Then `make check`, which leaves slow tests out, takes minutes."""
    runs = re.compile(r"\bproject\.(run|start|collect|snakemake|local)\(")
    tests = {path: path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}
    assert not [p for p, text in tests.items() if runs.search(text) and "mark.slow" not in text]


def test_the_workflow_of_the_hosted_repository_is_that_of_ci() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert workflow["jobs"]["ci"]["steps"][-1] == {"run": ".ci/run"}

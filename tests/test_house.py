"""Rules of the house that no linter checks."""

import ast
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "workflow" / "weft"
#: Lowest first; a layer imports only itself and those before it.
LAYERS = (
    "files",
    "tables",
    "config",
    "plan",
    "images",
    "scheduler",
    "engines",
    "database",
    "analysis",
    "report",
)
#: Rooms that glue layers together for Snakemake, and may import all of them.
GLUE = ("prepare", "doctor", "progress", "read", "command")
LONGEST_FILE = 300
LONG_BY_NATURE = ("LICENSE", "Cargo.lock", "requirements.txt", "checks.txt")
#: Locks of the environment: what runs need, and what only checks need.
LOCKS = ("requirements", "checks")


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


def imported_layers(path: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [module.split(".") for module in modules]
    return {part[1] for part in parts if part[0] == "weft" and len(part) > 1 and part[1] in LAYERS}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_lower_ones(layer: str) -> None:
    allowed = set(LAYERS[: LAYERS.index(layer) + 1])
    wrong = {
        str(path.relative_to(PACKAGE)): sorted(imported_layers(path) - allowed)
        for path in (PACKAGE / layer).rglob("*.py")
        if imported_layers(path) - allowed
    }
    assert not wrong


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


def test_both_locks_hold_the_same_versions() -> None:
    def versions(name: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        text = (ROOT / "envs" / f"{name}.txt").read_text()
        for package, version in re.findall(r"^([A-Za-z0-9_.-]+)==(\S+)", text, re.M):
            found.setdefault(package, set()).add(version)
        return found

    runs, checks = versions("requirements"), versions("checks")
    assert {name for name in runs.keys() & checks.keys() if runs[name] != checks[name]} == set()


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
    assert "PATH" not in text
    assert text.rstrip().endswith("make test")


def test_make_help_lists_the_targets_people_need() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[0] for line in done.stdout.splitlines()}
    assert {"env", "build", "run", "test", "lint", "fmt", "lock", "help"} <= listed


def only_coreutils(folder: Path, *more: str) -> dict[str, str]:
    """An environment whose PATH holds the basic tools and executables called `more`."""
    for name in ("sh", "cut", "env"):
        (folder / name).symlink_to(
            f"/bin/{name}" if Path(f"/bin/{name}").exists() else f"/usr/bin/{name}"
        )
    for script in more:
        name, _, body = script.partition("=")
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("tool", "present", "message"),
    [
        ("cargo", [], "weft: needs cargo 1.85 or newer, found none: install Rust"),
        ("cargo", ["cargo=echo 'cargo 1.84.1 (abc)'"], "needs cargo 1.85 or newer, found 1.84.1"),
        ("cc", [], "weft: needs a C compiler, found no 'cc': install gcc"),
        ("python", ["python3=exit 1"], "weft: needs Python 3.11 or newer with its venv module"),
    ],
)
def test_a_missing_tool_is_one_line(
    tool: str, present: list[str], message: str, tmp_path: Path
) -> None:
    environment = only_coreutils(tmp_path, *present)
    script = [ROOT / "envs" / "check_tools", tool]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_new_enough_cargo_passes(tmp_path: Path) -> None:
    environment = only_coreutils(tmp_path, "cargo=echo 'cargo 1.85.0 (abc)'")
    script = [ROOT / "envs" / "check_tools", "cargo"]
    assert subprocess.run(script, env=environment, check=False).returncode == 0

"""`make report` in an unpacked archive, by a Python that knows no other weft."""

import os
import re
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from weft.archive.contents import SUMS, read_sums, sums_text
from weft.plan.outcome import read_status, write_outcome

from .conftest import NAME, ROOT, Made

pytestmark = pytest.mark.slow


@pytest.fixture
def unpacked(made_once: Made, tmp_path: Path) -> Path:
    with ZipFile(made_once.archive) as zipped:
        zipped.extractall(tmp_path)
    return tmp_path


def report(folder: Path) -> subprocess.CompletedProcess[str]:
    """`make rebuild`, without the working folder and the paths of these tests."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = ["make", "--no-print-directory", "rebuild", f"BIN={sys.executable} -P"]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def altered(folder: Path) -> Path:
    """Another value in a table, with checksums that fit it."""
    (path,) = folder.glob(f"results/{NAME}/flow/*/metrics.parquet")
    table = pq.read_table(path)
    values = table["value"].to_pylist()
    values[1] *= 1.5
    table = table.set_column(table.schema.names.index("value"), "value", [pa.array(values)])
    pq.write_table(table, path)
    outcome = read_status(path.parent)
    assert outcome is not None
    write_outcome(path.parent, {"done": outcome.done}, None)
    return path


def sealed_again(folder: Path) -> None:
    sums = read_sums((folder / SUMS).read_bytes(), "")
    found = {name: sha256((folder / name).read_bytes()).hexdigest() for name in sums}
    (folder / SUMS).write_text(sums_text(found))


def test_the_page_is_made_again_with_equal_figures(unpacked: Path) -> None:
    done = report(unpacked)
    assert done.returncode == 0, done.stderr
    assert f"rebuilt/reports/{NAME}.html: 1 figure with 3 rows, equal" in done.stdout
    assert (unpacked / "rebuilt" / "results" / "weft.duckdb").is_file()


def test_it_can_be_made_twice_and_leaves_what_was_packed(unpacked: Path) -> None:
    assert report(unpacked).returncode == 0
    assert report(unpacked).returncode == 0
    command = ["sha256sum", "--quiet", "--check", SUMS]
    assert subprocess.run(command, cwd=unpacked, check=False).returncode == 0


def test_an_altered_value_is_named_by_its_file(unpacked: Path) -> None:
    path = altered(unpacked)
    done = report(unpacked)
    assert done.returncode != 0
    assert f"{path.relative_to(unpacked)} was altered" in done.stderr
    assert not (unpacked / "rebuilt").exists()


def test_an_altered_value_with_fitting_checksums_is_seen_in_the_figure(unpacked: Path) -> None:
    altered(unpacked)
    sealed_again(unpacked)
    done = report(unpacked)
    assert done.returncode != 0
    assert "figure-1: 1 of 3 rows differ; packed: " in done.stderr
    assert "0.004" in done.stderr
    assert "0.006" in done.stderr


def test_a_table_that_its_shard_does_not_know_cannot_be_computed_again_here(unpacked: Path) -> None:
    path = altered(unpacked)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    sealed_again(unpacked)
    done = report(unpacked)
    assert done.returncode != 0
    assert f"{path.name} was altered after it was written; get the archive anew" in done.stderr
    assert "run again" not in done.stderr


def test_a_missing_file_is_named(unpacked: Path) -> None:
    (unpacked / "LICENSE").unlink()
    done = report(unpacked)
    assert done.returncode != 0
    assert "LICENSE is missing" in done.stderr


def test_the_locked_packages_of_reports_are_enough(unpacked: Path) -> None:
    """Everything else of the environment is hidden, as where the lock alone was installed."""
    lock = (ROOT / "envs" / "report.txt").read_text()
    known = {name.lower().replace("_", "-") for name in re.findall(r"^([\w.-]+)==", lock, re.M)}
    others = {
        module
        for module, names in packages_distributions().items()
        if not known & {name.lower().replace("_", "-") for name in names}
    }
    hidden = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(others - {"weft"})!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
"""
    (unpacked / "hidden.py").write_text(hidden)
    code = "import hidden; from weft.archive.rebuild import main; raise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": f"{unpacked}/workflow:{unpacked}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "omegaconf" in others

"""What a reader types who begins: it is planned, or needs no experiment of the documents."""

import pytest

from tests.documented import others
from tests.documented.conftest import Reader
from tests.documented.lines import Clone, Line, lines
from tests.documents import blocks

pytestmark = [pytest.mark.slow, pytest.mark.long("documents")]
#: What other lines and a piece of Python are about.
NEEDED = (
    'weft --experiments "$HOME/interconnects" run probe',
    "weft new heat --program heat.c",
    "weft new ring --program ring.c",
)
LINES = lines(Clone.NEW)
PLANNED = [line for line in LINES if line.is_plain_dry_run]


@pytest.fixture(scope="module")
def reader(new_clone: Reader) -> Reader:
    new_clone.needs(*NEEDED)
    return new_clone


@pytest.mark.parametrize("line", [line for line in LINES if line not in PLANNED], ids=str)
def test_a_documented_line_runs(line: Line, reader: Reader) -> None:
    reader.runs(line.text)


def test_every_file_that_takes_longer_is_planned(reader: Reader) -> None:
    """Snakemake looks for the rules of each file, and weft for the experiment of each."""
    targets = [line.text.split()[1] for line in PLANNED]
    assert len(targets) > 5
    done = reader.types(f"snakemake {' '.join(targets)} -n")
    assert done.returncode == 0, done.stdout + done.stderr


def test_lines_that_others_need_are_documented() -> None:
    assert set(NEEDED) <= {line.text for line in LINES}


@pytest.mark.parametrize(
    "code", [each for each in blocks("python") if each[0] not in others.PYTHON], ids=str
)
def test_a_piece_of_python_runs(code: tuple[str, str], reader: Reader) -> None:
    text = code[1].replace('Path("DIR")', f"Path({str(reader.home / 'interconnects')!r})")
    (reader.clone / "block.py").write_text(f"from pathlib import Path\nimport weft\n{text}")
    done = reader.types("python block.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("0 ") or code[0] != "confinement.md"

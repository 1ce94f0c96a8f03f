"""A folder of experiments that its reader may not write, such as that of a colleague."""

import subprocess
import sys
from pathlib import Path

import pytest
from weft.read.workspace import workspace

from tests.people import AS_READER, need_root

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LOOK = """
import sys
from pathlib import Path
from weft.read.errors import ReadError
from weft.read.workspace import workspace
try:
    print(workspace(Path(sys.argv[1]), Path(sys.argv[2])))
except ReadError as error:
    print("refused:", error)
"""


def looked_at(folder: Path) -> str:
    need_root()
    command = [*AS_READER, sys.executable, "-c", LOOK, str(ROOT), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_folder_with_results_of_others_can_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "experiment").mkdir()
    place = workspace(ROOT, tmp_path)
    assert looked_at(tmp_path) == str(place)


def test_a_folder_that_nobody_has_used_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "experiment").mkdir()
    assert looked_at(tmp_path) == (
        f"refused: {tmp_path / '.weft'}: permission denied: weft keeps results beside experiments;"
        f" copy {tmp_path / 'experiment'} into a folder of your own, and give that one"
    )

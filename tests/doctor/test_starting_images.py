"""What doctor says of images is what becomes of runs: with /dev/fuse and without, for everybody."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
from weft.doctor import Finding
from weft.images import find_runtime

from tests.containers_support import ROOT, built_image, need_builder, without_fuse
from tests.patience import PATIENCE_S
from tests.people import ALICE, command_as, need_root

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]

ASK = """
import json
from dataclasses import asdict
from pathlib import Path
from weft.doctor.starting import starting
print(json.dumps(asdict(starting(Path({root!r})))))
"""
#: By a name of its own, since what an image answered is kept beside it.
RUN = """
import sys, tempfile
from pathlib import Path
from weft.images.check import described_version
with tempfile.TemporaryDirectory() as folder:
    image = Path(folder) / "flow.sif"
    image.symlink_to(sys.argv[1])
    print(described_version(image, "weft-flow"))
"""
SETTING = re.compile(r"`export (\w+)=(\w+)`")
Runs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=["root", "alice"])
def who(request: pytest.FixtureRequest) -> str:
    need_root()
    need_builder()
    return str(request.param)


@pytest.fixture
def run(who: str, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Runs Python as this person, with or without /dev/fuse."""
    work = tmp_path_factory.mktemp("people")
    work.chmod(0o755)

    def start(
        code: str, *arguments: str, fuse: bool, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        command: Sequence[str] = [sys.executable, "-c", code, *arguments]
        if who == "alice":
            command = command_as(ALICE, command, work, work)
        if not fuse:
            command = without_fuse(command, work)
        path = f"{find_runtime().parent}:{os.environ['PATH']}"
        return subprocess.run(
            command,
            env={**os.environ, "PATH": path, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    return start


@pytest.mark.parametrize("fuse", [True, False], ids=["with the device", "without it"])
def test_a_run_ends_as_doctor_says(run: Runs, who: str, fuse: bool) -> None:
    image = str(built_image("flow"))
    asked = run(ASK.format(root=str(ROOT)), fuse=fuse)
    assert asked.returncode == 0, asked.stderr
    finding = Finding(**json.loads(asked.stdout))
    plain = run(RUN, image, fuse=fuse)
    assert (plain.returncode == 0) == finding.present, (finding, plain.stderr)
    if finding.present:
        return
    assert "fuse" in finding.found
    assert "fuse" in plain.stderr.splitlines()[-1]
    if named := SETTING.search(finding.remedy):
        helped = run(RUN, image, fuse=fuse, **{named[1]: named[2]})
        assert helped.returncode == 0, helped.stderr
        assert "which works on this machine" in finding.remedy
    else:
        assert "natively" in finding.remedy
        unpacked = run(RUN, image, fuse=fuse, APPTAINER_UNSQUASH="true")
        assert unpacked.returncode == 1, "doctor knows less than there is"
        assert who == "root"


def test_a_setting_that_is_set_is_what_doctor_tries(run: Runs, who: str) -> None:
    asked = run(ASK.format(root=str(ROOT)), fuse=False, APPTAINER_UNSQUASH="true")
    finding = Finding(**json.loads(asked.stdout))
    assert finding.present == (who == "alice")

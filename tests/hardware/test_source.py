"""The source of a point's program: where it is, whether it may run."""

import json
import re

import pytest
from weft.engines.base import EngineError
from weft.engines.hardware.engine import HardwareEngine
from weft.files.tokens import file_digest

from tests.hardware.conftest import make_point

OWN = '#include "mgen.h"\nint MGEN_Main(int argc, char **argv) { return 0; }\n'


@pytest.fixture
def own(tmp_path):
    """A point of a user's program, which names its source and its digest."""
    source = tmp_path / "mine.c"
    source.write_text(OWN)
    point = make_point("a", [8], "mine")
    digest = file_digest("mine.c", OWN.encode())
    point["workload"] |= {"source": str(source), "source_sha256": digest}
    return point


def failed(job):
    HardwareEngine().run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    return line["error"]


def test_hybrid_refuses_a_program_that_the_image_lacks_before_anything_runs(
    make_job, own, tmp_path
):
    image = tmp_path / "image.sif"
    image.touch()
    job = make_job([make_point("b", [8]), own], name="site", mode="hybrid", image=image)
    with pytest.raises(EngineError, match=r"holds the programs of weft only, not .*mine\.c: use"):
        HardwareEngine().run(job)
    assert not job.journal.exists()


def test_a_source_that_changed_since_it_was_planned_is_reported(make_job, own, tmp_path):
    (tmp_path / "mine.c").write_text(OWN + "int more;\n")
    assert "mine.c has changed since this was planned" in failed(make_job([own]))


def test_an_input_that_is_gone_is_named(make_job, own):
    own["workload"] |= {"input": "data/gone.csv", "arguments": ["{input}"]}
    assert failed(make_job([own])) == "there is no file data/gone.csv (workload.input)"


PLAIN = "#include <mpi.h>\n%sint main(int argc, char **argv) {\n    return halt(argc, argv);\n}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("", r"the program \S+/mine\.c does not compile: \S+/mine\.c:3:12: .*function 'halt'"),
        ("int halt(int, char **);\n", "mine uses halt, which no file or library defines"),
    ],
    ids=["undeclared", "undefined"],
)
def test_a_function_that_is_nowhere_is_named(make_job, own, tmp_path, declared, words):
    text = PLAIN % declared
    (tmp_path / "mine.c").write_text(text)
    own["workload"]["source_sha256"] = file_digest("mine.c", text.encode())
    assert re.match(words, failed(make_job([own])))


@pytest.mark.slow
def test_a_users_program_is_measured(make_job, own):
    assert failed(make_job([own])) is None

"""A project as large as real ones are, from its upload to its result."""

import pytest

from tests.service.conftest import OPEN, SMALL, Browser, Site, wait_for
from tests.service.test_uploaded_folders import zipped

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
FORM = {"name": "small", "yaml": SMALL, "timeout_s": "600"}


def project(files: int) -> dict[str, tuple[str, bytes]]:
    """Files of which no two are equal."""
    content = {f"solver/part{n % 30}/list{n}.csv": f"{n}\n".encode() for n in range(files)}
    return {"files": ("solver.zip", zipped(content))}


def test_a_zip_of_a_thousand_files_arrives_at_the_worker(shared: Site, ann: Browser) -> None:
    page = ann.upload("/submit/yaml", project(1000), **FORM)
    assert "/tasks/" in page.url, page.text
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done", ann.get(page.url).text
    assert shared.task("attempts") == "1"


def test_one_file_more_is_refused(ann: Browser) -> None:
    answer = ann.upload("/submit/yaml", project(1001), **FORM)
    assert "solver.zip: it has 1,001 files; at most 1000" in answer.text

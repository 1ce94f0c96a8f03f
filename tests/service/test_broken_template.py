"""A template with a mistake: whoever runs the server reads where, and the other forms go on."""

import html
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import ROOT, Browser, Site

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
MISTAKES = {
    "unknown key": ("workload.per_node", "workload.per_nod"),
    "unknown word": ("title: Messages", "titlee: Messages"),
    "no YAML": ("program:", "program: ["),
}


def broken(site: Site, old: str, new: str) -> str:
    """Give the site templates of its own, with a mistake; returns the file with the line."""
    folder = site.folder / "configs" / "service"
    shutil.copytree(ROOT / "configs" / "service", folder)
    path = folder / "flow.yaml"
    text = path.read_text()
    path.write_text(text.replace(old, new, 1))
    site.more["WEFT_SERVICE_FORMS"] = str(folder)
    return "configs/service/flow.yaml:"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_make_serve_names_file_and_line_before_anything_starts(site: Site, mistake: str) -> None:
    place = broken(site, *MISTAKES[mistake])
    done = subprocess.run(
        [sys.executable, "-m", "weft.service.serve"],
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert place in done.stderr
    assert "Traceback" not in done.stderr
    assert "serving at" not in done.stdout


def test_the_page_of_the_form_names_file_line_and_key_and_other_forms_go_on(
    site: Site,
) -> None:
    broken(site, *MISTAKES["unknown key"])
    site.account("ann@example.org")
    site.start_server()
    ann = Browser(site.address)
    ann.log_in("ann@example.org")
    answer = ann.get("/submit/form/flow")
    assert answer.status == 503
    said = html.unescape(answer.text)
    assert "configs/service/flow.yaml:11:" in said
    assert "did you mean 'workload.per_node'?" in said
    listed = ann.get("/submit/")
    assert "configs/service/flow.yaml:11:" in html.unescape(listed.text)
    assert "/submit/form/flow" not in listed.text
    assert ann.get("/submit/form/rdma").status == 200
    assert "configs/service/flow.yaml:11:" in (Path(site.folder) / "server.log").read_text()

"""A form as a person without JavaScript meets it."""

import html
import io
import re
import zipfile

import pytest

from tests.service.conftest import Browser, Site

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
FLOW = {
    "name": "mine",
    "timeout_s": "600",
    "workload": "uniform",
    "workload.message_size": "1 KiB",
    "topology": "torus",
    "topology.k": "4",
    "network": "gigabit",
}


def test_a_checked_form_shows_its_points_and_its_experiment(ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **FLOW, check="1")
    assert answer.status == 200
    assert "1 point" in answer.text
    assert "not known: nothing like it has run here" in answer.text
    assert "override /topology: torus" in answer.text


def test_a_mistake_queues_nothing_and_what_was_written_stays(shared: Site, ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **{**FLOW, "topology.k": "<b>1"}, submit="1")
    assert "/tasks/" not in answer.url
    assert "<b>1" not in answer.text
    assert "<b>1" in html.unescape(answer.text)
    count = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"
    assert shared.python(count) == "0"


def test_a_submitted_form_is_a_task(shared: Site, ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **FLOW, submit="1")
    assert "/tasks/" in answer.url
    assert shared.task("template") == "flow"


def test_a_form_says_before_that_no_program_is_taken(ann: Browser) -> None:
    said = (
        "this server does not run uploaded programs: no worker has reported that it confines them"
    )
    assert said in ann.get("/submit/form/rdma").text
    assert said not in ann.get("/submit/form/flow").text


def test_the_list_names_every_template(ann: Browser) -> None:
    answer = ann.get("/submit/")
    assert "/submit/form/flow" in answer.text
    assert "/submit/form/rdma" in answer.text


NETWORK = b"network:\n  bandwidth: 4 GB/s\n"
MESSAGES = b"src,dst,bytes\n0,1,80\n2,3,40000\n"
OWN = {"mode.program": "own", "mode.interconnect": "own"}
FILES = {"network.own": ("net.yaml", NETWORK), "workload.file.own": ("my list.csv", MESSAGES)}


def tokens(page: str) -> dict[str, str]:
    """Files that a page has kept, as its browser sends them again."""
    kept = re.findall(r'name="(kept\.[\w.]+)" value="([^"]+)" checked', html.unescape(page))
    return dict(kept)


def test_files_are_chosen_once_and_a_task_fills_the_form_again(shared: Site, ann: Browser) -> None:
    page = "/submit/form/flow"
    checked = ann.upload(page, FILES, **FLOW, **OWN, check="1")
    assert "It can run: 1 point" in checked.text
    kept = tokens(checked.text)
    assert kept.keys() == {"kept.network", "kept.workload.file"}

    # The ZIP has what the experiment names, under the paths by which it names them.
    packed = ann.upload(page, {}, **FLOW, **OWN, **kept, download="1")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.read("uploads/my_list.csv") == MESSAGES
        text = archive.read("configs/experiment/mine.yaml").decode()
    assert "bandwidth: 4 GB/s" in text
    assert "uploads/my_list.csv" in text

    task = ann.upload(page, {}, **FLOW, **OWN, **kept, submit="1").url
    assert "/tasks/" in task
    assert ann.get(f"{task}experiment.yaml").content == packed.content
    name = task.rstrip("/").rpartition("/")[2]
    again = ann.get(f"{page}?again={name}")
    assert tokens(again.text) == kept
    assert 'name="mode.program" value="own" checked' in again.text
    assert 'id="name" name="name" value="mine"' in again.text
    second = ann.upload(page, {}, **FLOW, **OWN, **tokens(again.text), submit="1").url
    assert ann.get(f"{second}experiment.yaml").content == packed.content

    # A token alone gives nobody else the file, and the page of nobody else fills a form.
    shared.account("ben@example.org")
    ben = Browser(shared.address)
    ben.log_in("ben@example.org")
    assert "no longer here; choose it again" in ben.upload(page, {}, **FLOW, **OWN, **kept).text
    assert ben.get(f"{page}?again={name}").status == 404


def test_all_mistakes_stand_beside_their_fields_at_once(ann: Browser) -> None:
    wrong = {**FLOW, "topology.k": "1", "name": "a b", "timeout_s": "9999999"}
    answer = ann.upload("/submit/form/flow", {}, **wrong, **{"mode.program": "own"}, check="1")
    for field in ("name", "topology.k", "workload.file.own", "timeout_s"):
        assert re.search(rf'id="{re.escape(field)}"[^>]* aria-invalid="true"', answer.text), field


def test_a_plan_says_what_earlier_tasks_took(shared: Site, ann: Browser) -> None:
    shared.python(
        "import json, math\n"
        "from weft.service.estimates.models import EarlierRuns\n"
        "kind = json.dumps(['flow', 'torus', 'messages', 'equal_share'])\n"
        "EarlierRuns.objects.create(kind=kind, work=160.0, count=3, log_seconds=math.log(125.0))"
    )
    answer = ann.post("/submit/form/flow", **FLOW, check="1")
    assert "about 2 min 5 s" in answer.text


def test_who_has_no_task_yet_is_led_to_the_forms(ann: Browser) -> None:
    assert '<a href="/submit/">Start a new task</a>' in ann.get("/").text


def test_the_page_for_whole_experiments_says_where_to_begin_and_what_it_takes(ann: Browser) -> None:
    shown = ann.get("/submit/yaml").text
    assert "Download the experiment file" in shown
    assert "At most 1000 files with 8,000,000 bytes together" in shown

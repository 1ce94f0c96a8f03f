"""Uploads and texts of somebody who means harm: each is refused or harmless, and says its limit."""

import html
import io
import re
import urllib.request
import zipfile
from collections.abc import Iterator
from hashlib import sha256

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import SMALL, Answered, Browser, Site, logged_in
from tests.service.mailbox import Mailbox, mailbox, server, with_mails
from tests.service.test_queue import Calls

__all__ = ["mailbox", "server", "with_mails"]

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
COUNT = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"
TRACE = "SCRIPT-OF-A-STRANGER"
#: All at once: quotes of SQL and HTML, tags of two template languages, headers, YAML, shells.
NASTY = (
    f"'\"><script>{TRACE}</script>{{{{7*191}}}}{{% now 'Y' %}}'; DROP TABLE tasks_task;--"
    "\r\nBcc: eve@example.org\r\n\r\n!!python/object/apply:os.system ['id'] $(id) `id` ../../x"
    " %s %n \u202e\U0001f600"
)
STRANGE_PATHS = (
    "/submit/yaml?again=%00",
    "/?page=%00",
    "/?page=%27%22%3Cb%3E",
    "/tasks/%00/",
    "/tasks/%f0%28%8c%28/",
    "/submit/form/rdma?again=%27",
    "/submit/form/..%2f..%2fx",
    "TASK/parts/..%2f..%2fx",
    "/accounts/confirm/%00",
)
FORM = {"name": "small", "yaml": SMALL, "timeout_s": "600"}


def harmless(answer: Answered) -> None:
    assert answer.status < 500, answer.text
    assert f"<script>{TRACE}" not in answer.text
    assert "1337" not in answer.text
    assert not [key for key in answer.headers if key == "bcc"]


def fields(page: str) -> Iterator[str]:
    """Names of all that a page's main form sends."""
    found = re.findall(r'<(?:input|select|textarea|button)[^>]* name="([^"]+)"', page)
    yield from dict.fromkeys(html.unescape(name) for name in found if "csrf" not in name)


@pytest.fixture(params=["shared", "on_postgresql"])
def attacked(request: pytest.FixtureRequest) -> Site:
    """A running server, on each database."""
    found: Site = request.getfixturevalue(request.param)
    if request.param == "on_postgresql":
        found.start_server()
    return found


def test_no_field_takes_sql_markup_headers_or_nul(attacked: Site) -> None:
    ann = logged_in(attacked)
    task = ann.submit().url
    pages = ("/submit/yaml", "/submit/form/flow", "/submit/form/rdma", task)
    for page in pages:
        names = list(fields(ann.get(page).text))
        assert names, page
        target = task + "share" if page == task else page
        for text in (NASTY, "x\0y"):
            answer = ann.post(target, at=page, **dict.fromkeys(names, text))
            harmless(answer)
            assert answer.status == (400 if "\0" in text else 200), page
            each = [ann.post(target, at=page, **{n: text}) for n in names[:4]]
            assert all(map_harmless(each))
    for path in STRANGE_PATHS:
        harmless(ann.get(path.replace("TASK/", task)))
    stranger = Browser(attacked.address)
    for text in (NASTY, "x\0y"):
        harmless(stranger.post("/accounts/log-in", username=text, password=text))
        harmless(stranger.post("/accounts/apply", email=text, password=text))
        harmless(stranger.post(task + "unlock", at=task, password=text))
    assert attacked.python(COUNT) == "1"


def map_harmless(answers: list[Answered]) -> Iterator[bool]:
    for answer in answers:
        harmless(answer)
        yield True


def test_a_title_writes_no_header_of_a_mail(shared: Site, ann: Browser, mailbox: Mailbox) -> None:
    title = '"small\\r\\nBcc: eve@example.org\\n\\nbody"'
    assert "/tasks/" in ann.submit(SMALL.replace("title: Small", f"title: {title}")).url
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    assert worker.call(f"tasks/{task}/accept", {"lease": lease})[0] == 204
    told = {"lease": lease, "outcome": "failed", "reason": "x\r\nBcc: eve@example.org"}
    assert worker.call(f"tasks/{task}/finish", told)[0] == 200
    (mail,) = mailbox.mails
    head = mail.partition(b"\r\n\r\n")[0]
    assert b"\nBcc" not in head
    assert b"To: ann@example.org" in head


def test_ten_thousand_files_are_refused_with_the_limit(shared: Site, ann: Browser) -> None:
    files = {f"files {n}": (f"f{n}.csv", b"x") for n in range(10_000)}
    answer = ann.upload("/submit/yaml", files, **FORM)
    assert answer.status == 400
    assert "at most 1000 files" in answer.text
    assert shared.python(COUNT) == "0"


def test_what_is_far_too_large_is_refused_by_its_announced_size(shared: Site, ann: Browser) -> None:
    large = {"files": ("large.csv", b"x" * 30_000_000)}
    answer = ann.upload("/submit/yaml", large, **FORM)
    assert answer.status == 413
    assert "at most 8,000,000 bytes together" in answer.text
    texts = ann.post("/submit/yaml", name="small", timeout_s="600", yaml="#" * 9_000_000)
    assert texts.status == 413
    assert "at most 8,000,000 bytes" in texts.text
    assert shared.python(COUNT) == "0"
    # Nobody has to send what he announces.
    request = urllib.request.Request(shared.address + "/submit/yaml", b"x", method="POST")
    request.add_unredirected_header("Content-Length", "not a number")
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(request, timeout=PATIENCE_S)


NAMES = {
    "../../../etc/cron.d/x.csv": "x.csv",
    "..\\..\\x.csv": "x.csv",
    "/etc/passwd.csv": "passwd.csv",
    "....//....//x.csv": "x.csv",
    "\udcff\udcfe.csv": None,
    "a\u202evsc.exe.csv": None,
    "..": None,
    ".hidden.csv": None,
    "x" * 300 + ".csv": None,
    "-rf.csv": None,
    "a b;id.csv": None,
    'a%22"b.csv': None,
}


@pytest.mark.parametrize("name", NAMES, ids=map(ascii, NAMES))
def test_a_file_lies_in_its_task_or_nowhere(name: str, shared: Site, ann: Browser) -> None:
    text = SMALL.replace("/workload: uniform", "/workload: trace").replace("[4, 5]", "[4]")
    stays = NAMES[name]
    text += f"workload: {{file: uploads/{stays or 'x.csv'}}}\n"
    message = b"src,dst,bytes\n0,1,80\n"
    answer = ann.upload("/submit/yaml", {"files": (name, message)}, **{**FORM, "yaml": text})
    assert answer.status == 200
    if stays is None:
        assert "/tasks/" not in answer.url
        assert shared.python(COUNT) == "0"
    else:
        paths = (
            "from weft.service.tasks.models import TaskFile\n"
            "print(*TaskFile.objects.values_list('path', flat=True))"
        )
        assert "/tasks/" in answer.url, answer.text
        assert shared.python(paths) == f"uploads/{stays}"


def archive_of(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


def delivered(worker: Calls, result: bytes) -> tuple[int, str]:
    """What the server says of a result; it is sent in pieces as a worker does."""
    task, lease = worker.claim()
    assert worker.call(f"tasks/{task}/accept", {"lease": lease})[0] == 204
    held = {"method": "PUT", "X_Weft_Lease": lease}
    for at in range(0, len(result), 1 << 20):
        piece = result[at : at + (1 << 20)]
        status, text = worker.call(f"tasks/{task}/result/{at}", piece, **held)
        if status != 200:
            return status, text
    told = {
        "lease": lease,
        "outcome": "done",
        "result_bytes": len(result),
        "result_sha256": sha256(result).hexdigest(),
    }
    return worker.call(f"tasks/{task}/finish", told)


PAGE = {"reports/small.html": b"<p>a page</p>"}


def test_archives_that_are_bombs_or_lead_elsewhere_do_no_harm(site: Site) -> None:
    # No task comes back to its queue meanwhile.
    site.more["WEFT_SERVICE_LEASE_S"] = "3600"
    site.start_server()
    ann, worker = logged_in(site), Calls(site, "one")
    ann.submit()
    bomb = archive_of({"reports/small.html": b"\0" * 60_000_000})
    assert len(bomb) < 100_000
    status, said = delivered(worker, bomb)
    assert (status, said) == (409, "the page of the archive is too large\n")
    ann.submit()
    assert delivered(worker, b"PK" + b"\0" * 5000)[0] == 409

    page = ann.submit().url
    hostile = {
        **PAGE,
        "../../../evil": b"x",
        "/etc/evil": b"x",
        'figures/a"b\r\nX-Evil: y.csv': b"x,y\n",
        f"figures/<script>{TRACE}.csv": b"x,y\n",
        "figures/../../../secret.csv": b"x,y\n",
        "results/small/bomb.parquet": b"\0" * 120_000_000,
        **{f"figures/f{n}.csv": b"" for n in range(10_000)},
    }
    assert delivered(worker, archive_of(hostile))[0] == 200
    shown = ann.get(page)
    harmless(shown)
    assert "bomb.parquet" not in shown.text
    links = re.findall(r'href="([^"]*/parts/[^"]*)"', shown.text)
    assert 0 < len(links) <= 200, shown.text
    for link in links[:5]:
        harmless(ann.get(html.unescape(link)))
    assert ann.get(page + "parts/results/small/bomb.parquet").status == 404
    outside = [
        path for path in site.folder.rglob("*") if "evil" in path.name or "secret." in path.name
    ]
    assert not outside


def test_a_result_over_the_limit_is_refused_with_it(site: Site) -> None:
    site.more["WEFT_SERVICE_RESULT_BYTES"] = "1500000"
    site.start_server()
    ann = logged_in(site)
    ann.submit()
    status, said = delivered(Calls(site, "one"), b"x" * 2_000_000)
    assert (status, said) == (413, "a result has at most 1,500,000 bytes\n")


def test_experiments_are_named_by_plain_names(shared: Site, ann: Browser) -> None:
    for name in ("../x", "..", "a/b", "", "-x", "x" * 65, "x\ny", "x.yaml", "\u0445"):
        answer = ann.submit(name=name)
        assert "use letters, digits" in html.unescape(answer.text), name
    assert shared.python(COUNT) == "0"

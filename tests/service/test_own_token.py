"""A token and a folder are of one worker at a time."""

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import Browser, Site, wait_for
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def test_a_token_is_of_one_worker_until_that_falls_silent_or_gets_another(
    shared: Site, ann: Browser
) -> None:
    for _ in range(2):
        ann.submit()
    worker = Calls(shared, "one")
    assert worker.call("claim", X_Weft_Folder="here")[0] == 200
    status, text = worker.call("claim", X_Weft_Folder="there")
    assert status == 409
    assert "give each its own" in text
    # It may begin anew where it was.
    assert worker.call("claim", X_Weft_Folder="here")[0] == 200
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.queue.models import Worker\n"
        "Worker.objects.update(last_seen_at=timezone.now() - datetime.timedelta(hours=1))"
    )
    assert worker.call("claim", X_Weft_Folder="there")[0] == 204
    assert worker.call("claim", X_Weft_Folder="here")[0] == 409
    worker.token = shared.token("one")
    assert worker.call("claim", X_Weft_Folder="here")[0] == 204


def test_a_folder_is_of_one_worker(shared: Site) -> None:
    first = shared.start_worker("one")
    wait_for(lambda: shared.confines() != "None")
    second = shared.start_worker_with(shared.token("two"), "one")
    assert second.wait(timeout=PATIENCE_S) == 1
    assert first.poll() is None
    assert "give each its own --folder" in (shared.folder / "one.log").read_text()

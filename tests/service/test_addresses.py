"""Addresses under which people reach a server: in IPv6, and with a path before all pages."""

import socket
import subprocess
import sys

import pytest
from weft.service.surroundings import SettingError, address

from tests.patience import PATIENCE_S
from tests.service.conftest import ROOT, Browser, Site, wait_for
from tests.service.mailbox import link, mailbox_of

PREFIX = "WEFT_SERVICE_"


@pytest.mark.parametrize(
    ("given", "origin", "host", "path"),
    [
        ("https://weft.example.org", "https://weft.example.org", "weft.example.org", ""),
        ("https://Host.example.org/hpc/", "https://host.example.org", "host.example.org", "/hpc"),
        ("http://10.0.0.1:8020", "http://10.0.0.1:8020", "10.0.0.1", ""),
        ("http://[::1]:8020/a/b", "http://[::1]:8020", "[::1]", "/a/b"),
    ],
)
def test_an_address_has_an_origin_and_may_have_a_path(
    given: str, origin: str, host: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PREFIX + "ADDRESS", given)
    found = address()
    assert (found.origin, found.host, found.path) == (origin, host, path)


@pytest.mark.parametrize(
    "given",
    ["weft.example.org", "ftp://host", "https://", "https://host/?x=1", "https://ann@host", "::1",
     "http://[::1", "http://host:port", "https://host/a b", "https://host/../x", "https://ho st"],
)  # fmt: skip
def test_another_address_is_refused_with_what_is_allowed(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PREFIX + "ADDRESS", given)
    with pytest.raises(SettingError, match=r"give https://host|a path has letters") as refused:
        address()
    assert f"{PREFIX}ADDRESS={given}" in str(refused.value)


@pytest.mark.slow
def test_make_serve_at_every_address_asks_for_the_one_that_people_use(site: Site) -> None:
    site.more |= {PREFIX + "LISTEN": "0.0.0.0:8000", PREFIX + "ADDRESS": ""}
    refused = subprocess.run(
        [sys.executable, "-m", "weft.service.serve"],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith(
        "weft: WEFT_SERVICE_LISTEN=0.0.0.0:8000 is every address of this machine"
    )
    assert "WEFT_SERVICE_ADDRESS" in line


def need_ipv6(site: Site) -> None:
    try:
        socket.create_server(("::1", site.port), family=socket.AF_INET6).close()
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")


@pytest.mark.slow
def test_a_server_listens_in_ipv6(site: Site) -> None:
    need_ipv6(site)
    site.account("ann@example.org")
    place = f"[::1]:{site.port}"
    site.more |= {PREFIX + "LISTEN": place, PREFIX + "ADDRESS": ""}
    site._start([sys.executable, "-m", "gunicorn", "--bind", place, "--no-control-socket",
                 "--threads", "2", "weft.service.wsgi"], "server.log")  # fmt: skip
    ann = Browser(f"http://{place}")

    def answers() -> bool:
        try:
            return ann.get("/accounts/log-in").status == 200
        except OSError:
            return False

    wait_for(answers)
    ann.log_in("ann@example.org")
    assert ann.submit().url.startswith(f"http://{place}/tasks/")


@pytest.mark.slow
def test_a_server_has_a_path_before_its_pages(site: Site) -> None:
    site.more[PREFIX + "ADDRESS"] = f"{site.address}/hpc"
    with mailbox_of(site) as mailbox:
        site.account("ann@example.org")
        site.start_server()
        ann = Browser(f"{site.address}/hpc")
        assert "Your tasks" in ann.log_in("ann@example.org").text
        page = ann.submit().url
        assert page.startswith(f"{site.address}/hpc/tasks/")
        shown = ann.get(page).text
        assert 'href="/hpc/static/pages/style.css"' in shown
        assert ann.get("/static/pages/style.css").status == 200
        # A proxy that takes the path away before it asks.
        assert Browser(site.address).get("/accounts/log-in").status == 200
        ann.post(f"{page}stop", at=page)
        Browser(f"{site.address}/hpc").post("/accounts/apply", email="ben@example.org")
        (text,) = mailbox.texts()
        assert link(text).startswith(f"{site.address}/hpc/accounts/confirm/")
        assert Browser(site.address).get(link(text)).status == 200


@pytest.mark.slow
@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_a_worker_beside_a_server_reaches_it_where_it_listens(site: Site, host: str) -> None:
    if host == "[::]":
        need_ipv6(site)
    site.more |= {PREFIX + "LISTEN": f"{host}:{site.port}"}
    site.more[PREFIX + "ADDRESS"] = "https://host.example.org/hpc"
    site._start([sys.executable, "-m", "gunicorn", "--bind", f"{host}:{site.port}",
                 "--no-control-socket", "weft.service.wsgi"], "server.log")  # fmt: skip
    wait_for(site._answers)
    # As the worker of `make serve` asks: no token, and yet no other refusal.
    assert Browser(f"http://{host}:{site.port}").get("/api/claim").status == 405
    assert Browser(f"http://127.0.0.1:{site.port}").get("/api/claim").status == 405

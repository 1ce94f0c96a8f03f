"""A site's set-up: the shipped server block of nginx with TLS, and the shipped units of systemd."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.missing import missing
from tests.parent import with_parent
from tests.patience import PATIENCE_S
from tests.service.conftest import (
    OPEN,
    PASSWORD,
    ROOT,
    SMALL,
    Browser,
    Site,
    ends,
    forget,
    free_port,
    running,
    wait_for,
    with_tables,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
UNITS = ROOT / "workflow" / "weft" / "service" / "units"
FRAME = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/weft.conf;
}}
"""


def needs(program: str) -> str:
    path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        missing(f"{program} is not installed")
    return path


@pytest.fixture(scope="module")
def behind_nginx(tmp_path_factory: pytest.TempPathFactory, tables: Path) -> Iterator[Site]:
    """A server behind nginx at https://localhost, with a certificate that this process trusts."""
    site = with_tables(tmp_path_factory.mktemp("site"), tables)
    nginx, folder, port = needs("nginx"), site.folder, free_port()
    certificate, key = folder / "weft.pem", folder / "weft.key"
    made = [needs("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out",
            str(certificate)]  # fmt: skip
    subprocess.run(made, check=True, capture_output=True, timeout=PATIENCE_S)
    block = (UNITS / "nginx.conf").read_text()
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("weft.example.org", "localhost"),
        ("/etc/ssl/weft.pem", str(certificate)),
        ("/etc/ssl/weft.key", str(key)),
        ("127.0.0.1:8000", f"127.0.0.1:{site.port}"),
    ):
        assert old in block
        block = block.replace(old, new)
    (folder / "weft.conf").write_text(block)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(FRAME.format(folder=folder, user=user))
    site.more |= {"WEFT_SERVICE_ADDRESS": f"https://localhost:{port}"}
    with pytest.MonkeyPatch.context() as patched, running(site):
        patched.setenv("SSL_CERT_FILE", str(certificate))
        command = [nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)]
        process = subprocess.Popen(with_parent(command))
        try:
            wait_for(lambda: (folder / "nginx.pid").exists() or process.poll() is not None)
            assert process.poll() is None, (folder / "nginx.log").read_text()
            yield site
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


@pytest.fixture
def proxied(behind_nginx: Site, tables: Path) -> Site:
    """The same as if nobody had used it."""
    forget(behind_nginx, tables)
    return behind_nginx


def test_behind_nginx_with_tls_people_submit_and_a_worker_brings_the_result(
    proxied: Site,
) -> None:
    address = proxied.more["WEFT_SERVICE_ADDRESS"]
    proxied.account("ann@example.org")
    ann = Browser(address)
    first = ann.get("/accounts/log-in")
    assert "; Secure" in first.headers["set-cookie"]
    assert "max-age=31536000" in first.headers["strict-transport-security"]
    assert ann.log_in("ann@example.org").status == 200
    # Larger than what nginx takes unless told: weft itself says what is wrong with it.
    large = {"files": ("large.csv", b"x" * 8_500_000)}
    form = {"name": "small", "yaml": SMALL, "timeout_s": "600"}
    refused = ann.upload("/submit/yaml", large, **form)
    assert "at most 8,000,000 bytes" in refused.text
    page = ann.submit().url
    assert page.startswith(address)

    token = proxied.manage("add_worker", "far")
    worker = [sys.executable, "-m", "weft.service.worker.main", "--server", address, "--token",
              token, "--folder", str(proxied.folder / "far"), "--poll-s", "0.2"]  # fmt: skip
    far = proxied._start(worker, "far.log")
    wait_for(lambda: proxied.task() not in OPEN)
    assert proxied.task() == "done", ann.get(page).text
    assert ann.get(page + "archive.zip").content.startswith(b"PK")
    far.terminate()
    assert ends(far)


def test_the_limit_on_attempts_counts_the_address_that_nginx_saw(proxied: Site) -> None:
    address = proxied.more["WEFT_SERVICE_ADDRESS"]
    proxied.account("ann@example.org")
    browser = Browser(address)
    browser._opener.addheaders = [("X-Forwarded-For", "192.0.2.7")]
    browser.log_in("ann@example.org", PASSWORD + "?")
    seen = "from weft.service.accounts.models import Attempt\n" + (
        "print(*Attempt.objects.filter(kind='log-in from').values_list('key', flat=True))"
    )
    assert proxied.python(seen) == "127.0.0.1"


#: More than the server has threads.
SLOW_CLIENTS = 10
LARGE_BYTES = 40_000_000
#: A result that is larger than what sockets hold.
RESULT = f"""
from weft.service.tasks.models import Task
from tests.missing import missing
task = Task.objects.get()
task.folder.mkdir(parents=True)
task.archive.write_bytes(bytes({LARGE_BYTES}))
Task.objects.update(state="done", result_bytes={LARGE_BYTES})
"""


def connected(address: str, request: str, cookies: str) -> ssl.SSLSocket:
    """A client that has sent the beginning of a request and is in no hurry."""
    port = int(address.rpartition(":")[2])
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    found = ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
    head = f"{request} HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {cookies}\r\n"
    found.sendall(head.encode())
    return found


@pytest.mark.parametrize("what", ["uploads", "downloads"])
def test_slow_clients_behind_nginx_keep_nobody_waiting(what: str, proxied: Site) -> None:
    address = proxied.more["WEFT_SERVICE_ADDRESS"]
    proxied.account("ann@example.org")
    ann = Browser(address)
    ann.log_in("ann@example.org")
    page = ann.submit().url
    proxied.python(RESULT)
    with ExitStack() as slow:
        for _ in range(SLOW_CLIENTS):
            if what == "uploads":
                client = connected(address, "POST /submit/yaml", ann.cookies)
                client.sendall(b"Content-Length: 1000000\r\n\r\n" + bytes(1000))
            else:
                path = page.removeprefix(address) + "archive.zip"
                client = connected(address, f"GET {path}", ann.cookies)
                client.sendall(b"\r\n")
                assert client.recv(1000).startswith(b"HTTP/1.1 200")
            slow.enter_context(client)
        assert ann.get("/").status == 200


@pytest.mark.parametrize("unit", ["weft-service.service", "weft-worker.service"])
def test_systemd_finds_nothing_wrong_with_a_unit(unit: str, tmp_path: Path) -> None:
    # The folder and the user of a site are those of this checkout.
    text = (UNITS / unit).read_text().replace("/opt/weft", str(ROOT))
    path = tmp_path / unit
    path.write_text(text.replace("User=weft", "User=root"))
    command = [needs("systemd-analyze"), "verify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if unit in line]) == (0, [])

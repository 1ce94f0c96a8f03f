"""`make serve`: the web server on this machine with one worker beside it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "weft.service.settings")
#: From the first signal to the last; requests and uploads may need a part of it.
_GRACE_S = 45.0
_MANAGE = "python -m weft.service.manage"


def _refuse_busy(listen: str) -> None:
    """The worker of this server would bring its token to whatever else listens there."""
    host, _, port = listen.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host.strip("[]"), int(port)), family=family).close()
    except (OSError, OverflowError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "give an address and a port"
        sys.exit(f"weft: cannot listen at {listen}: {reason}; WEFT_SERVICE_LISTEN chooses another")


def main() -> None:
    """Migrate the database, start both processes, and end both when this one ends."""
    import django
    from django.core.management import call_command

    from weft.service.surroundings import LISTEN, SettingError, text

    try:
        django.setup()
    except SettingError as error:
        sys.exit(f"weft: {error}")
    from django.conf import settings

    from weft.files.lock import open_lock, take_lock
    from weft.service.accounts.models import Person
    from weft.service.forms.offered import offered_forms
    from weft.service.queue.models import Worker

    # A second server would take the token of this one's worker.
    lock = open_lock(settings.STATE / "serve.lock")
    if not take_lock(lock):
        sys.exit(f"weft: another server works in {settings.STATE}")
    _, wrong = offered_forms()
    if wrong:
        sys.exit("\n".join(f"weft: {each}" for each in wrong))
    listen = text("LISTEN", LISTEN)
    _refuse_busy(listen)
    call_command("migrate", verbosity=0)
    worker = Worker.objects.filter(name="local").first() or Worker(name="local")
    token = worker.renew_token()
    worker.save()
    server = [sys.executable, "-m", "gunicorn", "--bind", listen, "--workers", "2",
              "--threads", "4", "--log-level", "warning", "--no-control-socket",
              "weft.service.wsgi"]  # fmt: skip
    puller = [sys.executable, "-m", "weft.service.worker.main", "--server", f"http://{listen}",
              "--folder", str(settings.STATE / "worker")]  # fmt: skip
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # nohup ignores the end of the terminal, and that stays so.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(0))
    processes = [
        # Only this process gets Ctrl-C; it then ends both in good order.
        subprocess.Popen(server, process_group=0),
        subprocess.Popen(puller, env={**os.environ, "WEFT_WORKER_TOKEN": token}, process_group=0),
    ]
    print(f"weft: serving at {settings.ADDRESS}; Ctrl-C ends it", flush=True)
    if not Person.objects.exists():
        made = f".venv/bin/{_MANAGE} createsuperuser"
        print(f"weft: make the first account, an administrator's, with\n  {made}", flush=True)
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(0.5)
    except KeyboardInterrupt:
        pass
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                # Each has a group of its own.
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


if __name__ == "__main__":
    main()

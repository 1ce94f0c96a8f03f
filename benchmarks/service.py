"""The service under load: 1,000 tasks of 50 people, 4 workers, on the loopback of this machine.

Simulated workers take all tasks by their calls while people look at pages; one person gets 10,000
tasks; a real worker runs small tasks, and the processor time of server and worker is compared with
the pipeline's own. Exit code 1 if a bar is missed. A busy machine says little about times.
"""

from __future__ import annotations

import argparse
import http.cookiejar
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import psutil
import weft
from weft.service.project import make_project

BAR_PAGE_S, BAR_OPERATIONS, BAR_TASK_CPU_S = 0.2, 200.0, 1.0
#: Each of the people looks at a page so often; without a pause a reader takes half the machine.
LOOK_S = 5.0
PASSWORD = "a-long-pass-phrase"
EXPERIMENT = """\
title: Load
question: How much does the service cost?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {{dimensions: 2, k: {k}}}
"""
FILL = """
from django.utils import timezone
from weft.service.accounts.models import Person
from weft.service.queue.models import Queue, Worker
from weft.service.tasks.models import Task
queue, _ = Queue.objects.get_or_create(name="default")
people = [Person.objects.create_user(f"p{{n}}@example.org", None) for n in range({people})]
people[0].set_password({password!r})
people[0].save()
Task.objects.bulk_create(
    Task(owner=people[n % len(people)], experiment="load", experiment_yaml="title: x",
         title=f"Task {{n}}", queue=queue, timeout_s=60)
    for n in range({count})
)
"""
MANY = """
from weft.service.accounts.models import Person
from weft.service.queue.models import Queue
from weft.service.tasks.models import Task
owner, queue = Person.objects.get(email="p0@example.org"), Queue.objects.get(name="default")
Task.objects.bulk_create(
    Task(owner=owner, experiment="load", experiment_yaml="title: x", title=f"Old {n}",
         queue=queue, timeout_s=60, state="done")
    for n in range(10_000)
)
"""
REAL = """
from weft.service.accounts.models import Person
from weft.service.tasks.submit import submit
owner = Person.objects.get(email="p1@example.org")
for text in {texts!r}:
    submit(owner, text, {{}}, None, 600, "load")
"""
OPEN = """
from weft.service.tasks.models import OPEN, Task
print(Task.objects.filter(state__in=OPEN).count())
"""
STATES = """
from collections import Counter
from weft.service.tasks.models import Task
print(dict(Counter(Task.objects.values_list("state", flat=True))))
"""


class Server:
    """A server with its own state."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "weft.service.settings",
            "WEFT_SERVICE_STATE": str(folder / "state"),
            "WEFT_SERVICE_ADDRESS": self.address,
        }
        self.manage("migrate", "--verbosity", "0")
        words = f"--bind 127.0.0.1:{self.port} --workers 2 --threads 4 --log-level warning"
        command = ["gunicorn", *words.split(), "--no-control-socket", "weft.service.wsgi"]
        # Mails are printed where there is no server for them.
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command], env=self.environment, stdout=subprocess.DEVNULL
        )

    def manage(self, *words: str) -> str:
        command = [sys.executable, "-m", "weft.service.manage", *words]
        return subprocess.run(
            command, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def python(self, code: str) -> str:
        command = [sys.executable, "-c", "import django; django.setup()\n" + code]
        return subprocess.run(
            command, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()


class Worker(threading.Thread):
    """Makes the calls of a worker, without any work; `operations` counts them."""

    def __init__(self, server: Server, name: str) -> None:
        super().__init__()
        self.base, self.operations, self.errors = f"{server.address}/api/", 0, 0
        self.headers = {
            "Authorization": f"Bearer {server.manage('add_worker', name)}",
            "X-Weft-Version": weft.__version__,
        }

    def call(self, path: str, body: object) -> bytes:
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), self.headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return bytes(answer.read())
        except urllib.error.URLError:
            self.errors += 1
            raise
        finally:
            self.operations += 1

    def run(self) -> None:
        while content := self.call("claim", {"missing_layers": []}):
            offer = json.loads(content)
            task, lease = f"tasks/{offer['task']}/", {"lease": offer["lease"]}
            self.call(task + "accept", lease)
            self.call(task + "heartbeat", {**lease, "points": 3, "ended": 1})
            self.call(task + "finish", {**lease, "outcome": "failed", "reason": "a load"})


class Reader:
    """Somebody who looks at pages."""

    def __init__(self, server: Server) -> None:
        self.address = server.address
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)
        page = self.get("/accounts/log-in")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        fields = {"username": "p0@example.org", "password": PASSWORD}
        body = {**fields, "csrfmiddlewaretoken": token[1] if token else ""}
        request = urllib.request.Request(
            self.address + "/accounts/log-in", urllib.parse.urlencode(body).encode()
        )
        request.add_header("Referer", self.address + "/accounts/log-in")
        self.opener.open(request, timeout=60).close()
        links = re.findall(r'href="(/tasks/[^"/]+/)"', self.get("/"))
        self.pages = ["/", *dict.fromkeys(links)][:5]

    def get(self, path: str) -> str:
        with self.opener.open(self.address + path, timeout=60) as answer:
            return bytes(answer.read()).decode()

    def times(self, paths: Sequence[str], count: int, every_s: float = 0.0) -> list[float]:
        found = []
        for number in range(count):
            began = time.perf_counter()
            self.get(paths[number % len(paths)])
            found.append(time.perf_counter() - began)
            time.sleep(max(0.0, every_s - found[-1]))
        return found


def p95(seconds: Sequence[float]) -> float:
    """The time that one of twenty exceeds."""
    return statistics.quantiles(seconds, n=20)[-1]


def cpu_s(process: psutil.Process) -> float:
    """Processor time of a process and of all below it, ended ones with them."""
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        times = each.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


def real_tasks(server: Server, folder: Path, count: int) -> float:
    """Processor seconds of a real task above those of its pipeline."""
    texts = [EXPERIMENT.format(k=4 + number) for number in range(count + 1)]
    pipeline = folder / "pipeline"
    pipeline.mkdir()
    make_project(pipeline, "load", texts[0], {})
    before = os.times()
    command = [sys.executable, "-m", "weft.launch", "archives/load.zip"]
    subprocess.run(command, cwd=pipeline, check=True, capture_output=True)
    after = os.times()
    own_s = sum(after[2:4]) - sum(before[2:4])
    token = server.manage("add_worker", "real")
    words = ["--server", server.address, "--folder", str(folder / "worker"), "--poll-s", "0.5"]
    worker = subprocess.Popen(
        [sys.executable, "-m", "weft.service.worker.main", *words],
        env={**server.environment, "WEFT_WORKER_TOKEN": token},
    )
    try:
        processes = [psutil.Process(worker.pid), psutil.Process(server.process.pid)]
        # The first brings the imports, once for a worker's life.
        _run(server, texts[:1])
        began_s = sum(map(cpu_s, processes))
        _run(server, texts[1:])
        each_s = (sum(map(cpu_s, processes)) - began_s) / count
    finally:
        worker.terminate()
        worker.wait()
    print(f"a task: {each_s:.2f} s of processor time; its pipeline alone: {own_s:.2f} s")
    return each_s - own_s


def _run(server: Server, texts: Sequence[str]) -> None:
    server.python(REAL.format(texts=list(texts)))
    while server.python(OPEN) != "0":
        # Each look is a process of its own, which shall not disturb.
        time.sleep(5)


def main() -> None:
    """Measure, print and compare with the bars."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--real", type=int, default=5, help="tasks of a real worker (5)")
    asked = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory(prefix="weft-load-") as name:
        server = Server(Path(name))
        try:
            server.python(FILL.format(people=asked.people, count=asked.tasks, password=PASSWORD))
            reader = Reader(server)
            workers = [Worker(server, f"w{number}") for number in range(asked.workers)]
            process = psutil.Process(server.process.pid)
            began, began_s = time.perf_counter(), cpu_s(process)
            own_began_s = time.process_time()
            for worker in workers:
                worker.start()
            seconds = []
            while any(worker.is_alive() for worker in workers):
                seconds += reader.times(reader.pages, 5, LOOK_S / asked.people)
            taken_s, used_s = time.perf_counter() - began, cpu_s(process) - began_s
            own_s = time.process_time() - own_began_s
            operations = sum(worker.operations for worker in workers)
            errors = sum(worker.errors for worker in workers)
            rate, page_s = operations / taken_s, p95(seconds)
            print(f"{operations} operations, {errors} errors, {rate:.0f} a second")
            print(f"{len(seconds)} pages meanwhile, p95 {page_s * 1e3:.0f} ms")
            each_ms, own_ms = used_s / operations * 1e3, own_s / operations * 1e3
            print(f"processor time an operation: server {each_ms:.1f} ms, clients {own_ms:.1f} ms")
            states, _ = server.python(STATES), server.python(MANY)
            many_s = p95(reader.times(["/", "/?page=100", "/?page=200"], 60))
            print(f"a list of 10,000 tasks, p95 {many_s * 1e3:.0f} ms")
            above_s = real_tasks(server, Path(name), asked.real) if asked.real else 0.0
            print(f"a task above its pipeline: {above_s:.2f} s of processor time")
            failures = [
                text
                for text, met in (
                    (f"errors, or not all tasks ended once: {states}", errors == 0
                     and states == f"{{'failed': {asked.tasks}}}"),
                    ("p95 of a page", max(page_s, many_s) <= BAR_PAGE_S),
                    ("operations of the queue", rate >= BAR_OPERATIONS),
                    ("processor time of a task", above_s <= BAR_TASK_CPU_S),
                )
                if not met
            ]  # fmt: skip
        finally:
            server.process.terminate()
            server.process.wait()
    for text in failures:
        print(f"missed: {text}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()

"""`weft-worker --server https://… --token …`: runs tasks of a server, one after the other."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from hashlib import sha256
from pathlib import Path

from weft.confine import missing_layers
from weft.engines.program_simulators import program_simulators
from weft.service.protocol import ClaimRequest, Offer
from weft.service.worker.connection import AwayError, Connection, GoneError, RefusedError
from weft.service.worker.own_folder import folder_word, take_folder
from weft.service.worker.profile import check_profiles, images_of
from weft.service.worker.room import free_bytes, remove_left
from weft.service.worker.shared import PointCache
from weft.service.worker.task import TaskRun


def main() -> None:
    """Pull tasks until a signal ends this process."""
    asked = _arguments()
    token = asked.token or os.environ.get("WEFT_WORKER_TOKEN", "")
    if not token:
        raise SystemExit("weft-worker: give --token or WEFT_WORKER_TOKEN")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, lambda *_: sys.exit(130))
    check_profiles(asked.profile)
    folder = Path(asked.folder).absolute()
    # Held until this process ends.
    _lock = take_folder(folder)
    server = Connection(asked.server, token, folder_word(folder))
    lacks = missing_layers(program_simulators()) + images_of(asked.profile)
    claim = ClaimRequest(missing_layers=lacks).model_dump_json().encode()
    for each in lacks:
        print(f"weft-worker: takes no uploaded programs; missing: {each}", file=sys.stderr)
    tasks, taken_back = folder / "tasks", set[Path]()
    cache = PointCache(folder / "shared", asked.cache_mb << 20)
    full = False
    while True:
        worked = False
        # A worker without room would fail every task of its queues, one after the other.
        if (lacking := free_bytes(folder) < asked.free_mb << 20) and not full:
            print(f"weft-worker: less than {asked.free_mb} MB are free in {folder}: it takes no "
                  "tasks until there are more", file=sys.stderr)  # fmt: skip
        full = lacking
        try:
            content = b"" if full else server.call("POST", "claim", claim)
            if content:
                offer, worked = Offer.model_validate_json(content), True
                # The same name for the same task: what a journal has is not computed again.
                place = tasks / sha256(offer.task.encode()).hexdigest()[:24]
                try:
                    TaskRun(offer, server, place, cache, asked.profile, not lacks).perform()
                except GoneError:
                    print("weft-worker: the server has taken the task back", file=sys.stderr)
                    taken_back.add(place)
            else:
                # What was taken back waits for nobody here. On a full disk nothing could go on.
                remove_left(tasks, tasks.glob("*") if full else taken_back)
                taken_back.clear()
        except AwayError as error:
            print(f"weft-worker: the server does not answer: {error}", file=sys.stderr)
        except RefusedError as error:
            raise SystemExit(f"weft-worker: {error}") from error
        if asked.once and worked:
            return
        if not worked:
            time.sleep(asked.poll_s)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="weft-worker", description=main.__doc__)
    parser.add_argument("--server", required=True, help="address of the server")
    parser.add_argument("--token", help="the token of this worker, or WEFT_WORKER_TOKEN")
    parser.add_argument("--folder", default="worker", help="where tasks run (worker)")
    parser.add_argument(
        "--profile", action="append", default=[],
        help="a profile of Snakemake, such as slurm; a later one takes precedence",
    )  # fmt: skip
    parser.add_argument("--poll-s", type=float, default=2.0, help="seconds between requests (2)")
    parser.add_argument(
        "--free-mb", type=int, default=200, help="it takes no task if less space is free (200)"
    )
    parser.add_argument(
        "--cache-mb", type=int, default=1000,
        help="space for points of earlier tasks; removes the longest unused first (1000)",
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="end after one task")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Files of a task, from the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from weft.service.protocol import SentFile
from weft.service.worker.connection import AwayError, insist

#: A project has hundreds of files: one after the other, a server far away takes longer for them
#: than a lease lasts.
_CALLS_AT_ONCE = 8


def receive(
    files: Sequence[SentFile], call: Callable[[SentFile], bytes], patience_s: float
) -> dict[str, bytes]:
    """Contents by path; raises AwayError for one that is not what was announced."""

    def content(sent: SentFile) -> bytes:
        found = insist(lambda: call(sent), patience_s)
        if sha256(found).hexdigest() != sent.sha256:
            raise AwayError(f"{sent.path} did not arrive whole")
        return found

    with ThreadPoolExecutor(_CALLS_AT_ONCE) as pool:
        contents = list(pool.map(content, files))
    return {sent.path: found for sent, found in zip(files, contents, strict=True)}

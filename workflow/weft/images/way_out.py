"""What to do where an image cannot be built because the machine does not reach a server."""

from __future__ import annotations

import re

ELSEWHERE = "build the images on another machine and copy containers/images/ here (docs/hpc.md)"
#: What debootstrap, apt and cargo print then.
_UNREACHED = re.compile(
    r"Failed getting release file|Couldn't download|[Cc]ould ?n[o']t (resolve|connect)"
    r"|Temporary failure (in name resolution|resolving)|Network is unreachable|Unable to connect"
    r"|No route to host|[Cc]onnection (refused|timed out|failed)"
)


def reached_nothing(text: str) -> bool:
    """Whether a log says that a server did not answer."""
    return bool(_UNREACHED.search(text))

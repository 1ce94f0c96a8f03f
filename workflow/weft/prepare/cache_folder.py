"""A folder for Snakemake's cache where the home folder cannot be written.

So it is for accounts of services, in containers, and where a quota is used up. Without a cache
Snakemake ends with a traceback.
"""

from __future__ import annotations

import os
from pathlib import Path

#: Where the cache is instead, from the project: a folder that Snakemake writes anyway.
INSTEAD = Path(".snakemake") / "cache"


def insist_on_cache() -> None:
    """Let this process and those that it starts keep caches in the project, if not at home."""
    from platformdirs import user_cache_dir

    try:
        cache = Path(user_cache_dir("snakemake", "snakemake")) / "snakemake" / "source-cache"
        cache.mkdir(parents=True, exist_ok=True)
        usable = os.access(cache, os.W_OK | os.X_OK)
    except OSError:
        usable = False
    if not usable:
        os.environ["XDG_CACHE_HOME"] = str(INSTEAD.absolute())

"""Whether programs of strangers may come: only where a worker confines them by all layers."""

from __future__ import annotations

from weft.service.queue.models import Worker


def programs_refused() -> str:
    """Why no program is taken; empty if a worker has all layers."""
    reported = Worker.objects.filter(revoked=False, missing_layers__isnull=False)
    lacks = list(reported.order_by("name").values_list("missing_layers", flat=True))
    if "" in lacks:
        return ""
    refused = "this server does not run uploaded programs"
    if not lacks:
        return f"{refused}: no worker has reported that it confines them"
    # The reasons name places of the machine, which are for its administrator.
    fewest = min(lacks, key=lambda text: text.count("\n"))
    missing = ", ".join(line.partition(":")[0] for line in fewest.splitlines())
    return f"{refused}: its workers lack {missing}"

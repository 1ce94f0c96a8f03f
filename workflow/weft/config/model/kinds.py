"""The sections whose key `kind` chooses what other keys they have."""

from __future__ import annotations

from collections.abc import Mapping

from weft.config.language.section import Settings
from weft.config.model.topology import TOPOLOGIES
from weft.config.model.workloads import WORKLOADS

KINDS: Mapping[str, Mapping[str, type[Settings]]] = {"topology": TOPOLOGIES, "workload": WORKLOADS}

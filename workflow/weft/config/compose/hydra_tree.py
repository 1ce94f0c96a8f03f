"""Hydra, initialised once in a process, on a configuration tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from hydra import compose, initialize
from hydra.conf import JobConf, OverridesConf, RuntimeConf
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.types import Quote, QuotedString
from hydra.core.plugins import Plugins
from hydra.types import RunMode
from omegaconf import OmegaConf

from weft.config.compose.atomic_values import opened
from weft.config.compose.hydra_source import EXPERIMENT, SCHEME, FolderSource, leaving_out, watching

#: The primary config: the tree's `config.yaml`, and an experiment over it.
_PRIMARY = "weft"


#: Notes the files, with their digests, that are looked for meanwhile.
composing = watching
#: Composes the experiment meanwhile without some entries of its defaults.
omitting = leaving_out


def composed(folders: Sequence[Path], overrides: Sequence[str]) -> tuple[Any, dict[str, str]]:
    """The values that Hydra composes, interpolations and all, and the choice of each group.

    Raises what Hydra raises, and Refused.
    """
    with _initialised():
        lines = [_search_path(folders), *overrides]
        config = compose(_PRIMARY, overrides=lines, return_hydra_config=True)
    choices = OmegaConf.to_container(config.hydra.runtime.choices)
    values = cast("dict[str, object]", OmegaConf.to_container(config, resolve=False))
    del values["hydra"]
    return opened(values), {
        str(k): str(v) for k, v in cast("dict[object, object]", choices).items()
    }


def merged_files(folders: Sequence[Path], overrides: Sequence[str]) -> list[tuple[str, str]]:
    """The files of a composition and the package of each, in the order in which they are merged.

    Raises what Hydra raises, and Refused.
    """
    with _initialised():
        loader = GlobalHydra.instance().config_loader()
        lines = [_search_path(folders), *overrides]
        found = loader.compute_defaults_list(_PRIMARY, lines, RunMode.RUN).defaults
    return [(each.config_path or "", each.package or "") for each in found]


def quoted(text: str) -> str:
    """`text` as a value of an override, with any characters in it."""
    return QuotedString(text, Quote.single).with_quotes()


def _search_path(folders: Sequence[Path]) -> str:
    paths = ",".join(quoted(f"{SCHEME}://{folder}") for folder in folders)
    return f"hydra.searchpath=[{paths}]"


@contextmanager
def _initialised() -> Iterator[None]:
    """Hydra with weft's settings inside the block, and with those of the process afterwards."""
    ours = _hydra()
    instance, store = GlobalHydra.instance(), ConfigStore.instance()
    theirs = instance.hydra, store.repo
    try:
        instance.hydra, store.repo = ours
        yield
    finally:
        instance.hydra, store.repo = theirs


@lru_cache(maxsize=1)
def _hydra() -> tuple[Any, dict[str, object]]:
    Plugins.instance().register(FolderSource)
    store = ConfigStore.instance()
    theirs, store.repo = store.repo, {}
    try:
        store.store(_PRIMARY, {"defaults": ["config", {EXPERIMENT: None}, "_self_"]})
        # What Hydra has for running jobs takes most of a composition's time, and weft runs none.
        own = {"runtime": RuntimeConf(), "job": JobConf(), "overrides": OverridesConf()}
        store.store("config", {"searchpath": [], **own}, group="hydra")
        # Puts back what was there before.
        with initialize(config_path=None, version_base="1.3"):
            return GlobalHydra.instance().hydra, store.repo
    finally:
        store.repo = theirs

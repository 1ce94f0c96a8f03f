"""Hydra: one experiment file and the groups it chooses, composed into plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, cast

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from weft.config.errors import unknown
from weft.config.experiment import GROUPS
from weft.config.files import first_line

_SUFFIXES = (".yaml", ".yml")


class ComposeError(Exception):
    """Hydra could not compose: one sentence."""


def experiment_files(configs_dir: Path) -> dict[str, list[Path]]:
    """Files below `experiment/` by name; more than one file of a name is a mistake."""
    found: dict[str, list[Path]] = {}
    folder = configs_dir / "experiment"
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.suffix in _SUFFIXES and path.is_file():
            found.setdefault(path.stem, []).append(path)
    return found


def group_choices(configs_dir: Path, group: str) -> list[str]:
    """Names that may be chosen in `group`; metrics describe numbers and are none."""
    names = {path.stem for path in (configs_dir / group).glob("*.yaml")}
    return sorted(names - {"metrics"} if group == "report" else names)


def defaults_problems(configs_dir: Path, raw: dict[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with the `defaults` list, as key and message; Hydra would tell but one."""
    entries = raw.get("defaults", [])
    if not isinstance(entries, list):
        return [("defaults", "expected a list, like [{override /topology: torus}]")]
    found = []
    for i, entry in enumerate(entries):
        if isinstance(entry, dict):
            for written, choice in entry.items():
                message = _choice_problem(configs_dir, str(written), choice)
                found += [(f"defaults[{i}]", message)] if message else []
    return found


def _choice_problem(configs_dir: Path, written: str, choice: object) -> str | None:
    group = written.removeprefix("override ").strip().removeprefix("/").split("@")[0]
    if group not in GROUPS:
        return unknown("group", group, GROUPS)
    if not written.startswith("override /"):
        return f"write 'override /{group}: {choice}' to choose another {group}"
    known = group_choices(configs_dir, group)
    return None if choice in known else unknown(group, str(choice), known)


@dataclass(frozen=True)
class Composed:
    """The composed sections, and which file of each group they started from."""

    sections: dict[str, Any]
    choices: dict[str, str]


@contextmanager
def composing(configs_dir: Path) -> Iterator[None]:
    """Hydra initialised on `configs_dir`, and put back as it was afterwards."""
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(configs_dir.resolve()), version_base="1.3"):
        yield


def compose_experiment(file: Path, overrides: Sequence[str]) -> Composed:
    """Compose `file` with Hydra `overrides`.

    Raises ComposeError. Needs `composing`.
    """
    if file.suffix == ".yaml":
        return _compose([f"experiment@_global_={file.stem}", *overrides])
    # Hydra reads only .yaml, so a .yml file is shown to it under that name.
    with TemporaryDirectory() as folder:
        (Path(folder) / "experiment").mkdir()
        copyfile(file, Path(folder) / "experiment" / f"{file.stem}.yaml")
        path = f"hydra.searchpath=['file://{folder}']"
        return _compose([path, f"experiment@_global_={file.stem}", *overrides])


def _compose(overrides: Sequence[str]) -> Composed:
    try:
        config = compose("config", overrides=list(overrides), return_hydra_config=True)
        chosen = OmegaConf.to_container(config.hydra.runtime.choices)
        with_hydra = OmegaConf.to_container(_without_hydra(config), resolve=True)
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        raise ComposeError(first_line(error)) from None
    choices = {str(k): str(v) for k, v in cast("dict[str, Any]", chosen).items()}
    sections = cast("dict[str, Any]", with_hydra)
    sections.pop("experiments", None)
    return Composed(sections, choices)


def _without_hydra(config: Any) -> Any:
    copy = config.copy()
    OmegaConf.set_struct(copy, False)
    OmegaConf.set_readonly(copy, False)
    copy.pop("hydra")
    return copy

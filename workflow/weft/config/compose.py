"""Hydra composes the groups that an experiment chooses; what it says itself is merged here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from weft.config.errors import unknown
from weft.config.experiment import GROUPS
from weft.config.files import cause, yaml_mistake
from weft.config.merge import leaves, merged
from weft.config.plain import plain_composition

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
        elif entry != "_self_":
            found.append((f"defaults[{i}]", f"expected 'override /topology: …', got {entry!r}"))
    return found


def _choice_problem(configs_dir: Path, written: str, choice: object) -> str | None:
    group = _group(written)
    if group not in GROUPS:
        return unknown("group", group, GROUPS)
    if not written.startswith("override /"):
        return f"write 'override /{group}: {choice}' to choose another {group}"
    known = group_choices(configs_dir, group)
    return None if choice in known else unknown(group, str(choice), known)


def _group(written: str) -> str:
    return written.removeprefix("override ").strip().removeprefix("/")


def _chosen(raw: Mapping[str, Any]) -> dict[str, str]:
    entries = [entry for entry in raw.get("defaults", []) if isinstance(entry, dict)]
    return {_group(key): choice for entry in entries for key, choice in entry.items()}


@dataclass(frozen=True)
class Composed:
    """The composed sections, the choice of each group, and those from which something stays."""

    sections: dict[str, Any]
    choices: dict[str, str]
    begun: dict[str, str]


@contextmanager
def composing(configs_dir: Path) -> Iterator[None]:
    """Hydra initialised on `configs_dir`, and put back as it was afterwards."""
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(configs_dir.resolve()), version_base="1.3"):
        yield


def compose_experiment(
    configs_dir: Path,
    raw: Mapping[str, Any],
    choices: Mapping[str, str],
    values: Mapping[str, Any],
) -> Composed:
    """Compose an experiment file as written, with the choices and values of a command line.

    Raises ComposeError. Needs `composing`, and `raw` without `defaults_problems`.
    """
    asked = {**_chosen(raw), **choices}
    try:
        base, chosen = plain_composition(configs_dir, asked) or _hydra_composition(asked)
        unasked = ("hydra", "defaults", "experiments")
        # Of a group that nobody chose, nothing is left under another kind.
        left = _of_another_kind(base, raw) - asked.keys()
        base = {group: {} if group in left else section for group, section in base.items()}
        said = {k: v for k, v in merged(base, raw).items() if k not in unasked}
        whole = OmegaConf.create(said)
        for written, value in values.items():
            for key, leaf in leaves(written, value):
                OmegaConf.update(whole, key, leaf, merge=False, force_add=True)
        sections = OmegaConf.to_container(whole, resolve=True)
    except yaml.MarkedYAMLError as error:
        line, reason = yaml_mistake(error)
        file = Path(error.problem_mark.name).parts[-2:] if error.problem_mark else ()
        raise ComposeError(f"{'/'.join(file)}{line}: {reason}") from None
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        raise ComposeError(cause(error)) from None
    begun = {group: choice for group, choice in chosen.items() if group not in left}
    return Composed(cast("dict[str, Any]", sections), chosen, begun)


def _of_another_kind(base: Mapping[str, Any], raw: Mapping[str, Any]) -> set[str]:
    """Sections of `base` for which the experiment names another kind: their keys are not for it."""
    kinds = {group: own["kind"] for group, own in raw.items() if _is_kind(own)}
    found = {group: base[group]["kind"] for group in kinds if _is_kind(base.get(group))}
    return {group for group, kind in found.items() if kind != kinds[group]}


def _is_kind(section: Any) -> bool:
    return isinstance(section, Mapping) and "kind" in section


def _hydra_composition(choices: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    groups = [f"{group}={choice}" for group, choice in choices.items()]
    config = compose("config", overrides=groups, return_hydra_config=True)
    chosen = cast("dict[str, Any]", OmegaConf.to_container(config.hydra.runtime.choices))
    base = cast("dict[str, Any]", OmegaConf.to_container(config, resolve=False))
    return base, {str(k): str(v) for k, v in chosen.items()}

"""What a command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weft.files.layout import INDEX, PAPER, RELATIVE, TUNING
from weft.prepare.request.override_texts import split_texts

#: Lists of a shard's `status.json` whose points may be attempted again.
Again = Literal["failed", "flagged"]
SWITCHES = (
    "retry_failed", "retry_flagged", "partial", "strict", "strict_expectations", "wheels",
    "anonymous",
)  # fmt: skip
#: The archive from which results are taken.
FROM = "from"
KEYS = ("overrides", "experiments", "machine", "search_path", "run", "effort", FROM, *SWITCHES)
EFFORTS = ("full", "quick")
#: What `--config` understands as yes and no; Snakemake hands over `yes` as a text.
_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True} | {
    "false": False, "no": False, "off": False, "0": False, "none": False,
}  # fmt: skip
#: Targets that need no plan, so they work where an experiment file or an engine does not.
UNPLANNED = ("containers", "lock_images", "lock_packages", "doctor")
IMAGES = "containers/images/"
#: Pages of two experiments as they are on the disk.
COMPARISONS = f"{RELATIVE.reports.comparisons}/"


@dataclass(frozen=True, slots=True)
class Request:
    """The experiments and papers named, and how to treat them.

    `experiments` is empty when the command line names none: then the defaults are meant, unless
    nothing is to be planned (`unplanned`). `machine` is the one for all experiments, and
    `search_path` holds folders with more experiments and groups. `run` names the run, and `quick`
    asks for each experiment's short form.
    """

    experiments: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    defaults: bool = False
    all_papers: bool = False
    everything: bool = False
    unplanned: bool = False
    machine: str | None = None
    overrides: tuple[str, ...] = ()
    search_path: tuple[Path, ...] = ()
    run: str | None = None
    quick: bool = False
    retry_failed: bool = False
    retry_flagged: bool = False
    partial: bool = False
    strict: bool = False
    #: Whether an expectation that is missed or void makes the run a failure.
    strict_expectations: bool = False
    #: An archive whose results count as finished.
    archive: Path | None = None
    #: What goes into archives that are written.
    wheels: bool = False
    anonymous: bool = False

    @property
    def again(self) -> tuple[Again, ...]:
        """The outcomes whose points shall have another attempt."""
        failed: tuple[Again, ...] = ("failed",) if self.retry_failed else ()
        return (*failed, "flagged") if self.retry_flagged else failed


def read_request(config: Mapping[str, object], targets: Sequence[str]) -> Request:
    """The request of `--config` values and command-line arguments.

    Raises ValueError for a `--config` key that weft does not have, and for a value it cannot be.
    """
    unknown = sorted(set(config) - set(KEYS))
    if unknown:
        raise ValueError(f"--config {unknown[0]}: unknown; allowed: {', '.join(KEYS)}")
    switches = {name: _switch(name, config.get(name)) for name in SWITCHES}
    named = [_report_name(target) for target in targets]
    reports = [name for name in named if name and name != INDEX]
    experiments = [name for name in reports if not name.startswith(PAPER)]
    machine = _tuned_machine(targets, str(config.get("machine") or "") or None)
    if any(map(_is_tuning, targets)):
        experiments.append(TUNING)
    others = {*targets} & {"all", "papers", "plan"} or named.count(None) < len(named)
    return Request(
        experiments=tuple(dict.fromkeys([*_names(config.get("experiments")), *experiments])),
        papers=tuple(n.removeprefix(PAPER) for n in reports if n.startswith(PAPER)),
        defaults="all" in targets,
        all_papers="papers" in targets,
        everything="plan" in targets and not config.get("experiments"),
        unplanned=not (others or experiments) and any(map(_needs_no_plan, targets)),
        machine=machine,
        overrides=split_texts(config.get("overrides")),
        search_path=tuple(map(Path, _names(config.get("search_path")))),
        run=str(config["run"]) if config.get("run") is not None else None,
        quick=_effort(config.get("effort")) == "quick",
        archive=Path(str(config[FROM])) if config.get(FROM) else None,
        **switches,
    )


def _switch(name: str, value: object) -> bool:
    found = _BOOLEANS.get(str(value).lower())
    if found is None:
        raise ValueError(f"--config {name}={value}: write {name}=true or {name}=false")
    return found


def _effort(value: object) -> str:
    if value is not None and value not in EFFORTS:
        raise ValueError(f"--config effort={value}: write effort=quick or effort=full")
    return str(value or "full")


def _needs_no_plan(target: str) -> bool:
    return target in UNPLANNED or target.startswith((IMAGES, COMPARISONS))


def _is_tuning(target: str) -> bool:
    return Path(target).parent == Path(TUNING) and Path(target).suffix == ".yaml"


def _tuned_machine(targets: Sequence[str], given: str | None) -> str | None:
    """The machine whose switch points are asked for, else the one that is `given`."""
    tuned = {Path(target).stem for target in targets if _is_tuning(target)}
    if len({*tuned, given} - {None}) > 1 and tuned:
        raise ValueError("a command writes the switch points of one machine: tuning/<machine>.yaml")
    return tuned.pop() if tuned else given


def _report_name(target: str) -> str | None:
    """`x` for `reports/x.html`, `archives/x.zip` and anything in `results/x/`."""
    return RELATIVE.named(Path(target))


def _names(value: object) -> tuple[str, ...]:
    """A list, or one name alone; Snakemake hands over either."""
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        return (str(value),)
    return tuple(str(each) for each in value)

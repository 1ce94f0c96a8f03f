"""Everything that goes into an archive, by its path there."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from weft import __version__
from weft.archive.contents import CRATE, FIGURES, HEAD, WHEELS, ArchiveHead
from weft.archive.crate import Described, crate_text
from weft.archive.facts import RunFacts, run_facts
from weft.archive.figures import figure_data
from weft.archive.redact import without_folders
from weft.archive.results import asked_files, result_files, runs_tables, with_compared
from weft.archive.write import Content
from weft.config.model.figure import Figure
from weft.files.layout import CLONE, LOG, PACKAGE, PAPER, ExperimentFolder, Layout
from weft.plan.plan import Plan
from weft.plan.stored import read_plan
from weft.plan.variant import base_name

PROVENANCE, REQUIREMENTS = "provenance.json", "requirements.txt"
#: What stands in the root of an archive as in the clone.
_AS_IN_CLONE = ("Snakefile", "LICENSE", "CITATION.cff", "containers/images.lock")
_OF_CONFIGS = ("config.yaml", "catalogue.json", "report/metrics.yaml")
_INSIDE = PACKAGE / "archive" / "inside"


@dataclass(frozen=True, slots=True)
class Packed:
    """What is asked for: a page, the plans behind it, and the files that these are composed of.

    Page and results lie in `made`: the `project`, or a copy without names. `wheels` are those of
    the report's environment, if they shall come in.
    """

    page: str
    plans: Sequence[Path]
    sources: Sequence[Path]
    project: Layout
    made: Layout
    wheels: Sequence[Path] = ()
    anonymous: bool = False


def archive_files(asked: Packed) -> dict[str, Content]:
    """The files of an archive.

    Raises ValueError for a damaged shard, and where the page has no figure.
    """
    folders = with_compared([ExperimentFolder.of_plan(path) for path in asked.plans])
    plans = [read_plan(folder.plan) for folder in folders]
    facts = facts_of_runs(plans, folders)
    page = asked.made.reports.page(asked.page)
    figures = figure_data(page.read_text())
    files: dict[str, Content] = {
        **dict(_results(plans, folders, asked)),
        **dict(_configs(plans, asked)),
        **dict(_code()),
        **{f"{FIGURES}/{name}.csv": text.encode() for name, text in figures.items()},
        **{f"{WHEELS}/{path.name}": path for path in asked.wheels},
        f"{asked.made.reports.path.name}/{page.name}": page,
        REQUIREMENTS: CLONE / "envs" / "report.txt",
        PROVENANCE: facts.text().encode(),
    }
    files[HEAD] = archive_head(asked).text().encode()
    files["Makefile"] = _INSIDE / "Makefile"
    files["README.md"] = _readme(asked, plans, facts).encode()
    described = Described(asked.page, plans, facts, sorted(files))
    return {**files, CRATE: crate_text(described).encode()}


def facts_of_runs(plans: Iterable[Plan], folders: Iterable[ExperimentFolder]) -> RunFacts:
    """The engines, images and machines that computed `plans`, whose results lie in `folders`."""
    return run_facts(
        table for each in zip(plans, folders, strict=True) for table in runs_tables(*each)
    )


def archive_head(asked: Packed) -> ArchiveHead:
    """What the archive says of itself."""
    folders = with_compared([ExperimentFolder.of_plan(path) for path in asked.plans])
    names = tuple(folder.name for folder in folders)
    return ArchiveHead(
        page=asked.page,
        experiments=names[: len(asked.plans)],
        beside=names[len(asked.plans) :],
        weft=__version__,
        python=".".join(platform.python_version_tuple()[:2]),
        anonymous=asked.anonymous,
    )


def _results(
    plans: Sequence[Plan], folders: Sequence[ExperimentFolder], asked: Packed
) -> Iterator[tuple[str, Content]]:
    root, made = asked.project.root.absolute(), asked.made.root.absolute()
    for plan, folder in zip(plans, folders, strict=True):
        for path in result_files(plan, folder):
            name = path.relative_to(made).as_posix()
            if path.name == LOG:
                yield name, without_folders(path.read_text(errors="replace"), root).encode()
            else:
                yield name, path


def _configs(plans: Sequence[Plan], asked: Packed) -> Iterator[tuple[str, Content]]:
    configs, root = asked.project.configs, asked.project.root.absolute()
    place = configs.name
    for source in asked.sources:
        path = source.absolute()
        if asked.anonymous and path.parent.name == "machine":
            continue
        # Folders of a search path are built like the tree.
        inside = path.is_relative_to(root / place)
        below = path.relative_to(root / place) if inside else Path(*path.parts[-2:])
        yield f"{place}/{below.as_posix()}", path
    named = [
        *_OF_CONFIGS,
        *(f"engine/{name}.yaml" for plan in plans for name in plan.points.engines),
    ]
    papers = {paper for plan in plans for paper in _papers(plan)}
    if asked.page.startswith(PAPER):
        papers.add(base_name(asked.page.removeprefix(PAPER)))
    for paper in sorted(papers):
        named.append(f"paper/{paper}.yaml")
        named += [
            path.relative_to(configs).as_posix()
            for path in sorted((configs / "paper" / paper).glob("*.csv"))
        ]
    yield from ((f"{place}/{name}", configs / name) for name in named if (configs / name).is_file())
    # The folder above that of an experiment, in which its files are looked for, too.
    folders = {path.absolute().parent for path in asked.sources}
    trees = {
        folder.resolve().parent
        for folder in folders
        if folder.name == "experiment" and not folder.is_relative_to(root / place)
    }
    for plan in plans:
        yield from asked_files(plan, asked.project.root, sorted(trees))


def _papers(plan: Plan) -> Iterator[str]:
    """The papers whose numbers a page shows."""
    report = plan.report
    if report.paper:
        yield report.paper
    figures: Sequence[Figure] = report.figures
    yield from (reference.partition("/")[0] for each in figures for reference in each.overlaid)


def _code() -> Iterator[tuple[str, Content]]:
    """The workflow: the part that makes database and page, and how the rest was run."""
    for name in _AS_IN_CLONE:
        if (CLONE / name).is_file():
            yield name, CLONE / name
    for path in sorted(PACKAGE.parent.rglob("*")):
        below = path.relative_to(CLONE)
        built = any(part == "__pycache__" or part.endswith(".egg-info") for part in below.parts)
        if path.is_file() and not built:
            yield below.as_posix(), path


def _readme(asked: Packed, plans: Sequence[Plan], facts: RunFacts) -> str:
    values: Mapping[str, str] = {
        "page": asked.page,
        "questions": "\n".join(f"- {plan.title}: {plan.question}" for plan in plans),
        "weft": __version__,
        "python": platform.python_version(),
        "engines": ", ".join(f"{each['engine']} {each['version']}" for each in facts.engines),
        "wheels": (
            "The packages lie in `wheels/`, so it needs no network, but a Linux and a Python like"
            " those that packed them."
            if asked.wheels
            else "It downloads the packages of `requirements.txt`, whose checksums are in there."
        ),
    }
    return Template((_INSIDE / "README.md").read_text()).substitute(values)

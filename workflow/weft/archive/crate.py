"""An archive described as a Workflow Run RO-Crate: `ro-crate-metadata.json`.

The profile is https://w3id.org/ro/wfrun/workflow: one run of a workflow, with what went in and what
came out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from mimetypes import guess_type

from rocrate.model import ContextEntity, DataEntity
from rocrate.rocrate import ROCrate

from weft import __version__
from weft.archive.contents import FIGURES
from weft.archive.facts import RunFacts
from weft.plan.plan import Plan

#: The version of RO-Crate on which the profiles build.
_CRATE = "1.1"
_PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
)
#: What the entity of the workflow itself follows.
_BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
_WORKFLOW = "Snakefile"
#: Folders that are one entity each, with what is in them; files in others have their own.
_FOLDERS = {
    "results": "Tables, plans, journals and logs of the run",
    "workflow": "The rules of the workflow and the package weft",
    "configs/engine": "Declarations of the engines",
    "wheels": "The packages that make the page",
}
_TYPES = {".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml",
          ".cff": "application/yaml", ".md": "text/markdown", ".jsonl": "application/jsonl",
          ".csv": "text/csv"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Described:
    """What the metadata say: the page, the plans behind it, what ran, and all files."""

    page: str
    plans: Sequence[Plan]
    facts: RunFacts
    files: Sequence[str]


def crate_text(described: Described) -> str:
    """The metadata as JSON-LD; the same for the same archive."""
    crate = ROCrate(version=_CRATE)
    first = described.plans[0]
    several = len(described.plans) > 1
    crate.name = f"{described.page}: {first.title}" if several else first.title
    crate.description = " ".join(plan.question for plan in described.plans)
    crate.datePublished = described.facts.ended.isoformat(timespec="seconds")
    workflow = crate.add_workflow(
        dest_path=_WORKFLOW,
        main=True,
        lang="snakemake",
        properties={
            "name": "weft",
            "description": "Plans experiments, computes or measures them, and makes pages",
            "version": __version__,
            "license": "https://spdx.org/licenses/Apache-2.0",
            "encodingFormat": "text/plain",
        },
    )
    workflow["conformsTo"] = crate.add(ContextEntity(crate, _BIOSCHEMAS, _profile(_BIOSCHEMAS)))
    entities = _entities(crate, described.files)
    crate.license = entities["LICENSE"]
    entities["README.md"]["about"] = crate.root_dataset
    _add_run(crate, described, workflow, entities)
    crate.root_dataset["conformsTo"] = [
        crate.add(ContextEntity(crate, uri, _profile(uri))) for uri in _PROFILES
    ]
    content = crate.metadata.generate()
    content["@graph"].sort(key=lambda entity: str(entity["@id"]))
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _profile(uri: str) -> dict[str, str]:
    name, _, version = uri.rpartition("/")
    return {"@type": "CreativeWork", "name": name.rpartition("/")[2], "version": version}


def _entities(crate: ROCrate, files: Sequence[str]) -> dict[str, DataEntity]:
    """An entity for each folder of `_FOLDERS` that is there, and for each file elsewhere."""
    found: dict[str, DataEntity] = {}
    for path in files:
        folder = next((each for each in _FOLDERS if path.startswith(f"{each}/")), None)
        if folder is not None:
            if folder not in found:
                about = {"name": folder, "description": _FOLDERS[folder]}
                found[folder] = crate.add_dataset(dest_path=f"{folder}/", properties=about)
        elif path != _WORKFLOW:
            properties = {"name": path.rpartition("/")[2], "encodingFormat": _media_type(path)}
            found[path] = crate.add_file(dest_path=path, properties=properties)
    return found


def _media_type(path: str) -> str:
    ending = f".{path.rpartition('.')[2]}"
    return _TYPES.get(ending) or guess_type(path)[0] or "text/plain"


def _add_run(
    crate: ROCrate, described: Described, workflow: DataEntity, entities: dict[str, DataEntity]
) -> None:
    """The run: its instrument, what went in and what came out."""
    facts = described.facts
    engines = "; ".join(f"{each['engine']} {each['version']}" for each in facts.engines)
    results = ("reports/", "results", f"{FIGURES}/", "provenance.json")
    action = ContextEntity(
        crate,
        "#run",
        {
            "@type": "CreateAction",
            "name": f"The run behind {described.page}",
            "description": engines or "nothing was computed",
            "startTime": facts.started.isoformat(timespec="seconds"),
            "endTime": facts.ended.isoformat(timespec="seconds"),
            "actionStatus": "http://schema.org/CompletedActionStatus",
        },
    )
    crate.add(action)
    action["instrument"] = workflow
    action["object"] = [entities[path] for path in entities if path.startswith("configs/")]
    action["result"] = [entities[path] for path in entities if path.startswith(results)]
    crate.root_dataset["mentions"] = action

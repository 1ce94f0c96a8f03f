"""Which points may ask for which side tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from weft.config.model.declaration import EngineFile, Refusal
from weft.tables.declared import DECLARED


def with_table_rules(file: EngineFile) -> EngineFile:
    """The declaration of an engine, which also refuses tables of other kinds of workload, and those
    of one message size where there are several."""
    if "tables" not in file.options:
        return file
    return file.model_copy(update={"refuses": [*file.refuses, *_refusals(file)]})


def table_kinds(file: EngineFile) -> Mapping[str, Collection[str]]:
    """The tables of an engine, with the kinds of workload whose points may have them."""
    if isinstance(file.side_tables, dict):
        return file.side_tables
    return dict.fromkeys(file.side_tables, file.answers)


def _refusals(file: EngineFile) -> Iterator[Refusal]:
    for name, kinds in table_kinds(file).items():
        table = DECLARED.get(name)
        if table is None or table.beside:
            continue
        asked = f"options.tables contains {name}"
        if table.has_one_size:
            several = "workload.kind != program and number of workload.message_bytes > 1"
            yield Refusal(
                when=f"{several} and {asked}",
                because=f"table {name} needs exactly one message_size",
            )
        if lacking := [kind for kind in file.answers if kind not in kinds]:
            kind = "workload kind" if len(kinds) == 1 else "workload kinds"
            yield Refusal(
                when=f"workload.kind in [{', '.join(lacking)}] and {asked}",
                because=f"table {name} is for the {kind} {' and '.join(kinds)}",
            )

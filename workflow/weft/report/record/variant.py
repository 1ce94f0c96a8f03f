"""What the page of a variant says at its top: that it is one, and of what."""

from __future__ import annotations

from dataclasses import dataclass

from weft.plan.variant import AT, base_name, is_of_machine, read_changes
from weft.report.data.source import Study


@dataclass(frozen=True, slots=True)
class VariantNote:
    """The experiment as written, the changes in words, and whether it is the short form."""

    base: str
    run: str | None
    quick: bool
    overrides: tuple[str, ...]

    @property
    def short_form_missing(self) -> bool:
        """Whether a short form was asked for, and the experiment has none."""
        return self.quick and not self.overrides and self.run is None


def variant_note(study: Study) -> VariantNote | None:
    """None for an experiment as it is written."""
    if AT not in study.plan.experiment:
        return None
    changes = read_changes(study.plan_path.parent)
    return VariantNote(
        base=base_name(study.plan.experiment),
        run=changes.run if changes else None,
        quick=bool(changes and changes.quick),
        overrides=tuple(text for text in study.plan.overrides if not is_of_machine(text)),
    )

"""A figure of a report as an Altair chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weft.read.errors import ReadError
from weft.read.project import Project
from weft.report.draw.drawing import VegaLite

if TYPE_CHECKING:
    import altair as alt

#: Width of a panel; on a page it is the reader's window that decides.
WIDTH = 560
#: Colour of text and axes, which on a page follow its theme.
INK = "black"
#: What a panel must not have within a chart of several.
WHOLE = ("$schema", "config")
#: Each panel keeps its own look, as on a page; one with a shared colour would get a second legend.
APART = dict.fromkeys(("color", "fill", "shape", "strokeDash"), "independent")


def figure(
    experiment: str, number: int = 0, project: Project | Path | str | None = None
) -> alt.Chart | alt.VConcatChart:
    """The figure with this `number`, from 0 on, of the experiment's report.

    Panels come below each other. The chart can be changed and saved like any of Altair's. Raises
    ReadError when the experiment has not been run, has fewer figures, or the figure is a table.
    """
    # Only drawing needs Altair: who reads a table need not wait until it is loaded.
    import altair as alt

    from weft.report.data.figures import study_figures
    from weft.report.data.source import open_study
    from weft.report.draw.palette import Palette
    from weft.report.html.drawings import figure_drawing, title

    place = project if isinstance(project, Project) else Project.find(project)
    if not place.database.exists():
        raise ReadError(f"{place.database} does not exist: nothing has been run here yet")
    with open_study(place.plan(experiment), place.database, place.configs) as study:
        figures = study_figures(study)
        if number not in range(len(figures)):
            raise ReadError(f"'{experiment}' has figures 0 to {len(figures) - 1}, not {number!r}")
        figure = figures[number]
        drawing = figure_drawing(study, figure, "figure", title(study, figure), Palette())
    if not drawing.panels:
        reason = "it is a table: use answers()" if drawing.table else " ".join(drawing.notes)
        raise ReadError(f"figure {number} of '{experiment}' has no chart: {reason}")
    specs = [_alone(panel.spec, panel.name or drawing.title) for panel in drawing.panels]
    if len(specs) == 1:
        return alt.Chart.from_dict(specs[0])
    return alt.VConcatChart.from_dict(_below_each_other(specs))


def _alone(spec: VegaLite, title: str) -> VegaLite:
    """A panel's specification without what only a page gives it: width and the colour of text."""
    kept = {key: value for key, value in spec.items() if key not in ("autosize", "padding")}
    config = {key: value for key, value in spec["config"].items() if value is not None}
    found = _coloured({**kept, "config": config, "width": WIDTH, "title": title})
    assert isinstance(found, dict)
    return found


def _below_each_other(specs: Sequence[VegaLite]) -> VegaLite:
    """One specification; what belongs to a whole one stands once, and panels have scales apart."""
    shared = {name: specs[0][name] for name in WHOLE if name in specs[0]}
    panels = [{k: v for k, v in spec.items() if k not in WHOLE} for spec in specs]
    return {**shared, "vconcat": panels, "resolve": {"scale": APART}}


def _coloured(value: object) -> object:
    from weft.report.draw.series_looks import FILTER

    if isinstance(value, Mapping):
        # A legend that filters is the page's: Altair names selections of joined charts anew.
        return {key: _coloured(each) for key, each in value.items() if key != "params"}
    if isinstance(value, list):
        return [_coloured(each) for each in value if each != {"filter": {"param": FILTER}}]
    return INK if value == "currentColor" else value

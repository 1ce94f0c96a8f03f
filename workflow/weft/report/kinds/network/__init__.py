"""Pictures of the network: routers and links, coloured by how busy the links were."""

from __future__ import annotations

from weft.config.model.figures import NetworkPicture
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.kinds.network.charts import network_charts
from weft.report.kinds.network.rows import NetworkRows, network_rows

_TITLES = {
    "utilisation": "Utilisation of links",
    "blocked": "Where packets waited",
    "shared": "Links on which jobs meet",
}


def _title(_study: Study, figure: NetworkPicture) -> str:
    return f"{_TITLES[figure.of]} in the network"


def _charts(data: NetworkRows, _: Palette) -> list[Chart]:
    return network_charts(data)


KIND = Kind(NetworkPicture, network_rows, _title, _charts)

"""Small topologies of every kind but those from files, as experiments write them: those that the
catalogue names."""

from weft.config.model.catalogue import CATALOGUE, TopologyEntry


def _keys(entry: TopologyEntry) -> str:
    example = next(each for each in entry.examples if each.nodes >= 4)
    return ", ".join(f"{key}: {value}" for key, value in example.keys.items())


#: Keys by kind.
TOPOLOGIES = {entry.kind: _keys(entry) for entry in CATALOGUE.topologies if entry.examples}
#: Routings by kind, where there is a choice.
ROUTINGS = {
    entry.kind: [routing.name for routing in entry.routings]
    for entry in CATALOGUE.topologies
    if entry.has_routing_key and entry.examples
}

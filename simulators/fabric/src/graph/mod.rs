//! A graph of one's own: any nodes, switches and channels, read from a file.
//!
//! Routes follow from the graph by a rule, or the file gives them. Computed routes are stored by
//! destination switch, each when it is first needed.

mod balanced;
mod distances;
mod export;
mod failures;
mod file;
mod flow;
mod given;
mod layers;
mod made;
mod minimal;
mod rows;
mod shape;
mod shared;
mod steps;
mod table;
mod virtual_layers;
mod waits;
mod wired;
mod wires;

use crate::about::{About, Default, Key, Routing};
use crate::channels::Topology;
use crate::{Channel, End, FabricError, MOST_CLASSES};
use serde::Deserialize;
use shared::{Shared, Ways};
use std::sync::Arc;

pub use failures::FailedSpec;
pub use flow::Flow;
pub(crate) use made::Ruled;
use virtual_layers::VirtualLayers;

pub(crate) const ABOUT: About = About {
    kind: "graph",
    meaning: "A network of your own: nodes, switches and links from a file.",
    keys: &[
        Key::file("file", "The file that lists the links; path from the project."),
        Key::texts(
            "node_names",
            "Patterns of the names of nodes, like `cn*`. Without them the file decides; if it \
             does not, each name with a single link is a node.",
        )
        .or(Default::Nothing),
        Key::integer(
            "nodes_per_switch",
            1,
            "Nodes at each switch, if all names of the file are switches; replaces `node_names`.",
        )
        .or(Default::Nothing),
        Key::routing(
            "shortest",
            "Which path packets take: a shortest one (`shortest`), one that balances the load \
             (`layered`), one towards a root and away from it (`up_down`), the one in the file \
             (`table`), or any shortest one, chosen by a hash of both nodes and the message (`ecmp`) or of \
             both nodes alone (`ecmp_pair`), at random (`spray`) or by credits (`adaptive`).",
        ),
        Key::file(
            "routes",
            "For `table`: the file with the routes, a table (`.csv`) or what `dump_fts` prints; path from \
             the project.",
        )
        .or(Default::Nothing),
        Key::text(
            "root",
            "For `up_down`: the name of the switch at the top; unless given, the switch whose \
             distance to the farthest switch is smallest.",
        )
        .or(Default::Nothing),
        Key::choice(
            "rails",
            &["round_robin", "hash"],
            "round_robin",
            "Where nodes have several links: whether their messages take these in turn (`round_robin`), or as \
             a hash of both nodes and the message's number decides (`hash`).",
        )
        .unsaid(),
    ],
    nodes: "nodes",
    routings: &[
        Routing::new("shortest", "a shortest path; the seed chooses among several"),
        Routing::new("layered", "a shortest path over channels that few pairs of nodes use"),
        Routing::new("up_down", "the shortest path towards the root and then away from it"),
        Routing::new("table", "as the file says"),
        Routing::new(
            "ecmp",
            "a shortest path, chosen at every switch by a hash of both nodes and the message's number",
        )
        .by_message(),
        Routing::new("ecmp_pair", "a shortest path, chosen at every switch by a hash of both nodes"),
        Routing::new("spray", "a shortest path, chosen at every switch at random")
            .decides_on_the_way(),
        Routing::new("adaptive", "a shortest path; of two random channels the one with more credits")
            .decides_on_the_way(),
    ],
    ring_classes: &[],
    per_destination: false,
    classes: &[],
    tapered: &[],
    examples: &[],
};
const BECAUSE: &str = "one for each virtual layer; the routes of a layer cannot deadlock";
const BY_STEP: &str =
    "one for each channel of the longest path; a packet takes the next class with each channel";

/// How packets find their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum GraphRouting {
    #[default]
    Shortest,
    /// Shortest ways that share the load.
    Layered,
    UpDown,
    Table,
    /// Shortest ways by a hash of both nodes and the message.
    Ecmp,
    /// Shortest ways by a hash of both nodes.
    EcmpPair,
    /// Shortest ways at random.
    Spray,
    /// Shortest ways by credits.
    Adaptive,
}

/// A network that a file describes.
#[derive(Debug, Clone)]
pub struct Graph {
    shared: Arc<Shared>,
}

impl Topology for Graph {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn exists(&self, channel: Channel) -> bool {
        let hop = channel.checked_sub(2 * self.nodes());
        hop.is_none_or(|hop| self.shared.wires.carries(hop))
    }

    fn chosen(&self) -> &'static Routing {
        &ABOUT.routings[self.shared.routing as usize]
    }

    fn vc_classes(&self) -> Result<(u16, &'static str), FabricError> {
        let wires = &self.shared.wires;
        let classes = match &self.shared.ways {
            Ways::Given { table, classes } => {
                let circle = table.circle(wires).map_err(|e| self.wrong(e))?;
                if !circle.is_empty() {
                    let names: Vec<String> = circle
                        .iter()
                        .map(|(hop, class)| format!("{} (class {class})", wires.name(*hop)))
                        .collect();
                    let names = names.join(", ");
                    return Err(self.wrong(format!(
                        "its routes can deadlock: each of these channels waits for the next, and the \
                         last for the first: {names}"
                    )));
                }
                *classes
            }
            // Nothing goes up again, so no circle can close.
            Ways::Computed(_) if self.shared.routing == GraphRouting::UpDown => 1,
            Ways::Computed(_) => self.layers()?.count(),
            Ways::Every(minimal) => minimal.facts(wires).map_err(|e| self.wrong(e))?.classes(),
        };
        let because = if matches!(self.shared.ways, Ways::Every(_)) { BY_STEP } else { BECAUSE };
        if classes > MOST_CLASSES {
            return Err(self.wrong(format!(
                "its routes need {classes} classes of virtual channels, must be at most {MOST_CLASSES}; routing \
                 up_down needs one"
            )));
        }
        Ok((classes, because))
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        self.shared.origin.as_ref()?.digit_sizes.clone()
    }

    fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        let nodes = self.nodes();
        let ends = (path.first().copied(), path.last().map(|last| last - nodes));
        let (Some(src), Some(dst)) = ends else { return vec![] };
        let without_classes = match &self.shared.ways {
            Ways::Every(minimal) => minimal.facts(&self.shared.wires).is_err(),
            _ => self.has_layers() && self.layers().is_err(),
        };
        if without_classes {
            return vec![0; path.len()];
        }
        let mut classes = vec![0; path.len()];
        let behind_injection = &mut classes[1..];
        self.walk(Flow::first(src, dst), |at, _, class| behind_injection[at] = class);
        classes
    }
}

impl Graph {
    /// The name of a node or switch.
    pub(crate) fn end_name(&self, end: End) -> &str {
        let wires = &self.shared.wires;
        match end {
            End::Node(node) => &wires.node_names[node as usize],
            End::Router(router) => &wires.switch_names[router as usize],
        }
    }

    fn wrong(&self, problem: String) -> FabricError {
        FabricError::Graph { file: self.shared.file.clone(), problem }
    }

    /// Whether routes are divided into virtual layers, where that is needed.
    fn has_layers(&self) -> bool {
        matches!(self.shared.routing, GraphRouting::Shortest | GraphRouting::Layered)
    }

    fn layers(&self) -> Result<&VirtualLayers, FabricError> {
        let shared = &self.shared;
        let computed = || match &shared.ways {
            Ways::Computed(rows) => VirtualLayers::new(&shared.wires, rows),
            Ways::Given { .. } | Ways::Every(_) => Ok(VirtualLayers::default()),
        };
        shared.layers.get_or_init(computed).as_ref().map_err(|e| self.wrong(e.clone()))
    }
}

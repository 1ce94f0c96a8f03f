//! What all copies of a graph share.

use super::GraphRouting;
use super::distances;
use super::file::RouteColumns;
use super::minimal::Minimal;
use super::rows::{Rows, Rule};
use super::table::Table;
use super::virtual_layers::VirtualLayers;
use super::wires::Wires;
use crate::{About, Rails};
use std::sync::OnceLock;

/// Most output ports that routes store which depend on all routes before them: 1 or 2 GiB.
const MOST_STORED: u64 = 1 << 30;

#[derive(Debug)]
pub(super) enum Ways {
    Computed(Rows),
    Given {
        table: Table,
        classes: u16,
    },
    /// All shortest ways.
    Every(Minimal),
}

/// What a graph keeps of the topology that it is of.
#[derive(Debug)]
pub(super) struct Origin {
    pub about: &'static About,
    pub digit_sizes: Option<Vec<u32>>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub wires: Wires,
    pub ways: Ways,
    pub routing: GraphRouting,
    /// An upper bound of the channels between switches of a route.
    pub longest: usize,
    pub layers: OnceLock<Result<VirtualLayers, String>>,
    /// The file, for messages.
    pub file: String,
    /// The topology that this graph is of, if a spec names one instead of a file.
    pub origin: Option<Origin>,
    /// Where nodes have several links.
    pub rails: Option<Rails>,
}

impl Shared {
    pub fn new(
        wires: Wires,
        routes: Option<RouteColumns>,
        routing: GraphRouting,
        root: Option<&str>,
        seed: u64,
        file: String,
    ) -> Result<Self, String> {
        let (ways, longest) = match (routing, routes) {
            (GraphRouting::Table, Some(columns)) => {
                let (table, facts) = Table::new(columns, &wires)?;
                (Ways::Given { table, classes: facts.classes }, facts.longest)
            }
            (GraphRouting::Table, None) => {
                return Err("routing table needs the key routes in the file".into());
            }
            (GraphRouting::Shortest, _) => {
                let longest = distances::longest(&wires, None)?;
                (Ways::Computed(Rows::new(&wires, Rule::Shortest, seed)), longest)
            }
            (
                GraphRouting::Ecmp
                | GraphRouting::EcmpPair
                | GraphRouting::Spray
                | GraphRouting::Adaptive,
                _,
            ) => {
                let longest = distances::longest(&wires, None)?;
                (Ways::Every(Minimal::new(&wires, seed)), longest)
            }
            (GraphRouting::Layered, _) => {
                check_stored(&wires)?;
                let longest = distances::longest(&wires, None)?;
                (Ways::Computed(Rows::balanced(&wires, seed)), longest)
            }
            (GraphRouting::UpDown, _) => {
                distances::check_both_ways(&wires)?;
                distances::longest(&wires, None)?;
                let root = match root {
                    Some(name) => wires.switch(name)?,
                    None => distances::centre(&wires),
                };
                let longest = distances::longest(&wires, Some(root))?;
                (Ways::Computed(Rows::new(&wires, Rule::up_down(&wires, root), seed)), longest)
            }
        };
        let layers = OnceLock::new();
        Ok(Self { wires, ways, routing, longest, layers, file, origin: None, rails: None })
    }
}

/// Routes that share the load are all computed at once, so all of them are stored.
fn check_stored(wires: &Wires) -> Result<(), String> {
    let (switches, targets) = (u64::from(wires.switches()), wires.destinations().len() as u64);
    if switches * targets <= MOST_STORED {
        return Ok(());
    }
    Err(format!(
        "it has {switches} switches, and nodes at {targets} of them; routing layered stores a port of each \
         switch towards each of those, at most {MOST_STORED}, so take routing shortest or up_down"
    ))
}

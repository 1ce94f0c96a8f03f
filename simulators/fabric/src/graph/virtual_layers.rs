//! The virtual layer of each pair of switches.

use super::layers;
use super::rows::Rows;
use super::wires::Wires;

/// Most pairs of switches whose routes are followed.
const MOST_PAIRS: u64 = 1 << 28;

/// By source switch and destination switch of nodes.
#[derive(Debug, Default)]
pub(super) struct VirtualLayers {
    /// Empty where one layer is enough.
    layers: Vec<u8>,
    /// Per switch: its place among those that nodes send to, or receive from.
    sources: Vec<u32>,
    destinations: Vec<u32>,
    columns: u32,
    highest: u8,
}

impl VirtualLayers {
    pub fn new(wires: &Wires, rows: &Rows) -> Result<Self, String> {
        let (from, to) = (wires.sources(), wires.destinations());
        let pairs = from.len() as u64 * to.len() as u64;
        if pairs > MOST_PAIRS {
            return Err(format!(
                "nodes are at {} switches; virtual layers are for at most {MOST_PAIRS} pairs of \
                 switches, so take routing up_down with a root, which needs none",
                from.len()
            ));
        }
        let follow = |number: u32, path: &mut Vec<u32>| {
            let columns = to.len() as u32;
            let mut at = from[(number / columns) as usize];
            let (target, mut phase) = (to[(number % columns) as usize], 0);
            while at != target {
                let Some(port) = rows.port(wires, (at, phase), target) else { return };
                let hop = wires.lead(at, port);
                path.push(hop);
                (at, phase) = (wires.hops[hop as usize].to, rows.phase_behind(hop));
            }
        };
        let mut layers = layers::assign(pairs as u32, wires.hops.len(), &follow)?;
        let highest = layers.iter().copied().max().unwrap_or(0);
        if highest == 0 {
            layers.clear();
        }
        let places = |switches: &[u32]| {
            let mut found = vec![0; wires.switches() as usize];
            switches.iter().enumerate().for_each(|(at, &s)| found[s as usize] = at as u32);
            found
        };
        let (sources, destinations) = (places(&from), places(&to));
        Ok(Self { layers, sources, destinations, columns: to.len() as u32, highest })
    }

    pub fn count(&self) -> u16 {
        u16::from(self.highest) + 1
    }

    /// The layer of packets from one switch to another.
    #[inline]
    pub fn of(&self, source: u32, destination: u32) -> u8 {
        if self.layers.is_empty() {
            return 0;
        }
        let row = self.sources[source as usize] as usize * self.columns as usize;
        self.layers[row + self.destinations[destination as usize] as usize]
    }
}

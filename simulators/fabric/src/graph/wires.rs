//! Nodes, switches and channels of a graph, in the form in which routes read them.

use super::file::GraphFile;
use super::given::{self, GivenLink};
use std::collections::HashMap;

/// A port without a channel.
pub(super) const NOTHING: u32 = u32::MAX;

/// A port of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub switch: u32,
    pub port: u32,
}

/// A channel between two switches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hop {
    pub from: u32,
    pub from_port: u32,
    pub to: u32,
    pub to_port: u32,
}

impl Hop {
    /// Stands for a number that no channel has.
    pub const NONE: Self = Self { from: NOTHING, from_port: 0, to: NOTHING, to_port: 0 };

    pub fn exists(&self) -> bool {
        self.from != NOTHING
    }
}

#[derive(Debug)]
pub(super) struct Wires {
    pub node_names: Vec<String>,
    pub switch_names: Vec<String>,
    /// Where the channel of each node ends, and where the channel to it begins.
    pub injection: Vec<Place>,
    pub ejection: Vec<Place>,
    /// Channels between switches, in the order of the file.
    pub hops: Vec<Hop>,
    /// Number of the first port of each switch, then the number of all ports.
    first_port: Vec<u32>,
    /// Per port of all switches: the hop that begins there, or [`NOTHING`].
    leads: Vec<u32>,
    /// The hops that end at each switch, one switch after the other.
    first_into: Vec<u32>,
    into: Vec<u32>,
    /// Per hop: whether it failed; empty where none did.
    pub failed: Vec<bool>,
    classes: Vec<String>,
    class_of: Vec<u16>,
    names: Vec<String>,
    /// Per channel of the fabric a place in `links`; empty where the file gives none.
    pub link_of: Vec<u16>,
    pub links: Vec<GivenLink>,
}

impl Wires {
    pub fn new(
        file: &GraphFile,
        injection: Vec<Place>,
        ejection: Vec<Place>,
        hops: Vec<Hop>,
        origins: &[Option<u32>],
    ) -> Result<Self, String> {
        let switches = file.switches.len();
        let mut counts = vec![0; switches];
        let there = hops.iter().filter(|hop| hop.exists());
        let ends = there.flat_map(|hop| [(hop.from, hop.from_port), (hop.to, hop.to_port)]);
        let places = injection.iter().chain(&ejection).map(|place| (place.switch, place.port));
        for (switch, port) in ends.chain(places) {
            let count: &mut u32 = &mut counts[switch as usize];
            *count = (*count).max(port + 1);
        }
        let mut first_port = vec![0; switches + 1];
        for (switch, count) in counts.iter().enumerate() {
            first_port[switch + 1] = first_port[switch] + count;
        }
        let mut wires = Self {
            node_names: file.nodes.clone(),
            switch_names: file.switches.clone(),
            leads: vec![NOTHING; first_port[switches] as usize],
            first_port,
            first_into: vec![0; switches + 1],
            into: vec![0; hops.len()],
            failed: vec![],
            classes: vec![],
            class_of: vec![],
            names: vec![],
            link_of: vec![],
            links: vec![],
            injection,
            ejection,
            hops,
        };
        wires.connect()?;
        wires.take_names(file, origins)?;
        (wires.link_of, wires.links) = given::links(file, wires.injection.len(), origins)?;
        Ok(wires)
    }

    /// Fills `leads` and `into`; a port has at most one channel out and one channel in.
    fn connect(&mut self) -> Result<(), String> {
        let ports = self.leads.len();
        let (mut taken_out, mut taken_in) = (vec![false; ports], vec![false; ports]);
        let mut take = |wires: &Self, taken: usize, switch: u32, port: u32| {
            let side = if taken == 0 { &mut taken_out } else { &mut taken_in };
            let number = wires.first_port[switch as usize] + port;
            if std::mem::replace(&mut side[number as usize], true) {
                let verb = if taken == 0 { "begin" } else { "end" };
                let name = &wires.switch_names[switch as usize];
                return Err(format!("two channels {verb} at port {port} of {name}"));
            }
            Ok(number as usize)
        };
        for node in 0..self.injection.len() {
            let (to, from) = (self.injection[node], self.ejection[node]);
            take(self, 1, to.switch, to.port)?;
            take(self, 0, from.switch, from.port)?;
        }
        for number in 0..self.hops.len() {
            let hop = self.hops[number];
            if !hop.exists() {
                continue;
            }
            let port = take(self, 0, hop.from, hop.from_port)?;
            take(self, 1, hop.to, hop.to_port)?;
            self.leads[port] = number as u32;
        }
        self.gather();
        Ok(())
    }

    /// Whether a hop is there, and did not fail.
    #[inline]
    pub fn carries(&self, hop: u32) -> bool {
        self.hops[hop as usize].exists() && !self.failed.get(hop as usize).is_some_and(|&is| is)
    }

    /// Takes failed hops from `leads` and `into`.
    pub fn disconnect(&mut self) {
        for port in 0..self.leads.len() {
            if self.leads[port] != NOTHING && !self.carries(self.leads[port]) {
                self.leads[port] = NOTHING;
            }
        }
        self.gather();
    }

    /// Fills `into` with the hops that carry packets.
    fn gather(&mut self) {
        self.first_into.fill(0);
        let there: Vec<u32> =
            (0..self.hops.len() as u32).filter(|&hop| self.carries(hop)).collect();
        for &hop in &there {
            self.first_into[self.hops[hop as usize].to as usize + 1] += 1;
        }
        for switch in 1..self.first_into.len() {
            self.first_into[switch] += self.first_into[switch - 1];
        }
        let mut next = self.first_into.clone();
        for hop in there {
            let place = &mut next[self.hops[hop as usize].to as usize];
            self.into[*place as usize] = hop;
            *place += 1;
        }
    }

    fn take_names(&mut self, file: &GraphFile, origins: &[Option<u32>]) -> Result<(), String> {
        let channels = &file.channels;
        let mut known: HashMap<&str, u16> = HashMap::new();
        for &at in origins {
            let Some(at) = at else {
                self.class_of.push(0);
                self.names.extend(channels.name.as_ref().map(|_| String::new()));
                continue;
            };
            let class = channels.class.as_ref().map_or("link", |column| &column[at as usize]);
            let next = self.classes.len() as u16;
            let number = *known.entry(class).or_insert(next);
            if number == next {
                if next == u16::MAX {
                    return Err(format!("it has more than {next} classes of channels"));
                }
                self.classes.push(class.into());
            }
            self.class_of.push(number);
            self.names.extend(channels.name.as_ref().map(|column| column[at as usize].clone()));
        }
        Ok(())
    }

    pub fn nodes(&self) -> u32 {
        self.injection.len() as u32
    }

    pub fn switches(&self) -> u32 {
        self.switch_names.len() as u32
    }

    /// The number of a switch by its name.
    pub fn switch(&self, name: &str) -> Result<u32, String> {
        let found = self.switch_names.iter().position(|known| known == name);
        found
            .map(|at| at as u32)
            .ok_or_else(|| format!("root is {name}, must be the name of a switch"))
    }

    pub fn ports(&self, switch: u32) -> u32 {
        self.first_port[switch as usize + 1] - self.first_port[switch as usize]
    }

    pub fn widest(&self) -> u32 {
        (0..self.switches()).map(|switch| self.ports(switch)).max().unwrap_or(0)
    }

    /// The hop that begins at a port, or [`NOTHING`].
    #[inline]
    pub fn lead(&self, switch: u32, port: u16) -> u32 {
        self.leads[(self.first_port[switch as usize] + u32::from(port)) as usize]
    }

    /// Ports of a switch at which hops begin, with those.
    pub fn out(&self, switch: u32) -> impl Iterator<Item = (u16, u32)> + Clone + '_ {
        let range = self.first_port[switch as usize]..self.first_port[switch as usize + 1];
        let leads = &self.leads[range.start as usize..range.end as usize];
        let all = leads.iter().enumerate().map(|(port, &hop)| (port as u16, hop));
        all.filter(|(_, hop)| *hop != NOTHING)
    }

    /// Hops that end at a switch.
    pub fn into(&self, switch: u32) -> &[u32] {
        let range = self.first_into[switch as usize]..self.first_into[switch as usize + 1];
        &self.into[range.start as usize..range.end as usize]
    }

    pub fn class(&self, hop: u32) -> &str {
        &self.classes[usize::from(self.class_of[hop as usize])]
    }

    /// Its name in the file, or else its class and its number.
    pub fn name(&self, hop: u32) -> String {
        match self.names.get(hop as usize) {
            Some(name) => name.clone(),
            None => format!("{}/{hop}", self.class(hop)),
        }
    }

    /// Switches that nodes receive from, in order.
    pub fn destinations(&self) -> Vec<u32> {
        let mut found: Vec<u32> = self.ejection.iter().map(|place| place.switch).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Switches that nodes send to, in order.
    pub fn sources(&self) -> Vec<u32> {
        let mut found: Vec<u32> = self.injection.iter().map(|place| place.switch).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

//! The wires that the channels of a file are: who is joined to what.

use super::file::{GraphFile, MAX_PORTS};
use super::wires::{Hop, Place, Wires};

impl GraphFile {
    /// The wires of the graph.
    pub(super) fn wires(&self) -> Result<Wires, String> {
        self.check_columns()?;
        self.check_values()?;
        let (nodes, all) = (self.nodes.len() as u32, self.nodes.len() + self.switches.len());
        let mut injection = vec![None; nodes as usize];
        let mut ejection = vec![None; nodes as usize];
        let (mut hops, mut origins) = (vec![], vec![]);
        let most = 16 * self.channels.from.len() as u64;
        for at in 0..self.channels.from.len() {
            let (from, to) = (self.channels.from[at], self.channels.to[at]);
            let (from_port, to_port) = (self.channels.from_port[at], self.channels.to_port[at]);
            if from.max(to) as usize >= all {
                return Err(format!(
                    "channel {at} joins number {}, must be below {all}: {nodes} nodes, then {} switches",
                    from.max(to),
                    self.switches.len()
                ));
            }
            if from_port.max(to_port) >= MAX_PORTS {
                return Err(format!(
                    "channel {at} has port {}, must be below {MAX_PORTS}",
                    from_port.max(to_port)
                ));
            }
            match (from < nodes, to < nodes) {
                (true, true) => {
                    let (from, to) = (self.name(from), self.name(to));
                    return Err(format!(
                        "channel {at} joins the nodes {from} and {to} without a switch"
                    ));
                }
                (true, false) => {
                    let place = Place { switch: to - nodes, port: to_port };
                    self.attach(&mut injection[from as usize], place, from, "begin at")?;
                }
                (false, true) => {
                    let place = Place { switch: from - nodes, port: from_port };
                    self.attach(&mut ejection[to as usize], place, to, "end at")?;
                }
                (false, false) => {
                    if from == to {
                        return Err(format!(
                            "channel {at} leads from {} back to it",
                            self.name(from)
                        ));
                    }
                    let next = hops.len() as u64;
                    let number = self.channels.number.as_ref().and_then(|column| column[at]);
                    let number = number.map_or(next, u64::from);
                    if number < next || number > most {
                        return Err(format!(
                            "channels.number[{at}] is {number}, must rise, and be at most {most}"
                        ));
                    }
                    origins.resize(number as usize, None);
                    hops.resize(number as usize, Hop::NONE);
                    origins.push(Some(at as u32));
                    hops.push(Hop { from: from - nodes, from_port, to: to - nodes, to_port });
                }
            }
        }
        let injection = self.complete(injection, "begins at")?;
        let ejection = self.complete(ejection, "ends at")?;
        Wires::new(self, injection, ejection, hops, &origins)
    }

    fn attach(
        &self,
        known: &mut Option<Place>,
        place: Place,
        node: u32,
        verb: &str,
    ) -> Result<(), String> {
        match known.replace(place) {
            None => Ok(()),
            Some(_) => Err(format!(
                "two channels {verb} node {}; each of its rails must be a node",
                self.name(node)
            )),
        }
    }

    fn complete(&self, places: Vec<Option<Place>>, verb: &str) -> Result<Vec<Place>, String> {
        let missing = places.iter().position(Option::is_none);
        if let Some(node) = missing {
            return Err(format!("no channel {verb} node {}", self.name(node as u32)));
        }
        Ok(places.into_iter().flatten().collect())
    }
}

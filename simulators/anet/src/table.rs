//! Which ports of a router lead to a destination: all that begin a shortest path, or what a file says.

use crate::wiring::Wiring;
use std::collections::VecDeque;
use std::path::Path;

/// Candidate ports for every router and every router of a destination, in the order of preference.
#[derive(Debug, Clone)]
pub struct PortTable {
    routers: usize,
    /// Four bits a port, the first one lowest; `END` follows the last one.
    entries: Vec<u32>,
}

const END: u32 = 0xf;
const EMPTY: u32 = u32::MAX;

/// The ports of an entry.
fn ports(entry: u32) -> impl Iterator<Item = u8> {
    (0..8).map(move |place| entry >> (4 * place) & 0xf).take_while(|&p| p != END).map(|p| p as u8)
}

fn add(entry: &mut u32, port: u8) {
    let place = ports(*entry).count();
    *entry &= !(0xf << (4 * place)) | u32::from(port) << (4 * place);
}

impl PortTable {
    /// Every port that begins a shortest path, lowest number first.
    ///
    /// # Errors
    /// Names two routers without a path.
    pub fn shortest(wiring: &Wiring) -> Result<Self, String> {
        let routers = wiring.routers.len();
        let mut table = Self { routers, entries: vec![EMPTY; routers * routers] };
        for destination in 0..routers {
            let far = distances(wiring, destination);
            for router in (0..routers).filter(|&router| router != destination) {
                let entry = &mut table.entries[router * routers + destination];
                for (number, port) in wiring.routers[router].ports.iter().enumerate() {
                    if far[port.neighbour as usize] < far[router] {
                        add(entry, number as u8);
                    }
                }
                if *entry == EMPTY {
                    return Err(format!(
                        "no path leads from {} to {}",
                        wiring.names[router], wiring.names[destination]
                    ));
                }
            }
        }
        Ok(table)
    }

    /// What a file says: a row `router,destination,next` for each candidate.
    ///
    /// # Errors
    /// Names the line that is wrong, a pair without a candidate, or routers in a circle.
    pub fn read(path: &Path, wiring: &Wiring) -> Result<Self, String> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        Self::parse(&name, &text, wiring)
    }

    fn parse(name: &str, text: &str, wiring: &Wiring) -> Result<Self, String> {
        let routers = wiring.routers.len();
        let mut table = Self { routers, entries: vec![EMPTY; routers * routers] };
        let mut lines = text.lines().enumerate();
        let header = lines.next().map(|(_, line)| line.split(',').map(str::trim).collect());
        if header != Some(vec!["router", "destination", "next"]) {
            return Err(format!("{name}:1: header must be router,destination,next"));
        }
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let at = format!("{name}:{}", number + 1);
            let [router, destination, next] = numbers(line, routers)
                .ok_or_else(|| format!("{at}: must be three numbers of routers below {routers}"))?;
            let ways = &wiring.routers[router].ports;
            let entry = &mut table.entries[router * routers + destination];
            let taken: Vec<u8> = ports(*entry).collect();
            let way = (0..ways.len() as u8).find(|&port| {
                ways[usize::from(port)].neighbour as usize == next && !taken.contains(&port)
            });
            match way {
                Some(port) if router != destination => add(entry, port),
                Some(_) => return Err(format!("{at}: router {router} is the destination itself")),
                None => {
                    return Err(format!(
                        "{at}: no further link leads from router {router} to router {next}"
                    ));
                }
            }
        }
        table.check(name, wiring)?;
        Ok(table)
    }

    /// Every router has a candidate for every destination, and following candidates never leads back.
    fn check(&self, name: &str, wiring: &Wiring) -> Result<(), String> {
        for destination in 0..self.routers {
            let others = || (0..self.routers).filter(move |&router| router != destination);
            for router in others() {
                if self.candidates(router as u32, destination as u32).next().is_none() {
                    return Err(format!(
                        "{name}: router {router} has no row for destination {destination}"
                    ));
                }
            }
            // Routers whose candidates all lead to routers that are done are done, until none is left.
            let mut done = vec![false; self.routers];
            done[destination] = true;
            loop {
                let ends = |router: &usize| {
                    let ways = &wiring.routers[*router].ports;
                    let mut all = self.candidates(*router as u32, destination as u32);
                    all.all(|port| done[ways[usize::from(port)].neighbour as usize])
                };
                let more: Vec<usize> = others().filter(|&r| !done[r]).filter(ends).collect();
                if more.is_empty() {
                    break;
                }
                more.iter().for_each(|&router| done[router] = true);
            }
            if let Some(router) = done.iter().position(|&done| !done) {
                return Err(format!(
                    "{name}: a message from router {router} to router {destination} can come back \
                     to a router that it has left"
                ));
            }
        }
        Ok(())
    }

    /// Ports of a router towards another one, the preferred one first.
    #[inline]
    pub fn candidates(&self, router: u32, destination: u32) -> impl Iterator<Item = u8> {
        ports(self.entries[router as usize * self.routers + destination as usize])
    }
}

fn numbers(line: &str, below: usize) -> Option<[usize; 3]> {
    let read = |word: &str| word.trim().parse().ok().filter(|&number| number < below);
    let all: Option<Vec<usize>> = line.split(',').map(read).collect();
    all?.try_into().ok()
}

/// Hops from every router to a destination.
fn distances(wiring: &Wiring, destination: usize) -> Vec<u32> {
    let mut far = vec![u32::MAX; wiring.routers.len()];
    far[destination] = 0;
    let mut next = VecDeque::from([destination]);
    while let Some(router) = next.pop_front() {
        // Links go both ways.
        for port in &wiring.routers[router].ports {
            let other = port.neighbour as usize;
            if far[other] == u32::MAX {
                far[other] = far[router] + 1;
                next.push_back(other);
            }
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::TopologySpec;
    use proptest::prelude::*;
    use serde_json::json;

    fn ring() -> Wiring {
        let spec = json!({"kind": "torus", "sizes": [4], "ties": "plus"});
        let spec: TopologySpec = serde_json::from_value(spec).unwrap();
        Wiring::new(&spec.build_channels(1).unwrap()).unwrap()
    }

    /// Rows of a whole table round the ring in one direction.
    fn rows(step: usize) -> Vec<String> {
        let pairs = (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b);
        pairs.map(|(a, b)| format!("{a},{b},{}", (a + step) % 4)).collect()
    }

    fn parse(rows: &[String]) -> Result<PortTable, String> {
        let text = format!("router,destination,next\n{}\n", rows.join("\n"));
        PortTable::parse("ports.csv", &text, &ring())
    }

    /// Follows the candidate that `choices` names at each router.
    fn arrives(table: &PortTable, from: u32, to: u32, choices: &[usize]) -> bool {
        let wiring = ring();
        let mut at = from;
        for choice in choices.iter().cycle().take(4) {
            if at == to {
                break;
            }
            let candidates: Vec<u8> = table.candidates(at, to).collect();
            let port = candidates[choice % candidates.len()];
            at = wiring.routers[at as usize].ports[usize::from(port)].neighbour;
        }
        at == to
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever rows are changed, all messages arrive, or the file is refused by its name.
        #[test]
        fn a_changed_file_leads_everywhere_or_is_refused(
            step in prop_oneof![Just(1_usize), Just(3)],
            changes in prop::collection::vec((0_usize..12, 0_u32..5, 0_u32..5, 0_u32..5), 0..4),
            more in prop::collection::vec((0_u32..4, 0_u32..4, 0_u32..4), 0..6),
            choices in prop::collection::vec(0_usize..2, 1..5),
        ) {
            let mut rows = rows(step);
            for (place, router, destination, next) in changes {
                rows[place] = format!("{router},{destination},{next}");
            }
            rows.extend(more.iter().map(|(router, to, next)| format!("{router}, {to},{next} ")));
            match parse(&rows) {
                Ok(table) => {
                    let pairs = (0..4).flat_map(|from| (0..4).map(move |to| (from, to)));
                    for (from, to) in pairs {
                        prop_assert!(arrives(&table, from, to, &choices), "{from} to {to}");
                    }
                }
                Err(error) => prop_assert!(error.starts_with("ports.csv:"), "{error}"),
            }
        }

        #[test]
        fn any_text_is_a_table_or_refused(text in "([0-9a-z, \\-\r\n]|\\PC){0,80}") {
            for text in [format!("router,destination,next\n{text}"), text] {
                let error = PortTable::parse("ports.csv", &text, &ring()).map(|_| ()).unwrap_err();
                prop_assert!(error.starts_with("ports.csv:"), "{error}");
            }
        }
    }

    #[test]
    fn opposite_routers_of_a_ring_have_two_shortest_ways() {
        let table = PortTable::shortest(&ring()).unwrap();
        assert_eq!(table.candidates(0, 2).count(), 2);
        assert_eq!(table.candidates(0, 1).count(), 1);
        assert_eq!(table.candidates(0, 0).count(), 0);
    }

    #[test]
    fn a_file_says_which_ways_there_are() {
        let wiring = ring();
        let table = parse(&rows(1)).unwrap();
        let port = table.candidates(3, 2).next().unwrap();
        assert_eq!(wiring.routers[3].ports[usize::from(port)].neighbour, 0);
    }

    #[test]
    fn mistakes_of_a_file_are_named() {
        let changed = |line: usize, text: &str| {
            let mut rows = rows(1);
            rows[line] = text.into();
            parse(&rows).unwrap_err()
        };
        for (found, expected) in [
            (changed(0, "0,1"), "ports.csv:2: must be three numbers of routers below 4"),
            (changed(0, "0,1,4"), "ports.csv:2: must be three numbers of routers below 4"),
            (changed(0, "0,1,2"), "ports.csv:2: no further link leads from router 0 to router 2"),
            (changed(0, "0,0,1"), "ports.csv:2: router 0 is the destination itself"),
            (changed(0, ""), "ports.csv: router 0 has no row for destination 1"),
            (changed(3, "1,0,2\n2,0,1"), "ports.csv: a message from router"),
            (
                PortTable::parse("ports.csv", "from,to\n", &ring()).unwrap_err(),
                "ports.csv:1: header must be router,destination,next",
            ),
        ] {
            assert!(found.starts_with(expected), "{found}");
        }
    }
}

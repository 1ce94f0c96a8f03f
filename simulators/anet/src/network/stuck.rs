//! The message about a network that stands still: who waits for what.

use super::state::{BLOCKS, BUFFER, HOST, MEMORY};
use super::{NONE, Network};
use mpi::time::to_seconds;
use programs::NetworkObserver;

/// How many messages the text names.
const NAMED: usize = 4;

impl<O: NetworkObserver> Network<O> {
    /// Nothing is under way that could free what messages wait for.
    pub(super) fn stands_still(&self) -> String {
        let parked = |router: u32| {
            let blocks = self.routers[router as usize].parked;
            (0..BLOCKS as u8)
                .filter(move |block| blocks >> block & 1 == 1)
                .map(move |b| (router, b))
        };
        let mut waiting = (0..self.routers.len() as u32).flat_map(parked);
        let named: Vec<String> =
            waiting.by_ref().take(NAMED).map(|(router, block)| self.waits(router, block)).collect();
        let more = match waiting.count() {
            0 => String::new(),
            more => format!("; and {more} more messages wait"),
        };
        format!(
            "deadlock at {:e} s, each message waits for another one: {}{more}",
            to_seconds(self.now),
            named.join("; ")
        )
    }

    fn waits(&self, router: u32, block: u8) -> String {
        let number = self.routers[router as usize].held[usize::from(block)];
        let message = self.transfers.get(number);
        let target = self.wiring.router_of[message.dst as usize];
        let is_host = self.wiring.routers[router as usize].host == Some(message.dst);
        let mut wanted: Vec<String> = match (target == router, is_host) {
            (true, true) => {
                let holder = self.taken[self.lane(self.host_link(router), 0)];
                vec![format!("the link to its host, held by {}", self.message(holder))]
            }
            (true, false) => {
                let holder = self.routers[router as usize].receiving;
                vec![format!("the message receiver, held by {}", self.message(holder))]
            }
            _ => self.table.candidates(router, target).map(|p| self.link(router, p)).collect(),
        };
        if block != BUFFER {
            wanted.push(format!(
                "room in its packet buffer, which holds {} B",
                self.routers[router as usize].buffer_bytes
            ));
        }
        format!(
            "{} waits at {} in {} for {}",
            self.message(number),
            self.wiring.names[router as usize],
            self.block(router, block),
            wanted.join(", or ")
        )
    }

    fn message(&self, number: u32) -> String {
        if number == NONE {
            return "no message".into();
        }
        let message = self.transfers.get(number);
        format!("the message from node {} to node {}", message.src, message.dst)
    }

    fn link(&self, router: u32, port: u8) -> String {
        let port = self.wiring.routers[router as usize].ports[usize::from(port)];
        let holder = self.taken[self.lane(port.link, port.side)];
        let name = &self.wiring.names[port.neighbour as usize];
        format!("the link to {name}, held by {}", self.message(holder))
    }

    fn block(&self, router: u32, block: u8) -> String {
        match block {
            MEMORY => "the message sender".into(),
            BUFFER => "the packet buffer".into(),
            HOST => "the host port".into(),
            port => {
                let port = self.wiring.routers[router as usize].ports[usize::from(port)];
                format!("the port from {}", self.wiring.names[port.neighbour as usize])
            }
        }
    }
}

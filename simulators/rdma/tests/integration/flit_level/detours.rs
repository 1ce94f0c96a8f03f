//! Packets of `packet` that draw the detours of this network. With detours of their own, two networks
//! differ by what they drew: many more runs would be needed to see how their routers differ.

use packet::routing::{AnyRouting, Header, Outputs, Routing, Way};
use rdma::network::drawn;
use std::cell::RefCell;
use workload::Random;

pub(super) struct SameDetours {
    function: AnyRouting,
    seed: u64,
    /// Per node: packets that its source has begun.
    begun: RefCell<Vec<u64>>,
}

impl SameDetours {
    pub fn new(function: AnyRouting, seed: u64, nodes: u32) -> Self {
        Self { function, seed, begun: RefCell::new(vec![0; nodes as usize]) }
    }
}

impl Routing for SameDetours {
    fn inject(&self, header: &mut Header, _: &mut impl fabric::routing::Draw) -> (u16, u16) {
        let begun = &mut self.begun.borrow_mut()[header.src as usize];
        *begun += 1;
        self.function.inject(header, &mut Random::new(drawn(self.seed, header.src, *begun)))
    }

    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut impl fabric::routing::Draw,
    ) -> Way {
        self.function.route(router, input, header, outputs, random)
    }

    fn reroutes(&self) -> bool {
        self.function.reroutes()
    }
}

//! The routes of transfers whose packets are on their way.

use super::state::NONE;
use super::transfers::OnNetwork;
use crate::wiring::{Step, Wiring};
use programs::transfers::UnderWay;

pub(crate) struct Routes {
    /// Route r begins at r · `longest`. None where packets choose their routes on the way: there,
    /// `longest` is 0.
    steps: Vec<Step>,
    longest: usize,
    free: Vec<u32>,
    path: Vec<u32>,
}

impl Routes {
    pub fn new(longest: usize) -> Self {
        Self { steps: Vec::new(), longest, free: Vec::new(), path: Vec::with_capacity(longest) }
    }

    /// Place of the first step of a transfer's route.
    #[inline(never)]
    pub fn first_step(&mut self, transfer: &mut UnderWay<OnNetwork>, wiring: &Wiring) -> u32 {
        let flow = transfer.flow();
        let route = &mut transfer.own.route;
        if *route == NONE {
            if self.longest == 0 {
                return 0;
            }
            *route = self.free.pop().unwrap_or_else(|| {
                let route = self.steps.len() / self.longest;
                self.steps.resize(self.steps.len() + self.longest, Step::default());
                route as u32
            });
            let first = *route as usize * self.longest;
            let steps = &mut self.steps[first..first + self.longest];
            wiring.route(flow, &mut self.path, steps);
        }
        *route * self.longest as u32
    }

    /// A transfer has arrived; none of its packets is on its way.
    pub fn free(&mut self, route: u32) {
        if route != NONE {
            self.free.push(route);
        }
    }

    /// Of all routes.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    #[inline]
    pub fn step(&self, place: u32) -> Step {
        self.steps[place as usize]
    }
}

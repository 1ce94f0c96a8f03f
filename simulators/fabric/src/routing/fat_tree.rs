//! Up and down in a k-ary n-tree. No routing of these needs classes: packets climb, then descend.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::{FatTree, UpRouting};

/// Where a router stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: u32,
    /// Nodes below the router have this number, divided by `k^(level + 1)`.
    covered: u32,
}

/// A packet climbs until the router covers its destination; the way down is forced.
#[derive(Debug)]
pub struct UpDown {
    k: Divisor,
    /// `k^0 … k^(levels - 1)`.
    powers: Vec<Divisor>,
    /// Per router.
    places: Vec<Place>,
    routing: UpRouting,
    vcs: u16,
}

impl UpDown {
    pub(super) fn new(tree: &FatTree, vcs: u16) -> Self {
        let (k, levels) = (tree.k(), tree.levels() as u32);
        let per_level = k.pow(levels - 1);
        let places = (0..levels)
            .flat_map(|level| {
                (0..per_level).map(move |router| Place { level, covered: router / k.pow(level) })
            })
            .collect();
        Self {
            k: Divisor::new(k),
            powers: (0..levels).map(|level| Divisor::new(k.pow(level))).collect(),
            places,
            routing: tree.routing(),
            vcs,
        }
    }
}

impl Routing for UpDown {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        _input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> Way {
        let place = self.places[router as usize];
        let power = self.powers[place.level as usize];
        let (covered, digit) = self.k.divide(power.quotient(header.dst));
        let k = self.k.get();
        let port = if covered == place.covered {
            digit
        } else {
            k + match self.routing {
                UpRouting::Dmodk => digit,
                UpRouting::Smodk => self.k.divide(power.quotient(header.src)).1,
                UpRouting::Nca => random.below(k),
                UpRouting::Anca => {
                    let (first, second) = (random.below(k), random.below(k));
                    let used = |up| outputs.used_credits((k + up) as u16);
                    if used(first) > used(second) { second } else { first }
                }
            }
        };
        Way { port: port as u16, first_vc: 0, vcs: self.vcs }
    }
}

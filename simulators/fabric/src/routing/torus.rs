//! Dimension-order routing on a torus, the shorter way round each ring.
//!
//! A packet takes one class of virtual channels when it enters a ring, keeps it to the end of the ring
//! ([`TorusClasses::of_ring`]), and so cannot deadlock. With virtual channels per destination, that of
//! a destination is only used towards it.

use super::{Division, Divisor, Draw, Header, Outputs, Routing, Way};
use crate::ties::drawn_for_pair;
use crate::{Grid, Ties, TorusClasses, VcClasses};

#[derive(Debug)]
pub struct TorusDimensionOrder {
    sizes: Vec<Divisor>,
    vcs: u16,
    halves: VcClasses,
    ties: Ties,
    seed: u64,
    classes: TorusClasses,
    per_destination: bool,
}

impl TorusDimensionOrder {
    pub(super) fn new(grid: &Grid, halves: VcClasses, ties: Ties, division: Division) -> Self {
        let sizes = grid.sizes().iter().map(|&size| Divisor::new(size)).collect();
        let Division { vcs, torus_classes, per_destination } = division;
        let (seed, classes) = (grid.seed(), torus_classes);
        Self { sizes, vcs, halves, ties, seed, classes, per_destination }
    }

    /// Whether a packet goes from `own` to `wanted` in + direction of a ring of this dimension.
    fn goes_up(
        &self,
        (own, wanted): (u32, u32),
        (dimension, size): (usize, u32),
        header: &Header,
        random: &mut impl Draw,
    ) -> bool {
        let steps_up = if wanted > own { wanted - own } else { wanted + size - own };
        match (2 * steps_up).cmp(&size) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => match self.ties {
                Ties::Plus => true,
                Ties::AvoidWrap => wanted > own,
                Ties::Simgrid => wanted != 0,
                Ties::Random => random.below(2) == 0,
                Ties::RandomPerPair => {
                    drawn_for_pair(self.seed, (header.src, header.dst), dimension)
                }
            },
        }
    }

    /// Class of a packet that enters a ring.
    fn class(&self, own: u32, wanted: u32, size: u32, up: bool, random: &mut impl Draw) -> u8 {
        if self.per_destination {
            return 0;
        }
        let either = || random.below(2) as u8;
        self.classes.of_ring((own, wanted), up, size).unwrap_or_else(either)
    }
}

impl Routing for TorusDimensionOrder {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        _outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> Way {
        let (mut here, mut there) = (router, header.dst);
        if here == there {
            return Way { port: 2 * self.sizes.len() as u16, first_vc: 0, vcs: self.vcs };
        }
        let mut port = 0;
        for (dimension, size) in self.sizes.iter().enumerate() {
            let ((upper, own), (wanted_upper, wanted)) = (size.divide(here), size.divide(there));
            if own != wanted {
                // A packet that came through the ring goes on to the side opposite to its input.
                let up = if input & !1 == port {
                    input & 1 == 1
                } else {
                    let up = self.goes_up((own, wanted), (dimension, size.get()), header, random);
                    header.class = self.class(own, wanted, size.get(), up, random);
                    up
                };
                port += u16::from(!up);
                break;
            }
            (here, there) = (upper, wanted_upper);
            port += 2;
        }
        if self.per_destination {
            return Way { port, first_vc: header.dst as u16, vcs: 1 };
        }
        Way::of_class(port, &self.halves, header.class)
    }
}

//! Dimension-order routing on a torus, the shorter way round each ring.
//!
//! A packet takes one class of virtual channels when it enters a ring and keeps it to the end of the
//! ring. Why that cannot deadlock: a ring is a circle of channels, and a circle is broken if one
//! channel of it is used by nobody or if nobody passes from one channel to the next.
//!
//! * Dateline: upwards class 1 has the packets that wrap around, class 0 the others; downwards it is
//!   the other way round. Packets that do not wrap never use the wrap-around channel. Those that
//!   wrap take at most half of the ring, so none of them passes the middle.
//! * Balanced: packets that wrap take class 0, packets that pass the middle of the ring take class
//!   1; no way of at most half a ring does both. So class 0 never uses the channel over the middle,
//!   class 1 never the wrap-around one, and a packet that does neither may have any class.
//! * Per destination: the virtual channel of a destination is only used towards it.

use super::{Divisor, Header, Outputs, Routing, RoutingOptions, VcClasses, Way};
use fabric::{Grid, Ties, TorusClasses};
use workload::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Classes {
    Dateline,
    Balanced,
    PerDestination,
}

#[derive(Debug)]
pub struct TorusDimensionOrder {
    sizes: Vec<Divisor>,
    vcs: u16,
    halves: VcClasses,
    ties: Ties,
    classes: Classes,
}

impl TorusDimensionOrder {
    pub(super) fn new(
        grid: &Grid,
        vcs: u16,
        halves: VcClasses,
        ties: Ties,
        options: &RoutingOptions,
    ) -> Self {
        let sizes = grid.sizes().iter().map(|&size| Divisor::new(size)).collect();
        let classes = match options.torus_classes {
            _ if options.per_destination() => Classes::PerDestination,
            TorusClasses::Dateline => Classes::Dateline,
            TorusClasses::Balanced => Classes::Balanced,
        };
        Self { sizes, vcs, halves, ties, classes }
    }

    /// Whether a packet goes from `own` to `wanted` in + direction.
    fn goes_up(&self, own: u32, wanted: u32, size: u32, random: &mut Random) -> bool {
        let steps_up = if wanted > own { wanted - own } else { wanted + size - own };
        match (2 * steps_up).cmp(&size) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => match self.ties {
                Ties::Plus => true,
                Ties::AvoidWrap => wanted > own,
                Ties::Simgrid => wanted != 0,
                Ties::Random => random.below(2) == 0,
            },
        }
    }

    /// Class of a packet that enters a ring.
    fn class(&self, own: u32, wanted: u32, size: u32, up: bool, random: &mut Random) -> u8 {
        let rises = wanted > own;
        match self.classes {
            // Up and wrapped, or down and not wrapped: both mean that the coordinate falls.
            Classes::Dateline => u8::from(!rises),
            Classes::Balanced => {
                let middle = (size - 1) / 2;
                if up != rises {
                    0
                } else if (own <= middle) != (wanted <= middle) {
                    1
                } else {
                    random.below(2) as u8
                }
            }
            Classes::PerDestination => 0,
        }
    }
}

impl Routing for TorusDimensionOrder {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut Random) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        _outputs: &impl Outputs,
        random: &mut Random,
    ) -> Way {
        let (mut here, mut there) = (router, header.dst);
        if here == there {
            return Way { port: 2 * self.sizes.len() as u16, first_vc: 0, vcs: self.vcs };
        }
        let mut port = 0;
        for size in &self.sizes {
            let ((upper, own), (wanted_upper, wanted)) = (size.divide(here), size.divide(there));
            if own != wanted {
                // A packet that came through the ring goes on to the side opposite to its input.
                let up = if input & !1 == port {
                    input & 1 == 1
                } else {
                    let up = self.goes_up(own, wanted, size.get(), random);
                    header.class = self.class(own, wanted, size.get(), up, random);
                    up
                };
                port += u16::from(!up);
                break;
            }
            (here, there) = (upper, wanted_upper);
            port += 2;
        }
        if self.classes == Classes::PerDestination {
            return Way { port, first_vc: header.dst as u16, vcs: 1 };
        }
        self.halves.way(port, header.class)
    }
}

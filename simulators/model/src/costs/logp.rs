//! LogP (Culler et al. 1993) and LogGP (Alexandrov et al. 1995).

use super::Parameters;
use crate::schedule::{Step, Way};

impl Parameters {
    /// A long message is many small ones, a gap apart. Who sends and receives at once spends the
    /// overhead twice for each.
    pub(super) fn logp(&self, step: &Step) -> f64 {
        let small = step.bytes.div_ceil(self.small_bytes).max(1);
        let (messages, overheads) = match step.way {
            Way::Send | Way::Deal | Way::SetUp => (small, 1.0),
            Way::Exchange | Way::Shift => (small, 2.0),
            Way::Burst(messages) | Way::Crossing(messages) => (messages * small, 1.0),
        };
        let apart = self.gap_s.max(overheads * self.overhead_s);
        self.latency_s + 2.0 * self.overhead_s + messages.saturating_sub(1) as f64 * apart
    }

    /// Bytes of a long message are G apart, messages g.
    pub(super) fn loggp(&self, step: &Step) -> f64 {
        let bytes_s = step.bytes.max(1).saturating_sub(1) as f64 * self.byte_s;
        let alone = self.latency_s + 2.0 * self.overhead_s;
        match step.way {
            Way::Send | Way::Deal | Way::Exchange | Way::Shift | Way::SetUp => alone + bytes_s,
            Way::Burst(messages) | Way::Crossing(messages) => {
                let gaps = messages.saturating_sub(1) as f64 * self.gap_s.max(self.overhead_s);
                alone + messages as f64 * bytes_s + gaps
            }
        }
    }
}

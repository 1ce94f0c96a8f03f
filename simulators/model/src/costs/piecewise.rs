//! Each message at the time that a calibration has measured for its size.

use super::Parameters;
use crate::schedule::{Step, Way};

impl Parameters {
    /// A copy within the memory of a rank; nothing where none was measured.
    pub(super) fn copy(&self, bytes: u64) -> f64 {
        let copy = self.curves.as_ref().and_then(|curves| curves.copying.as_ref());
        copy.map_or(0.0, |times| times.seconds(bytes))
    }

    /// T1(m) of a message one way, s(m) where its sender needs longer and has more to send, T2(m) of
    /// two ranks that send and receive at once. Messages of a
    /// burst leave as far apart as a rank's processor needs for each: g(m), or d(m) where as many
    /// come the other way and that was measured.
    pub(super) fn piecewise(&self, step: &Step) -> f64 {
        let Some(curves) = &self.curves else { return f64::NAN };
        let one_way = curves.one_way.seconds(step.bytes);
        let both = curves.two_way().seconds(step.bytes);
        match step.way {
            Way::Send | Way::SetUp => one_way,
            Way::Deal => one_way.max(curves.sent_seconds(step.bytes)),
            Way::Exchange | Way::Shift => both,
            Way::Burst(count) => {
                one_way + count.saturating_sub(1) as f64 * curves.gap_seconds(step.bytes)
            }
            Way::Crossing(count) => match curves.duplex_seconds(step.bytes) {
                Some(apart) => both + count.saturating_sub(1) as f64 * apart,
                None => one_way + count.saturating_sub(1) as f64 * curves.gap_seconds(step.bytes),
            },
        }
    }
}

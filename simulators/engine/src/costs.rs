//! What messages cost by their size, as a calibration has measured it.

use serde::Deserialize;

/// A straight piece of a curve: from a size on, up to where the next piece begins.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    pub from_bytes: u64,
    /// Of a message of `from_bytes`.
    pub time_s: f64,
    /// Of each byte beyond.
    pub byte_time_s: f64,
}

/// The time of a message by its size. Pieces need not meet: protocols change from one size to the next.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct TimesBySize(Vec<Piece>);

impl TimesBySize {
    /// How long a message of this size takes.
    pub fn seconds(&self, bytes: u64) -> f64 {
        let above = self.0.partition_point(|piece| piece.from_bytes <= bytes);
        let piece = self.0[above.saturating_sub(1)];
        piece.time_s + bytes.saturating_sub(piece.from_bytes) as f64 * piece.byte_time_s
    }

    fn check(&self, key: &str) -> Result<(), String> {
        if self.0.first().is_none_or(|first| first.from_bytes != 0) {
            return Err(format!("network.costs.{key} must begin with a piece from 0 bytes"));
        }
        if self.0.windows(2).any(|pair| pair[0].from_bytes >= pair[1].from_bytes) {
            return Err(format!("network.costs.{key}: from_bytes must rise from piece to piece"));
        }
        let times = self.0.iter().flat_map(|piece| [piece.time_s, piece.byte_time_s]);
        match times.into_iter().find(|time| !(0.0..=1.0).contains(time)) {
            Some(time) => Err(format!("network.costs.{key} has {time}, must be within 0..1 s")),
            None => Ok(()),
        }
    }
}

/// The curves of one pair of ranks that nothing disturbs, from the call of the sender until the
/// receiver has all.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curves {
    /// Longer messages wait for their receive; the limit of the engine's options if absent.
    pub eager_limit_bytes: Option<u64>,
    pub one_way: TimesBySize,
    /// Two ranks send each other a message of this size at the same time; as one way if absent.
    pub two_way: Option<TimesBySize>,
    /// From one message to the next where many go from one rank to another; half of `two_way` if absent.
    pub gap: Option<TimesBySize>,
    /// The same where the other rank sends as many at the same time; two gaps if absent.
    pub duplex: Option<TimesBySize>,
    /// The call that sends; as long as the rank is busy with the message if absent.
    pub sent: Option<TimesBySize>,
    /// A copy within the memory of a rank; nothing if absent.
    pub copying: Option<TimesBySize>,
    /// A put until the caller knows that it is complete; as one way if absent.
    pub put: Option<TimesBySize>,
}

impl Curves {
    pub fn two_way(&self) -> &TimesBySize {
        self.two_way.as_ref().unwrap_or(&self.one_way)
    }

    /// From one message of a stream to the next: how long a rank is busy with each. Both ways hold two.
    pub fn gap_seconds(&self, bytes: u64) -> f64 {
        let half_s = self.two_way().seconds(bytes) / 2.0;
        self.gap.as_ref().map_or(half_s, |gap| gap.seconds(bytes).min(half_s))
    }

    /// From one message to the next of two streams in opposite directions: no sooner than a gap, no later
    /// than two. None where it was not measured.
    pub fn duplex_seconds(&self, bytes: u64) -> Option<f64> {
        self.gap.as_ref()?;
        let gap_s = self.gap_seconds(bytes);
        Some(self.duplex.as_ref()?.seconds(bytes).clamp(gap_s, 2.0 * gap_s))
    }

    /// How long the call takes that sends a message; as long as the message where it was not measured.
    /// That of a rendezvous may end behind its message, when the receiver has said that it has all.
    pub fn sent_seconds(&self, bytes: u64) -> f64 {
        let one_way_s = self.one_way.seconds(bytes);
        let Some(sent) = &self.sent else { return one_way_s };
        let is_eager = self.eager_limit_bytes.is_none_or(|limit| bytes <= limit);
        let longest_s =
            if is_eager { one_way_s } else { self.two_way().seconds(bytes).max(one_way_s) };
        sent.seconds(bytes).min(longest_s)
    }

    pub fn put(&self) -> &TimesBySize {
        self.put.as_ref().unwrap_or(&self.one_way)
    }

    fn check(&self, inside: &str) -> Result<(), String> {
        self.one_way.check(&format!("{inside}one_way"))?;
        self.two_way().check(&format!("{inside}two_way"))?;
        let optional = [
            ("gap", &self.gap),
            ("duplex", &self.duplex),
            ("sent", &self.sent),
            ("copying", &self.copying),
        ];
        for (key, times) in optional {
            times.as_ref().map_or(Ok(()), |times| times.check(&format!("{inside}{key}")))?;
        }
        self.put().check(&format!("{inside}put"))
    }
}

/// What a LogGP model of the machine has.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogGp {
    pub latency_s: f64,
    pub overhead_s: f64,
    pub gap_s: f64,
    pub byte_time_s: f64,
}

/// The section `costs` of a network.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageCosts {
    /// What the links have in these curves. The rest is software.
    pub link_bandwidth_bytes_per_s: f64,
    pub link_latency_s: f64,
    pub between_nodes: Curves,
    /// Of two ranks on one node; memory costs what `nic` says if absent.
    pub inside_node: Option<Curves>,
    pub loggp: Option<LogGp>,
}

impl MessageCosts {
    /// Says what is wrong: the key, its value and what is allowed.
    ///
    /// # Errors
    /// When a curve or a number cannot be.
    pub fn check(&self) -> Result<(), String> {
        self.between_nodes.check("between_nodes.")?;
        if let Some(curves) = &self.inside_node {
            curves.check("inside_node.")?;
        }
        let LogGp { latency_s, overhead_s, gap_s, byte_time_s } = self.loggp.unwrap_or(LogGp {
            latency_s: 0.0,
            overhead_s: 0.0,
            gap_s: 0.0,
            byte_time_s: 0.0,
        });
        for (key, value) in [
            ("link_latency_s", self.link_latency_s),
            ("loggp.latency_s", latency_s),
            ("loggp.overhead_s", overhead_s),
            ("loggp.gap_s", gap_s),
            ("loggp.byte_time_s", byte_time_s),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("network.costs.{key} is {value}, must be within 0..1 s"));
            }
        }
        let rate = self.link_bandwidth_bytes_per_s;
        match rate.is_finite() && rate > 0.0 {
            true => Ok(()),
            false => {
                Err(format!("network.costs.link_bandwidth_bytes_per_s is {rate}, must be above 0"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn curve(pieces: serde_json::Value) -> TimesBySize {
        serde_json::from_value(pieces).unwrap()
    }

    #[test]
    fn a_curve_may_jump_from_one_size_to_the_next() {
        let found = curve(json!([
            {"from_bytes": 0, "time_s": 1e-6, "byte_time_s": 1e-9},
            {"from_bytes": 1001, "time_s": 9e-6, "byte_time_s": 5e-10},
        ]));
        assert!((found.seconds(1000) - 2e-6).abs() < 1e-18);
        assert!((found.seconds(1001) - 9e-6).abs() < 1e-18);
        assert!((found.seconds(3001) - 10e-6).abs() < 1e-18);
    }

    #[test]
    fn a_curve_begins_at_0_and_rises() {
        let piece = |from: u64| json!({"from_bytes": from, "time_s": 0.0, "byte_time_s": 0.0});
        for (pieces, wanted) in [
            (json!([]), "begin with a piece from 0 bytes"),
            (json!([piece(1)]), "begin with a piece from 0 bytes"),
            (json!([piece(0), piece(9), piece(9)]), "must rise"),
        ] {
            assert!(curve(pieces).check("x").unwrap_err().contains(wanted));
        }
    }
}

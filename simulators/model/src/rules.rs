//! Which algorithm an option chooses: one by name, a library's, or rules like `bytes<=2048 ranks<=8:
//! ring; bruck`, as `programs/lib/choose.c` reads them.

use crate::libraries;

/// What rules ask about.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub elements: u64,
    pub bytes: u64,
    pub ranks: u64,
}

/// The algorithm of a collective.
///
/// # Errors
/// Names a rule that cannot be read.
pub fn chosen<'a>(option: &'a str, collective: &str, sizes: Sizes) -> Result<&'a str, String> {
    let rules = libraries::rules(option, collective, sizes.ranks).unwrap_or(option);
    for rule in rules.split("; ") {
        let (conditions, name) = rule.split_once(": ").unwrap_or(("", rule));
        let mut all = true;
        for condition in conditions.split(' ').filter(|condition| !condition.is_empty()) {
            all &= holds(condition, sizes)?;
        }
        if all {
            return Ok(name);
        }
    }
    let Sizes { bytes, ranks, .. } = sizes;
    Err(format!("no rule of '{rules}' holds for {bytes} bytes and {ranks} ranks"))
}

fn holds(condition: &str, sizes: Sizes) -> Result<bool, String> {
    let Sizes { elements, bytes, ranks } = sizes;
    match condition {
        "power_of_two" => return Ok(ranks.is_power_of_two()),
        "elements<ranks" => return Ok(elements < ranks),
        "elements<power" => return Ok(elements < 1 << ranks.ilog2()),
        _ => {}
    }
    let bounds = [("bytes<=", bytes), ("all_bytes<=", bytes * ranks), ("ranks<=", ranks)];
    let bounded = bounds.iter().find_map(|(name, value)| {
        let most: u64 = condition.strip_prefix(name)?.parse().ok()?;
        Some(*value <= most)
    });
    bounded.ok_or_else(|| format!("'{condition}' is no condition; allowed: bytes<=N, ranks<=N"))
}

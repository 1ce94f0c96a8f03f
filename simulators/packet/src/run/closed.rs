//! Runs a closed list to its end.

use super::{Pace, Window};

/// Cycles between two looks whether all messages have arrived.
const LOOK_CYCLES: u64 = 1000;

/// Runs until every message has arrived; fails when that takes more than `max_cycles`.
pub fn run_closed(pace: &mut Pace, max_cycles: u64) -> Result<Window, String> {
    let mut window = Window::open(pace.network, pace.flows_on);
    loop {
        let unfinished = pace.network.source().closed().map_or(0, |list| list.unfinished());
        if unfinished == 0 {
            break;
        }
        let now = pace.network.now();
        if now >= max_cycles {
            return Err(format!(
                "{unfinished} messages have not arrived after max_cycles {max_cycles}"
            ));
        }
        pace.advance((now + LOOK_CYCLES).min(max_cycles))?;
    }
    let end = pace.network.meter().last_arrival;
    window.close(pace.network, end);
    if let Some(series) = &mut pace.series {
        series.close(pace.network, end);
    }
    Ok(window)
}

//! Data of puts and gets between C programs.

use crate::shard::{folder, journal, point, run};

/// The target's globals are elsewhere while it does not run.
#[test]
fn puts_and_gets_reach_globals_of_ranks_that_do_not_run() {
    let folder = folder("exposed");
    let output = run(&folder, &[point("exposed", 5)], "1");
    assert!(output.status.success(), "{output:?} {:?}", journal(&folder));
}

//! Cost of a switch from rank to rank and back, and memory of a rank. Prints JSON lines.
//! `benchmarks/rdma_ranks.py` runs it.

use engine::Usage;
use ranks::{self, Ranks};

const SWITCHES: u32 = 1 << 22;

fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or_default() * 4096
}

fn main() {
    for count in [2, 1024, 16_384, 131_072] {
        let before = resident_bytes();
        let body = |_| loop {
            ranks::suspend();
        };
        let mut ranks = Ranks::new(body, count, 64 << 10).expect("there is address space");
        for rank in 0..count {
            ranks.resume(rank);
        }
        let each_bytes = (resident_bytes() - before) / u64::from(count);
        let before_s = Usage::of_process().cpu_s;
        for _ in 0..SWITCHES / count {
            for rank in 0..count {
                ranks.resume(rank);
            }
        }
        let used_s = Usage::of_process().cpu_s - before_s;
        let switch_ns = used_s * 1e9 / f64::from(SWITCHES);
        println!("{{\"ranks\": {count}, \"switch_ns\": {switch_ns:.2}, \"bytes\": {each_bytes}}}");
    }
}

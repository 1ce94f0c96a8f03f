//! Names the executable after its sources.

fn main() {
    source_version::embed(&["engine", "fabric", "workload"], &[]);
}

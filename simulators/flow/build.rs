//! Names the executable after its sources.

fn main() {
    let crates = ["engine", "fabric", "mpi", "programs", "ranks", "source_version", "workload"];
    source_version::embed(&crates, &["../programs/include", "../programs/lib"]);
}

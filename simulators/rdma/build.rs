//! Names the executable after its sources.

fn main() {
    let crates = ["engine", "fabric", "mpi", "ranks", "workload"];
    source_version::embed_with(&crates, &["../programs/include", "../programs/lib"]);
}

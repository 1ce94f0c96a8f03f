//! Names the executable after its sources.

fn main() {
    source_version::embed(&["engine"], &["../programs/lib"]);
}

//! The part of `Cargo.lock` that some crates reach, so that a crate of others changes nothing.

use std::collections::BTreeSet;

const PACKAGE: &str = "[[package]]\n";

/// The sorted entries of `crates` and of everything that they depend on.
pub fn reached(locked: &str, crates: &[&str]) -> String {
    let entries: Vec<&str> = locked.split(PACKAGE).skip(1).map(str::trim).collect();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<&str> = crates.to_vec();
    while let Some(name) = waiting.pop() {
        if names.insert(name) {
            let mine = entries.iter().filter(|entry| name_of(entry) == name);
            waiting.extend(mine.flat_map(|entry| needs(entry)));
        }
    }
    let mut kept: Vec<&str> = entries.into_iter().filter(|e| names.contains(name_of(e))).collect();
    kept.sort_unstable();
    kept.join("\n")
}

fn name_of(entry: &str) -> &str {
    let first = entry.lines().next().unwrap_or_default();
    first.trim_start_matches("name = ").trim_matches('"')
}

/// Names in the list of dependencies: ` "name",` or ` "name 1.0.0",` on a line of their own.
fn needs(entry: &str) -> impl Iterator<Item = &str> {
    let listed = entry.lines().filter_map(|line| line.strip_prefix(" \""));
    listed.map(|line| line.split(['"', ' ']).next().unwrap_or_default())
}

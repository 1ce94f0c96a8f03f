//! How C is compiled: programs when they run, the calls that they are linked with by `build.rs`.

/// Flags of all languages; a project's own build may change the first.
/// `-fstack-clash-protection` touches every page of a large frame, so that none jumps over a guard page.
/// `-ffp-contract=off` fuses no products with sums, so that results are the same on all processors.
/// Sections let the linker drop functions of `programs/lib` that a program does not call.
/// Functions and loops begin with a line of the cache, as in the build that is measured (`PLACING` of
/// `engines/hardware/parts.py`): a loop takes up to 9 % longer at another place within a line.
pub const FLAGS: [&str; 8] = [
    "-O2",
    "-fPIC",
    "-ffp-contract=off",
    "-fstack-clash-protection",
    "-ffunction-sections",
    "-fdata-sections",
    "-falign-functions=64",
    "-falign-loops=64",
];
pub const OF_C: [&str; 1] = ["-Werror=implicit-function-declaration"];

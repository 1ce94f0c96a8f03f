//! The descriptions of meshes and tori, which are both grids.

use crate::about::{About, Class, Default, Key, Routing};
use crate::needed_vcs::RING_CLASSES;

const K: Key = Key::integer("k", 2, "Nodes along every dimension.").or(Default::Nothing);
const DIMENSIONS: Key =
    Key::exponent("dimensions", "Number of dimensions; 2 unless `sizes` are given.")
        .or(Default::Nothing);
const SIZES: Key =
    Key::integers("sizes", 2, "Nodes along each dimension, instead of `k` and `dimensions`.")
        .or(Default::Nothing);
const NUMBER: &[&str] = &["product(sizes)"];
const NUMBERS: &[&str] = &["count(sizes)", "product(sizes)"];
/// A mesh has no channels beyond its borders.
const CLASSES: &[Class] = &[
    Class::new("x+/*", NUMBER),
    Class::new("x-/*", NUMBER),
    Class::new("y+/*", NUMBER).where_positive("count(sizes) - 1"),
    Class::new("y-/*", NUMBER).where_positive("count(sizes) - 1"),
    Class::new("z+/*", NUMBER).where_positive("count(sizes) - 2"),
    Class::new("z-/*", NUMBER).where_positive("count(sizes) - 2"),
    Class::new("d*+/*", NUMBERS).from(3),
    Class::new("d*-/*", NUMBERS).from(3),
];
/// Rings and rows of all lengths.
const EXAMPLES: &[&str] = &[
    r#"{"sizes": [2]}"#,
    r#"{"sizes": [3]}"#,
    r#"{"sizes": [4]}"#,
    r#"{"sizes": [5]}"#,
    r#"{"sizes": [6]}"#,
    r#"{"sizes": [7]}"#,
    r#"{"sizes": [8]}"#,
    r#"{"sizes": [9]}"#,
    r#"{"sizes": [2, 2]}"#,
    r#"{"sizes": [3, 3]}"#,
    r#"{"sizes": [4, 4]}"#,
    r#"{"sizes": [5, 5]}"#,
    r#"{"sizes": [2, 3, 4]}"#,
    r#"{"sizes": [6, 3]}"#,
    r#"{"sizes": [2, 2, 2]}"#,
];

pub(crate) const MESH: About = About {
    kind: "mesh",
    meaning: "An n-dimensional mesh with dimension-order routing.",
    keys: &[K, DIMENSIONS, SIZES],
    nodes: "product(sizes)",
    routings: &[Routing::new("dimension_order", "lowest dimension first")],
    ring_classes: &[],
    per_destination: true,
    classes: CLASSES,
    tapered: &[],
    examples: EXAMPLES,
};

pub(crate) const TORUS: About = About {
    kind: "torus",
    meaning: "An n-dimensional torus with dimension-order routing.",
    keys: &[
        K,
        DIMENSIONS,
        SIZES,
        Key::choice(
            "ties",
            &["plus", "avoid_wrap", "simgrid", "random", "random_per_pair"],
            "avoid_wrap",
            "Which way to go when both are equally long (half way round an even ring).",
        ),
    ],
    nodes: "product(sizes)",
    routings: &[Routing::new("dimension_order", "lowest dimension first, the shorter way round")
        .with_classes(2, "one for each class of a ring")],
    ring_classes: &RING_CLASSES,
    per_destination: true,
    classes: CLASSES,
    tapered: &[],
    examples: EXAMPLES,
};

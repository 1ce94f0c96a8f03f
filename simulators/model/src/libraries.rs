//! Which algorithms MPI libraries choose: the table of `programs/lib/libraries.c`, which programs in
//! the simulators use, too.

use std::sync::LazyLock;

const SOURCE: &str = include_str!("../../../programs/lib/libraries.c");
pub const LIBRARIES: [&str; 2] = ["mpich", "openmpi"];

#[derive(Debug, PartialEq, Eq)]
struct Row {
    library: String,
    collective: String,
    most_ranks: u64,
    rules: String,
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| rows(SOURCE));

/// The rules of a library for a collective of so many ranks; None if it is no library.
pub fn rules(library: &str, collective: &str, ranks: u64) -> Option<&'static str> {
    let mut rows = TABLE.iter().filter(|row| row.library == library);
    let row = rows.find(|row| row.collective == collective && ranks <= row.most_ranks);
    row.map(|row| row.rules.as_str())
}

/// The rows `{"library", COLLECTIVE_NAME, ranks, "rules" "more rules"},` of the table.
fn rows(source: &str) -> Vec<Row> {
    let (_, table) = source.split_once("TABLES[] = {").expect("libraries.c has a table");
    let (table, _) = table.split_once("\n};").expect("the table ends");
    table.split('{').skip(1).map(row).collect()
}

fn row(text: &str) -> Row {
    let quoted: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let plain: Vec<&str> = text.split(',').map(str::trim).collect();
    Row {
        library: quoted[0].into(),
        collective: plain[1].trim_start_matches("COLLECTIVE_").to_lowercase(),
        most_ranks: plain[2].parse().unwrap_or(u64::MAX),
        rules: quoted[1..].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many rows as the file has, each with a library, a known collective and rules.
    #[test]
    fn every_row_of_the_table_is_read() {
        assert_eq!(TABLE.len(), SOURCE.matches("{\"").count());
        for row in TABLE.iter() {
            let known = crate::ALGORITHMS.iter().any(|(name, _)| *name == row.collective);
            assert!(known && LIBRARIES.contains(&row.library.as_str()), "{row:?}");
            assert!(!row.rules.is_empty() && !row.rules.contains('\n'), "{row:?}");
        }
        assert_eq!(rules("mpich", "bcast", 7), Some("binomial"));
        assert_eq!(rules("openmpi", "alltoall", 63), Some("bytes<=511: bruck; linear"));
        assert_eq!(rules("ring", "alltoall", 63), None);
    }
}

//! Tables beside the journal: what each is, and which a point asks for.
//!
//! A table is declared once, beside the code that fills it. Its header, the catalogue, and with it the
//! database, the checks of experiments and the documents follow.

use crate::table::{TableFile, create_table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::BufWriter;
use std::path::Path;

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cells {
    Text,
    Integer,
    Number,
}

/// A column of a side table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Column {
    /// It ends with the unit of its numbers.
    pub name: &'static str,
    pub cells: Cells,
    pub about: &'static str,
    /// Whether a file may lack it: another engine does not know it.
    pub is_optional: bool,
    /// Whether simulators leave it to others: to a machine, or to what reads the files.
    pub is_of_others: bool,
}

impl Column {
    const fn new(name: &'static str, cells: Cells, about: &'static str) -> Self {
        Self { name, cells, about, is_optional: false, is_of_others: false }
    }

    pub const fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Cells::Text, about)
    }

    pub const fn integer(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Cells::Integer, about)
    }

    pub const fn number(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Cells::Number, about)
    }

    /// A column that files of some engines lack.
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// A column that no simulator writes.
    pub const fn of_others(self) -> Self {
        Self { is_optional: true, is_of_others: true, ..self }
    }
}

/// A table that a point may ask for, one file for each point.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SideTable {
    pub name: &'static str,
    /// What has a row.
    pub row: &'static str,
    /// What else somebody needs to know who reads it.
    pub about: &'static str,
    /// In their order; none of a file that is for other programs.
    pub columns: &'static [Column],
    /// Whether it shows the messages of one size alone.
    pub has_one_size: bool,
    /// The table that it is written beside; no point asks for it itself.
    pub beside: Option<&'static str>,
}

impl SideTable {
    /// A table of points whose messages may have several sizes.
    pub const fn new(name: &'static str, row: &'static str, columns: &'static [Column]) -> Self {
        Self { name, row, about: "", columns, has_one_size: false, beside: None }
    }

    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub const fn of_one_size(self) -> Self {
        Self { has_one_size: true, ..self }
    }

    pub const fn beside(self, table: &'static str) -> Self {
        Self { beside: Some(table), ..self }
    }

    /// Creates `<table>-<point>.csv` with its header.
    ///
    /// # Errors
    /// Names the file that could not be created.
    pub fn create(&self, out: &Path, point: &str) -> Result<BufWriter<TableFile>, String> {
        let written = self.columns.iter().filter(|column| !column.is_of_others);
        let header: Vec<&str> = written.map(|column| column.name).collect();
        create_table(out, self.name, point, &header.join(","))
    }
}

/// A side table that an engine fills, with the kinds of workload whose points may have it.
pub type Filled = (&'static SideTable, &'static [&'static str]);

/// Them in the form in which a declaration lists them.
pub fn side_tables(tables: &[Filled]) -> Value {
    tables.iter().map(|(table, of)| json!({"table": table, "of": of})).collect()
}

/// The option by which a point asks for tables.
pub fn tables_option(tables: &[Filled]) -> Value {
    let asked = tables.iter().filter(|(table, _)| table.beside.is_none());
    let allowed: Vec<&str> = asked.map(|(table, _)| table.name).collect();
    let of: Vec<&str> =
        tables.iter().filter(|(table, _)| table.columns.is_empty()).map(|(t, _)| t.name).collect();
    let files = match of[..] {
        [] => String::new(),
        _ => format!("; {} is a file for trace viewers", of.join(" and ")),
    };
    json!({"name": "tables", "type": "choice", "allowed": allowed, "several": true, "default": [],
           "description": format!("Large tables to write beside the metrics{files}.")})
}

/// The tables that a point asks for, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct AskedTables(Vec<String>);

impl AskedTables {
    pub fn has(&self, table: &SideTable) -> bool {
        self.0.iter().any(|name| name == table.beside.unwrap_or(table.name))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Refuses what the engine has not, of points of `kind`, and what shows one size where there are
    /// `sizes`.
    ///
    /// # Errors
    /// Names the table and what there is.
    pub fn check(
        &self,
        engine: &str,
        tables: &[Filled],
        kind: &str,
        sizes: usize,
    ) -> Result<(), String> {
        for name in &self.0 {
            let known = tables.iter().filter(|(table, _)| table.beside.is_none());
            let Some((table, of)) = known.clone().find(|(table, _)| table.name == name) else {
                let all: Vec<&str> = known.map(|(table, _)| table.name).collect();
                let all = all.join(", ");
                return Err(format!(
                    "options: tables contains {name}; {engine} has the tables {all}"
                ));
            };
            if !of.contains(&kind) {
                let of = of.join(" and ");
                return Err(format!("table {name} is for the workload kind {of}"));
            }
            if table.has_one_size && sizes != 1 {
                return Err(format!("table {name} needs exactly one message size"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: SideTable = SideTable::new(
        "rates",
        "node",
        &[
            Column::integer("node", "which"),
            Column::number("rate", "how much"),
            Column::number("measured_rate", "on a machine").of_others(),
        ],
    )
    .of_one_size();
    const PEAKS: SideTable = SideTable::new("peaks", "node", &[]).beside("rates");
    const TABLES: &[Filled] = &[(&RATES, &["traffic"]), (&PEAKS, &["traffic"])];

    fn asked(names: &[&str]) -> AskedTables {
        serde_json::from_value(json!(names)).unwrap()
    }

    #[test]
    fn a_file_begins_with_the_columns_that_simulators_fill() {
        let folder = std::env::temp_dir();
        let point = format!("side-table-{}", std::process::id());
        drop(RATES.create(&folder, &point).unwrap());
        let file = folder.join(format!("rates-{point}.csv"));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        assert_eq!(text, "node,rate\n");
    }

    #[test]
    fn a_table_comes_with_the_one_that_it_is_written_beside() {
        assert!(asked(&["rates"]).has(&PEAKS));
        assert!(!asked(&[]).has(&PEAKS));
    }

    #[test]
    fn what_an_engine_lacks_is_refused_with_what_it_has() {
        let check = |names: &[&str], kind, sizes| {
            asked(names).check("packet", TABLES, kind, sizes).unwrap_err()
        };
        assert!(asked(&["rates"]).check("packet", TABLES, "traffic", 1).is_ok());
        assert!(check(&["rate"], "traffic", 1).ends_with("packet has the tables rates"));
        assert!(check(&["peaks"], "traffic", 1).ends_with("packet has the tables rates"));
        assert!(check(&["rates"], "program", 1).ends_with("for the workload kind traffic"));
        assert!(check(&["rates"], "traffic", 2).contains("exactly one message size"));
    }
}

//! How long a byte takes in messages of each size, one way and both ways.

use engine::{Curves, TimesBySize};
use std::path::Path;

/// Seconds of a byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    pub one_way: f64,
    pub two_way: f64,
}

/// Paces by size, ascending.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    knots: Vec<(f64, Pace)>,
    /// In place of knots.
    measured: Option<Curves>,
}

const COLUMNS: [&str; 3] = ["message_bytes", "one_way_s_per_byte", "two_way_s_per_byte"];

impl Curve {
    /// Reads a CSV file.
    ///
    /// # Errors
    /// Says what is wrong, with the line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{shown}: {e}"))?;
        Self::parse(&text).map_err(|e| format!("{shown}{e}"))
    }

    /// Reads the text of a CSV file. An error begins with the line.
    ///
    /// # Errors
    /// Says what is wrong, with the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let header: Vec<&str> =
            lines.next().unwrap_or_default().split(',').map(str::trim).collect();
        let column = |name: &str| {
            let found = header.iter().position(|column| *column == name);
            found.ok_or_else(|| {
                format!(":1: there is no column {name}; needed: {}", COLUMNS.join(", "))
            })
        };
        let [size, one, two] = [column(COLUMNS[0])?, column(COLUMNS[1])?, column(COLUMNS[2])?];
        let mut knots: Vec<(f64, Pace)> = vec![];
        for (number, line) in (2..).zip(lines) {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let value = |at: usize| {
                let found = cells.get(at).and_then(|cell| cell.parse::<f64>().ok());
                let good = found.filter(|value| value.is_finite() && *value > 0.0);
                good.ok_or_else(|| {
                    let cell = cells.get(at).unwrap_or(&"");
                    format!(":{number}: {} is '{cell}', must be a number above 0", header[at])
                })
            };
            let bytes = value(size)?;
            if knots.last().is_some_and(|(last, _)| *last >= bytes) {
                return Err(format!(":{number}: {} must rise from row to row", COLUMNS[0]));
            }
            knots.push((bytes, Pace { one_way: value(one)?, two_way: value(two)? }));
        }
        if knots.is_empty() {
            return Err(":1: there is no row".into());
        }
        Ok(Self { knots, measured: None })
    }

    /// M1 and M2 of measured times, net of the time of 0 bytes.
    pub fn of(curves: &Curves) -> Self {
        Self { knots: vec![], measured: Some(curves.clone()) }
    }

    /// The pace at a size: linear in the logarithm of the size between two rows, and that of the
    /// nearest row beyond the ends. Without rows a byte takes no time.
    pub fn at(&self, bytes: f64) -> Pace {
        if let Some(curves) = &self.measured {
            let whole = (bytes as u64).max(1);
            let net = |times: &TimesBySize| {
                (times.seconds(whole) - times.seconds(0)).max(0.0) / whole as f64
            };
            return Pace { one_way: net(&curves.one_way), two_way: net(curves.two_way()) };
        }
        let above = self.knots.partition_point(|(size, _)| *size < bytes);
        match (above.checked_sub(1).map(|below| self.knots[below]), self.knots.get(above)) {
            (Some((low, from)), Some((high, to))) => {
                let part = (bytes / low).ln() / (high / low).ln();
                let between = |a: f64, b: f64| if part >= 1.0 { b } else { a + part * (b - a) };
                Pace {
                    one_way: between(from.one_way, to.one_way),
                    two_way: between(from.two_way, to.two_way),
                }
            }
            (Some((_, only)), None) => only,
            (None, Some((_, only))) => *only,
            (None, None) => Pace { one_way: 0.0, two_way: 0.0 },
        }
    }
}

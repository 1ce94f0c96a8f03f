//! `weft-catalogue` prints the catalogue.

fn main() {
    print!("{}", catalogue::text());
}

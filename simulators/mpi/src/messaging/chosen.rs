//! The algorithms that rules have chosen for collectives.

use std::collections::BTreeMap;

/// By collective, ranks and algorithm: the fewest and the most bytes.
#[derive(Debug, Default)]
pub struct Chosen {
    found: BTreeMap<(&'static str, i32, &'static str), (u64, u64)>,
}

impl Chosen {
    pub fn add(
        &mut self,
        collective: &'static str,
        algorithm: &'static str,
        bytes: u64,
        ranks: i32,
    ) {
        let sizes = self.found.entry((collective, ranks, algorithm)).or_insert((bytes, bytes));
        *sizes = (sizes.0.min(bytes), sizes.1.max(bytes));
    }

    /// One line about all of them, which begins as the keys of options do; None if there are none.
    pub fn note(&self) -> Option<String> {
        let texts = self.found.iter().map(|((collective, ranks, algorithm), (least, most))| {
            let sizes =
                if least == most { format!("{least} B") } else { format!("{least} to {most} B") };
            format!("{collective} of {ranks} ranks, {sizes}: {algorithm}")
        });
        let all: Vec<String> = texts.collect();
        (!all.is_empty()).then(|| format!("chosen algorithms: {}", all.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_one_algorithm_are_joined() {
        let mut chosen = Chosen::default();
        assert_eq!(chosen.note(), None);
        for (algorithm, bytes) in [("ring", 64), ("bruck", 8), ("ring", 512)] {
            chosen.add("allgather", algorithm, bytes, 4);
        }
        let note = chosen.note().unwrap();
        let wanted = "chosen algorithms: allgather of 4 ranks, 8 B: bruck; allgather of 4 ranks, 64 to 512 B: ring";
        assert_eq!(note, wanted);
    }
}

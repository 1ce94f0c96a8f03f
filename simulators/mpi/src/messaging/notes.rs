//! What a run says about its program, beside results.

use super::chosen::Chosen;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Notes {
    /// What rules have chosen.
    pub chosen: Chosen,
    said: BTreeSet<&'static str>,
}

impl Notes {
    /// Each sentence counts once, however many ranks say it.
    pub fn say(&mut self, what: &'static str) {
        self.said.insert(what);
    }

    /// One line each.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.said.iter().map(ToString::to_string)
    }

    /// `reason`, with what was said: that may be why a rank gave up.
    pub fn beside(&self, reason: String) -> String {
        self.said.iter().fold(reason, |all, what| format!("{all}; {what}"))
    }
}

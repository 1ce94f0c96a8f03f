//! Times that the program reports beside its own.

/// The largest value of all ranks for each metric, in the order of the first reports.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Samples {
    list: Vec<(String, f64)>,
    reserved: Vec<&'static str>,
}

impl Samples {
    /// Of a run that measures the `reserved` metrics itself: a program that reports one is refused,
    /// because a metric has one value.
    pub fn beside(reserved: &[&'static str]) -> Self {
        Self { reserved: reserved.to_vec(), ..Self::default() }
    }

    pub fn add(&mut self, metric: &str, seconds: f64) -> Result<(), String> {
        let letters =
            metric.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !letters || !metric.ends_with("_s") || metric.starts_with('_') {
            return Err(format!(
                "'{metric}' cannot name a metric: use lower-case letters, digits and _, and end with _s"
            ));
        }
        if self.reserved.contains(&metric) {
            return Err(format!("weft measures {metric} itself; give this time another name"));
        }
        if !seconds.is_finite() || seconds < 0.0 {
            return Err(format!("{metric} cannot be {seconds} s"));
        }
        match self.list.iter_mut().find(|(name, _)| name == metric) {
            Some((_, largest)) => *largest = largest.max(seconds),
            None => self.list.push((metric.into(), seconds)),
        }
        Ok(())
    }

    /// Metric and seconds.
    pub fn list(&self) -> &[(String, f64)] {
        &self.list
    }
}

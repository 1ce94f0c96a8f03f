//! Times that the program reports beside its own.

/// Most metrics that a program may report.
const MOST: usize = 256;
/// Longest name of one.
const LONGEST: usize = 64;

/// The largest value of all ranks for each metric, in the order of the first reports.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Samples {
    list: Vec<(String, f64)>,
    reserved: Vec<String>,
}

impl Samples {
    /// Of a run that measures the `reserved` metrics itself: a program that reports one is refused,
    /// because a metric has one value.
    pub fn beside(reserved: &[String]) -> Self {
        Self { reserved: reserved.to_vec(), ..Self::default() }
    }

    fn is_reserved(&self, metric: &str) -> bool {
        self.reserved.iter().any(|name| name == metric)
    }

    /// Adds what a rank of this job reports; the metrics of a job are its own: `job1_step_time_s`.
    pub fn add(&mut self, job: Option<u32>, metric: &str, seconds: f64) -> Result<(), String> {
        if metric.len() > LONGEST {
            let start: String = metric.chars().take(LONGEST).collect();
            return Err(format!(
                "'{start}…' cannot name a metric: {} B long, at most {LONGEST}",
                metric.len()
            ));
        }
        let letters =
            metric.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !letters || !metric.ends_with("_s") || metric.starts_with('_') {
            return Err(format!(
                "'{metric}' cannot name a metric: use lower-case letters, digits and _, and end with _s"
            ));
        }
        if self.is_reserved(metric) {
            return Err(format!("weft measures {metric} itself; give this time another name"));
        }
        if !seconds.is_finite() || seconds < 0.0 {
            return Err(format!("{metric} cannot be {seconds} s"));
        }
        let named = job.map(|job| format!("job{}_{metric}", job + 1));
        let metric = named.as_deref().unwrap_or(metric);
        if self.is_reserved(metric) {
            return Err(format!("weft measures {metric} itself; give this time another name"));
        }
        let is_full = self.list.len() == MOST;
        match self.list.iter_mut().find(|(name, _)| name == metric) {
            Some((_, largest)) => *largest = largest.max(seconds),
            None if is_full => {
                return Err(format!(
                    "{metric} is one metric more than the {MOST} a program may report"
                ));
            }
            None => self.list.push((metric.into(), seconds)),
        }
        Ok(())
    }

    /// Metric and seconds.
    pub fn list(&self) -> &[(String, f64)] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reports_so_many_metrics_and_names_so_long_at_most() {
        let mut samples = Samples::default();
        for number in 0..MOST {
            samples.add(None, &format!("t{number}_s"), 1.0).unwrap();
        }
        samples.add(None, "t0_s", 2.0).unwrap();
        let error = samples.add(None, "another_s", 1.0).unwrap_err();
        assert!(error.contains("one metric more than the 256"), "{error}");
        let error = samples.add(None, &format!("{}_s", "m".repeat(1000)), 1.0).unwrap_err();
        assert!(error.len() < 200 && error.ends_with("1002 B long, at most 64"), "{error}");
    }
}

//! When nodes create the messages of open-loop traffic.

use crate::spec::null_as_default;
use serde::Deserialize;

/// How messages are spread over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Process {
    /// A coin is tossed in every cycle.
    #[default]
    Bernoulli,
    /// Bursts and pauses of random length (a Markov-modulated Bernoulli process).
    OnOff,
}

/// What is searched for instead of measuring at one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// The largest rate that the network keeps up with.
    Saturation,
}

/// The keys of workload kind `traffic` beside the pattern's.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Injection {
    /// Offered load as a share of the injection channel; 1 means that a message always waits.
    #[serde(rename = "injection_rate", default = "one")]
    pub rate: f64,
    #[serde(rename = "injection_process", default, deserialize_with = "null_as_default")]
    pub process: Process,
    /// Mean number of messages in a burst.
    pub burst_messages: Option<f64>,
    /// Offered load during a burst; 1 unless given.
    pub burst_rate: Option<f64>,
    pub search: Option<Search>,
}

fn one() -> f64 {
    1.0
}

impl Injection {
    /// Says what is wrong with the numbers or their combination.
    pub fn check(&self) -> Result<(), String> {
        let rate = self.rate;
        if !(rate > 0.0 && rate <= 1.0) {
            return Err(format!("injection_rate is {rate}, must be within 0..1 and above 0"));
        }
        if self.process == Process::Bernoulli {
            let given = [("burst_messages", self.burst_messages), ("burst_rate", self.burst_rate)];
            return match given.iter().find(|(_, value)| value.is_some()) {
                Some((key, _)) => Err(format!("{key} is for injection_process on_off")),
                None => Ok(()),
            };
        }
        let messages =
            self.burst_messages.ok_or("injection_process on_off needs burst_messages")?;
        if !(messages.is_finite() && messages > 1.0) {
            return Err(format!("burst_messages is {messages}, must be above 1"));
        }
        let burst = self.burst_rate.unwrap_or(1.0);
        if !(burst > 0.0 && burst <= 1.0) {
            return Err(format!("burst_rate is {burst}, must be within 0..1 and above 0"));
        }
        if rate >= burst {
            return Err(format!("injection_rate is {rate}, must be below burst_rate {burst}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        serde_json::from_str::<Injection>(text).unwrap().check().unwrap_err()
    }

    #[test]
    fn absent_and_null_keys_mean_bernoulli() {
        let text = r#"{"injection_rate": 0.5, "injection_process": null, "search": null}"#;
        let injection: Injection = serde_json::from_str(text).unwrap();
        assert_eq!(injection.process, Process::Bernoulli);
        assert_eq!(injection.check(), Ok(()));
        assert_eq!(serde_json::from_str::<Injection>("{}").unwrap().rate, 1.0);
    }

    #[test]
    fn every_wrong_number_is_named() {
        assert!(refusal(r#"{"injection_rate": 1.5}"#).contains("injection_rate is 1.5"));
        assert!(refusal(r#"{"burst_rate": 0.5}"#).contains("burst_rate is for"));
        let on_off = |rest: &str| {
            refusal(&format!(r#"{{"injection_rate": 0.5, "injection_process": "on_off"{rest}}}"#))
        };
        assert!(on_off("").contains("needs burst_messages"));
        assert!(on_off(r#", "burst_messages": 1"#).contains("must be above 1"));
        let slow = r#", "burst_messages": 4, "burst_rate": 0.5"#;
        assert!(on_off(slow).contains("below burst_rate"));
        let fast = r#", "burst_messages": 4, "burst_rate": 2"#;
        assert!(on_off(fast).contains("burst_rate is 2"));
    }
}

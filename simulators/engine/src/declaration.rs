//! The part of an engine's declaration that its code decides.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Value, json};

/// The words of the enum `T` of an option, in their order.
///
/// # Panics
/// If `T` is not an enum.
pub fn words<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut found = None;
    let _ = T::deserialize(Asked(&mut found));
    found.expect("a deserializer of an enum names its words")
}

/// A deserializer without input that stores the words that an enum asks for.
struct Asked<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        words: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(words);
        Err(Error::custom("there is nothing to read"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is nothing to read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A metric that an engine computes: its name and its unit.
pub type Measure = (&'static str, &'static str);

/// Declares metrics: a constant of each, and an array of all. So a metric has its name and its unit from
/// one place, and none is left out of the declaration.
///
/// ```
/// engine::metrics! {
///     /// Metrics of runs.
///     METRICS:
///     TIME = "time_s", "s";
///     RATE = "rate", "1";
/// }
/// assert_eq!(METRICS, [TIME, RATE]);
/// ```
#[macro_export]
macro_rules! metrics {
    ($(#[$about:meta])* $all:ident: $($constant:ident = $name:literal, $unit:literal;)+) => {
        $(pub const $constant: $crate::Measure = ($name, $unit);)+
        $(#[$about])*
        pub const $all: [$crate::Measure; [$($name),+].len()] = [$($constant),+];
    };
}

/// Names with their units, in the form in which a declaration lists metrics.
pub fn with_units<'a>(metrics: impl IntoIterator<Item = (&'a str, &'a str)>) -> Value {
    metrics.into_iter().map(|(name, unit)| json!({"name": name, "unit": unit})).collect()
}

/// The option that chooses the algorithm of a collective; the first of `allowed` is the default.
pub fn algorithm_option(collective: &str, allowed: &[&str]) -> Value {
    let name = format!("MGEN_{}{}", collective[..1].to_uppercase(), &collective[1..]);
    let how = match collective {
        "alltoall" => {
            "; pairwise exchanges with rank XOR step where ranks are a power of two, else as ring"
        }
        _ => "",
    };
    json!({"name": format!("{collective}_algorithm"), "type": "choice", "allowed": allowed,
           "by_size": true, "default": allowed[0],
           "description": format!("How {name} works{how}.")})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Way {
        Here,
        NotThere,
    }

    #[test]
    fn the_words_of_an_enum_are_found() {
        assert_eq!(words::<Way>(), ["here", "not_there"]);
        let read: Vec<Way> = words::<Way>()
            .iter()
            .map(|word| serde_json::from_value((*word).into()).unwrap())
            .collect();
        assert!(matches!(read[..], [Way::Here, Way::NotThere]));
    }
}

//! What an engine says of itself: the part of its declaration that its code decides.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Value, json};

/// The words of an enum that options are read into, in their order.
///
/// # Panics
/// Where `T` is no enum of words.
pub fn words<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut found = None;
    let _ = T::deserialize(Asked(&mut found));
    found.expect("an enum says its words when it is read")
}

/// Reads nothing, and keeps the words that a reader expects.
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

/// Names with their units, as a declaration lists metrics.
pub fn with_units<'a>(metrics: impl IntoIterator<Item = (&'a str, &'a str)>) -> Value {
    metrics.into_iter().map(|(name, unit)| json!({"name": name, "unit": unit})).collect()
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
    fn an_enum_says_its_words() {
        assert_eq!(words::<Way>(), ["here", "not_there"]);
        let read: Vec<Way> = words::<Way>()
            .iter()
            .map(|word| serde_json::from_value((*word).into()).unwrap())
            .collect();
        assert!(matches!(read[..], [Way::Here, Way::NotThere]));
    }
}

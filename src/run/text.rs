//! A struct as a list of names and texts, as a command line and the `[options]` of a `.stat` have them:
//! `every 20`, `variance on`, `tune pass,n_*`.
//!
//! Both directions use serde, so a field of any struct needs no code here. A switch is `on` or `off`, a list is
//! joined by commas, and a field that is not given is `none` or not in the list.

use std::{fmt::Display, slice, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor,
        value::{MapAccessDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    feature::pattern,
};

/// The text of a field that is not given.
pub const NONE: &str = "none";

/// The fields of a struct in its order: the name of each, and its text where it is given.
pub fn fields(value: &impl Serialize) -> Vec<(String, Option<String>)> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields.into_iter().map(|(name, value)| (name, format(value))).collect(),
        _ => unreachable!("a struct of texts and numbers becomes an object"),
    }
}

fn format(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(is_on) => Some(if is_on { "on" } else { "off" }.to_string()),
        // As Rust prints it: 64, not 64.0.
        Value::Number(number) if number.is_f64() => number.as_f64().map(|number| number.to_string()),
        Value::Array(values) => {
            let texts: Vec<String> = values.into_iter().filter_map(format).collect();
            (!texts.is_empty()).then(|| texts.join(","))
        }
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Object(_) => Some(value.to_string()),
    }
}

/// Reads a struct from names and texts.
///
/// # Errors
///
/// Names the option that is wrong, unknown, missing or given twice.
pub fn parse<T: DeserializeOwned>(fields: &[(String, String)]) -> Result<T> {
    T::deserialize(MapAccessDeserializer::new(Fields { rest: fields.iter(), current: None }))
}

/// The struct with another value of one field.
///
/// # Errors
///
/// Names the option, with what was expected and what was found.
pub fn with<T: Serialize + DeserializeOwned>(value: &T, name: &str, text: &str) -> Result<T> {
    let others = fields(value).into_iter().filter(|(other, _)| other != name);
    let mut changed: Vec<(String, String)> =
        others.filter_map(|(other, text)| text.map(|text| (other, text))).collect();
    changed.push((name.to_string(), text.to_string()));
    parse(&changed)
}

/// An error in the value of an option.
pub fn option_error(name: &str, error: impl Display) -> Error {
    Error::new(format!("option {name}: {error}"))
}

/// The names and texts that are still to be read.
struct Fields<'a> {
    rest: slice::Iter<'a, (String, String)>,
    current: Option<&'a (String, String)>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.rest.next();
        self.current.map(|(name, _)| seed.deserialize(name.as_str().into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (name, text) = self.current.expect("serde asks for a name before its value");
        seed.deserialize(Text(text)).map_err(|error| option_error(name, error))
    }
}

/// The text of one value.
struct Text<'a>(&'a str);

impl Text<'_> {
    fn number<T: FromStr>(&self, expected: &str) -> Result<T> {
        self.0.parse().map_err(|_| Error::expected(expected, format!("{:?}", self.0)))
    }
}

impl<'de> Deserializer<'de> for Text<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            "on" => visitor.visit_bool(true),
            "off" => visitor.visit_bool(false),
            other => Err(Error::expected("on or off", format!("{other:?}"))),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u32(self.number("a whole number")?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(self.number("a number")?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.0 == NONE { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut items = pattern::split(self.0);
        // Blanks and commas around `none` do not make it a pattern: its text would be that of an empty list.
        if items == [NONE] {
            items.clear();
        }
        visitor.visit_seq(SeqDeserializer::new(items.into_iter()))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 char str string bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// For `#[serde(with)]`: a field whose type prints and parses itself.
pub mod as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    struct Sample {
        z_count: u32,
        size: f64,
        is_open: bool,
        limit: Option<u32>,
        #[serde(default)]
        names: Vec<String>,
    }

    fn sample() -> Sample {
        Sample { z_count: 3, size: 64.0, is_open: true, limit: None, names: Vec::new() }
    }

    fn owned(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
    }

    #[test]
    fn fields_stand_in_the_order_of_the_struct_and_numbers_without_a_trailing_zero() {
        let names = vec!["p_adv[de,r4]".to_string(), "n_*".to_string()];
        let fields = fields(&Sample { names, ..sample() });
        let fields: Vec<_> = fields.iter().map(|(name, text)| (&**name, text.as_deref())).collect();
        let expected = [
            ("z-count", Some("3")),
            ("size", Some("64")),
            ("is-open", Some("on")),
            ("limit", None),
            ("names", Some("p_adv[de,r4],n_*")),
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn what_is_written_is_read_back_and_none_stands_for_a_field_that_is_not_given() {
        let whole = Sample {
            limit: Some(7),
            size: 0.1 + 0.2,
            names: ["p_adv[de,r4]", "n_*"].map(String::from).into(),
            ..sample()
        };
        for value in [sample(), whole] {
            let given = fields(&value).into_iter().filter_map(|(name, text)| text.map(|text| (name, text)));
            assert_eq!(parse::<Sample>(&given.collect::<Vec<_>>()).unwrap(), value);
            let cleared = with(&with(&value, "limit", "none").unwrap(), "names", "none").unwrap();
            assert_eq!((cleared.limit, cleared.names.len()), (None, 0));
        }
    }

    #[test]
    fn an_error_names_the_option_with_what_was_expected_and_found() {
        let error = |name: &str, text: &str| with(&sample(), name, text).unwrap_err().to_string();
        assert_eq!(error("z-count", "-1"), "option z-count: expected a whole number, but found \"-1\"");
        assert_eq!(error("size", "1x"), "option size: expected a number, but found \"1x\"");
        assert_eq!(error("is-open", "true"), "option is-open: expected on or off, but found \"true\"");
        let unknown = error("isopen", "on");
        assert_eq!(unknown, "expected an option of a run, but found \"isopen\"; did you mean \"is-open\"?");
        let missing = parse::<Sample>(&owned(&[("size", "1"), ("is-open", "on")])).unwrap_err().to_string();
        assert_eq!(missing, "option z-count: expected a value, but found none");
        let twice = parse::<Sample>(&owned(&[("size", "1"), ("size", "2")])).unwrap_err().to_string();
        assert_eq!(twice, "option size: expected one value, but found two");
    }
}

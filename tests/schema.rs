//! A check of JSON against a schema, for the keywords that the schema of an export uses. Any other keyword
//! fails the test.

use serde_json::Value;

/// The schema of an export.
pub fn of_exports() -> Value {
    serde_json::from_str(&std::fs::read_to_string("docs/export.schema.json").unwrap()).unwrap()
}

/// Whether a value keeps to the schema `root`.
pub fn is_valid(root: &Value, value: &Value) -> bool {
    keeps(root, root, value)
}

fn keeps(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(keywords) = schema.as_object() else { panic!("expected a schema, but found {schema}") };
    keywords.iter().all(|(keyword, limit)| keeps_keyword(root, (schema, keyword), limit, value))
}

fn keeps_keyword(root: &Value, (schema, keyword): (&Value, &str), limit: &Value, value: &Value) -> bool {
    let keeps = |schema: &Value, value: &Value| keeps(root, schema, value);
    let number = || (value.as_f64(), limit.as_f64().unwrap());
    match keyword {
        "$schema" | "$id" | "$defs" | "title" | "description" | "then" | "else" => true,
        "$ref" => {
            let place = limit.as_str().unwrap().strip_prefix('#').unwrap();
            keeps(root.pointer(place).unwrap_or_else(|| panic!("no {place}")), value)
        }
        "type" => match limit {
            Value::Array(kinds) => kinds.iter().any(|kind| is_kind(value, kind.as_str().unwrap())),
            kind => is_kind(value, kind.as_str().unwrap()),
        },
        "const" => value == limit || value.as_f64().is_some_and(|number| limit.as_f64() == Some(number)),
        "enum" => limit.as_array().unwrap().contains(value),
        "minimum" => number().0.is_none_or(|value| value >= number().1),
        "maximum" => number().0.is_none_or(|value| value <= number().1),
        "minLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 >= limit.as_u64().unwrap())
        }
        "pattern" => value.as_str().is_none_or(|text| fits(text, limit.as_str().unwrap())),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= limit.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= limit.as_u64().unwrap()),
        "uniqueItems" => {
            value.as_array().is_none_or(|items| (1..items.len()).all(|at| !items[..at].contains(&items[at])))
        }
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| keeps(limit, item))),
        "required" => {
            limit.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
        }
        "properties" => {
            let mut properties = limit.as_object().unwrap().iter();
            properties.all(|(name, schema)| value.get(name).is_none_or(|value| keeps(schema, value)))
        }
        "additionalProperties" => {
            assert_eq!(limit, &Value::Bool(false));
            value
                .as_object()
                .is_none_or(|object| object.keys().all(|name| schema["properties"].get(name).is_some()))
        }
        "if" => {
            let branch = if keeps(limit, value) { "then" } else { "else" };
            schema.get(branch).is_none_or(|schema| keeps(schema, value))
        }
        other => panic!("{other} is no keyword that this check knows"),
    }
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("{other} is no type"),
    }
}

fn fits(text: &str, pattern: &str) -> bool {
    let mut letters = text.bytes();
    match pattern {
        "^[0-9a-f]{16}$" => {
            text.len() == 16 && letters.all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'))
        }
        "^[a-z][a-z0-9_]*$" => {
            letters.next().is_some_and(|letter| letter.is_ascii_lowercase())
                && letters.all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        }
        other => panic!("{other} is no pattern that this check knows"),
    }
}
